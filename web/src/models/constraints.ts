import { add, div, mul } from '../ops/binary.js';
import { sum } from '../ops/reduce.js';
import { clipByValue } from '../ops/parametric.js';
import { relu, sqrt, square } from '../ops/unary.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { Serializable, registerClass, type ConfigDict } from '../train/serialization.js';

const kEpsilon = 1e-7;

/**
 * What a weight is brought within after each step.
 * @example
 * class Halved extends tf.constraints.Constraint {
 *   static className = 'Halved';
 *   getConfig() { return {}; }
 *   apply(w) { return w.mul(0.5); }
 * }
 * new Halved().apply(tf.tensor([2, 4])); // [1, 2]
 */
export abstract class Constraint extends Serializable {
  /** The weight brought within it. */
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

/**
 * Scales the vectors along `axis` (0) down to a length of at most `maxValue` (2).
 * @example
 * const constraint = tf.constraints.maxNorm({ maxValue: 1, axis: 0 });
 * constraint.apply(tf.tensor([3, 4])); // [0.6, 0.8]
 */
export const maxNorm = (args: Pick<NormArgs, 'maxValue' | 'axis'>): Constraint => new MaxNorm(args);
/**
 * Scales the vectors along `axis` (0) to a length of 1.
 * @example
 * tf.constraints.unitNorm({ axis: 0 }).apply(tf.tensor([3, 4])); // [0.6, 0.8]
 */
export const unitNorm = (args: Pick<NormArgs, 'axis'>): Constraint => new UnitNorm(args);
/**
 * Puts 0 in the place of what is negative.
 * @example
 * tf.constraints.nonNeg().apply(tf.tensor([-1, 2])); // [0, 2]
 */
export const nonNeg = (): Constraint => new NonNeg();
/**
 * Brings the lengths of the vectors along `axis` (0) between `minValue` (0) and `maxValue` (1), by a part `rate` (1)
 * of the way.
 * @example
 * const constraint = tf.constraints.minMaxNorm({ minValue: 1, maxValue: 2, axis: 0 });
 * constraint.apply(tf.tensor([6, 8])); // [1.2, 1.6]
 */
export const minMaxNorm = (config: NormArgs): Constraint => new MinMaxNorm(config);
