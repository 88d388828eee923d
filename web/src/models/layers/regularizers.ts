import { abs, square } from '../../ops/math/unary.js';
import { add, mul } from '../../ops/math/binary.js';
import { sum } from '../../ops/math/reduce.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Scalar, Tensor } from '../../tensor/tensor.js';
import { scalar } from '../../ops/movement/tensor_creation.js';
import { Serializable, registerClass, type ConfigDict } from '../../util/serialization.js';

/**
 * Base class of regularizers, which compute the term that a weight adds to a loss.
 * @example
 * class Slope extends tf.regularizers.Regularizer {
 *   static className = 'Slope';
 *   getConfig() { return {}; }
 *   apply(w) { return w.abs().max(); }
 * }
 * new Slope().apply(tf.tensor([1, -3])); // 3
 */
export abstract class Regularizer extends Serializable {
  /** Returns the term that a weight adds to the loss, a scalar. */
  abstract apply(x: Tensor): Scalar;
}

/** Arguments of regularizers.l1l2(). */
export interface L1L2Args {
  /** Factor of the sum of absolute values: 0.01 by default. */
  l1?: number | null;
  /** Factor of the sum of squares: 0.01 by default. */
  l2?: number | null;
}

class L1L2 extends Regularizer {
  static readonly className = 'L1L2';
  readonly l1: number;
  readonly l2: number;

  constructor(args?: L1L2Args | null) {
    super();
    assertObject(args);
    this.l1 = args?.l1 ?? 0.01;
    this.l2 = args?.l2 ?? 0.01;
  }
  /** Returns l1 sum |x| + l2 sum x^2. */
  apply(x: Tensor): Scalar {
    return runInInternalScope(() => {
      let total: Tensor = scalar(0);
      if (this.l1 !== 0) total = add(total, mul(this.l1, sum(abs(x))));
      if (this.l2 !== 0) total = add(total, mul(this.l2, sum(square(x))));
      return total as Scalar;
    });
  }
  getConfig(): ConfigDict {
    return { l1: this.l1, l2: this.l2 };
  }
}
registerClass(L1L2, 'Custom', 'L1L2');

function assertObject(args: unknown): void {
  if (args !== null && args !== undefined && typeof args !== 'object') {
    throw new Error(
      `Argument to L1L2 regularizer's constructor is expected to be an object, but received: ${typeof args}`,
    );
  }
}

/**
 * Returns a regularizer that adds l1 (0.01) times the sum of a weight's absolute values, and l2 (0.01) times the sum of its
 * squares, to the loss.
 * @example
 * tf.regularizers.l1l2({ l1: 0.1, l2: 0.1 }).apply(tf.tensor([1, -2])); // 0.8
 */
export const l1l2 = (config?: L1L2Args): Regularizer => new L1L2(config);
/**
 * Returns a regularizer that adds l1 (0.01) times the sum of a weight's absolute values to the loss.
 * @example
 * tf.regularizers.l1({ l1: 0.1 }).apply(tf.tensor([1, -2])); // 0.3
 */
export function l1(config?: {
  /** Factor of the sum of absolute values: 0.01 by default. */
  l1: number;
}): Regularizer {
  assertObject(config);
  return new L1L2({ l1: config?.l1 ?? null, l2: 0 });
}
/**
 * Returns a regularizer that adds l2 (0.01) times the sum of a weight's squares to the loss.
 * @example
 * tf.regularizers.l2({ l2: 0.1 }).apply(tf.tensor([1, -2])); // 0.5
 */
export function l2(config?: {
  /** Factor of the sum of squares: 0.01 by default. */
  l2: number;
}): Regularizer {
  assertObject(config);
  return new L1L2({ l2: config?.l2 ?? null, l1: 0 });
}
