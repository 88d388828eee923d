import { add, div, mul } from '../../ops/math/binary.js';
import { sum } from '../../ops/math/reduce.js';
import { clipByValue } from '../../ops/math/parametric.js';
import { relu, sqrt, square } from '../../ops/math/unary.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor } from '../../tensor/tensor.js';
import { Serializable, registerClass, type ConfigDict } from '../../util/serialization.js';

const kEpsilon = 1e-7;

/**
 * Base class of constraints, which project a weight after each training step.
 * @example
 * class Halved extends tf.constraints.Constraint {
 *   static className = 'Halved';
 *   getConfig() { return {}; }
 *   apply(w) { return w.mul(0.5); }
 * }
 * new Halved().apply(tf.tensor([2, 4])); // [1, 2]
 */
export abstract class Constraint extends Serializable {
  /** Returns the weight with the constraint applied. */
  abstract apply(w: Tensor): Tensor;
  getConfig(): ConfigDict {
    return {};
  }
}

interface NormArgs {
  /** Minimum norm: 0 by default. */
  minValue?: number;
  /** Maximum norm: 2 for maxNorm(), 1 for minMaxNorm() by default. */
  maxValue?: number;
  /** Fraction of the way to the clipped norm that a step moves: 1 by default. */
  rate?: number;
  /** Axis along which norms are computed: 0 by default. */
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
    return runInInternalScope(() => {
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
    return runInInternalScope(() => div(w, add(kEpsilon, l2Norms(w, this.axis))));
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
    return runInInternalScope(() => {
      const norms = l2Norms(w, this.axis);
      const within = mul(this.rate, clipByValue(norms, this.minValue, this.maxValue));
      return mul(w, div(add(within, mul(1 - this.rate, norms)), add(kEpsilon, norms)));
    });
  }
  override getConfig(): ConfigDict {
    return { minValue: this.minValue, maxValue: this.maxValue, rate: this.rate, axis: this.axis };
  }
}

for (const cls of [MaxNorm, UnitNorm, NonNeg, MinMaxNorm]) registerClass(cls);

/**
 * Returns a constraint that scales the vectors along `axis` (0) down to a length of at most `maxValue` (2).
 * @example
 * const constraint = tf.constraints.maxNorm({ maxValue: 1, axis: 0 });
 * constraint.apply(tf.tensor([3, 4])); // [0.6, 0.8]
 */
export const maxNorm = (args: Pick<NormArgs, 'maxValue' | 'axis'>): Constraint => new MaxNorm(args);
/**
 * Returns a constraint that scales the vectors along `axis` (0) to a length of 1.
 * @example
 * tf.constraints.unitNorm({ axis: 0 }).apply(tf.tensor([3, 4])); // [0.6, 0.8]
 */
export const unitNorm = (args: Pick<NormArgs, 'axis'>): Constraint => new UnitNorm(args);
/**
 * Returns a constraint that replaces negative values with 0.
 * @example
 * tf.constraints.nonNeg().apply(tf.tensor([-1, 2])); // [0, 2]
 */
export const nonNeg = (): Constraint => new NonNeg();
/**
 * Returns a constraint that moves the lengths of the vectors along `axis` (0) by the fraction `rate` (1) towards the range
 * from `minValue` (0) to `maxValue` (1).
 * @example
 * const constraint = tf.constraints.minMaxNorm({ minValue: 1, maxValue: 2, axis: 0 });
 * constraint.apply(tf.tensor([6, 8])); // [1.2, 1.6]
 */
export const minMaxNorm = (config: NormArgs): Constraint => new MinMaxNorm(config);
