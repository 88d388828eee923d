import { add, div, mul } from '../ops/binary.js';
import { sum } from '../ops/reduce.js';
import { clipByValue } from '../ops/parametric.js';
import { relu, sqrt, square } from '../ops/unary.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { Serializable, registerClass, type ConfigDict } from '../train/serialization.js';

const kEpsilon = 1e-7;

/** What a weight is brought within after each step. */
export abstract class Constraint extends Serializable {
  abstract apply(w: Tensor): Tensor;
  getConfig(): ConfigDict {
    return {};
  }
}

interface NormArgs {
  minValue?: number;
  maxValue?: number;
  rate?: number;
  axis?: number;
}

function l2Norms(w: Tensor, axis: number): Tensor {
  return sqrt(sum(square(w), axis, true));
}

class MaxNorm extends Constraint {
  static readonly className = 'MaxNorm';
  private readonly maxValue: number;
  private readonly axis: number;
  constructor({ maxValue, axis }: NormArgs = {}) {
    super();
    this.maxValue = maxValue ?? 2;
    this.axis = axis ?? 0;
  }
  apply(w: Tensor): Tensor {
    return composed(() => {
      const norms = l2Norms(w, this.axis);
      return mul(w, div(clipByValue(norms, 0, this.maxValue), add(kEpsilon, norms)));
    });
  }
  override getConfig(): ConfigDict {
    return { maxValue: this.maxValue, axis: this.axis };
  }
}

class UnitNorm extends Constraint {
  static readonly className = 'UnitNorm';
  private readonly axis: number;
  constructor({ axis }: NormArgs = {}) {
    super();
    this.axis = axis ?? 0;
  }
  apply(w: Tensor): Tensor {
    return composed(() => div(w, add(kEpsilon, l2Norms(w, this.axis))));
  }
  override getConfig(): ConfigDict {
    return { axis: this.axis };
  }
}

class NonNeg extends Constraint {
  static readonly className = 'NonNeg';
  apply(w: Tensor): Tensor {
    return relu(w);
  }
}

class MinMaxNorm extends Constraint {
  static readonly className = 'MinMaxNorm';
  private readonly minValue: number;
  private readonly maxValue: number;
  private readonly rate: number;
  private readonly axis: number;
  constructor({ minValue, maxValue, rate, axis }: NormArgs = {}) {
    super();
    this.minValue = minValue ?? 0;
    this.maxValue = maxValue ?? 1;
    this.rate = rate ?? 1;
    this.axis = axis ?? 0;
  }
  apply(w: Tensor): Tensor {
    return composed(() => {
      const norms = l2Norms(w, this.axis);
      const within = mul(this.rate, clipByValue(norms, this.minValue, this.maxValue));
      return mul(w, div(add(within, mul(1 - this.rate, norms)), add(kEpsilon, norms)));
    });
  }
  override getConfig(): ConfigDict {
    return { minValue: this.minValue, maxValue: this.maxValue, rate: this.rate, axis: this.axis };
  }
}

for (const cls of [MaxNorm, UnitNorm, NonNeg, MinMaxNorm]) registerClass(cls as never);

export const maxNorm = (args: Pick<NormArgs, 'maxValue' | 'axis'>): Constraint => new MaxNorm(args);
export const unitNorm = (args: Pick<NormArgs, 'axis'>): Constraint => new UnitNorm(args);
export const nonNeg = (): Constraint => new NonNeg();
export const minMaxNorm = (config: NormArgs): Constraint => new MinMaxNorm(config);
