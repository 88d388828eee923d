import { Op, opNames, writeArgReduce, writeReduce } from '../../generated/ops.js';
import { callAll, callWithAttrs } from '../call.js';
import { toAxes } from '../axes.js';
import { isEmptyAxis, reduceNoAxis } from '../empty_axis.js';
import type { TensorLike } from '../../runtime/types.js';
import { type Input, toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';

// Reductions over the given axes, or over all. `keepDims` keeps the reduced dimensions, with an extent of 1.

/** Axis or axes of a reduction; null is all of them. */
export type Axis = number | number[] | null;

type Reduce =
  /**
   * @param x Tensor.
   * @param axis Axis or axes to reduce: all by default. Negative ones count from the last.
   * @param keepDims True to keep the reduced dimensions, with an extent of 1; false by default.
   */
  <T extends Tensor>(x: Tensor | TensorLike, axis?: Axis, keepDims?: boolean) => T;

function reduce(op: Op): Reduce {
  return <T extends Tensor>(x: Tensor | TensorLike, axis?: Axis, keepDims = false) => {
    if (isEmptyAxis(axis))
      return reduceNoAxis<T>(toInput(x, 'x', opNames[op]!, isLogicalReduction(op) ? 'bool' : 'numeric'), (wide) =>
        callWithAttrs(op, wide, writeReduce, { axes: [-1], keepDims: false }),
      );
    return callWithAttrs(op, x, writeReduce, { axes: toAxes(axis), keepDims });
  };
}

function isLogicalReduction(op: Op): boolean {
  return op === Op.any || op === Op.all;
}

/**
 * Computes the sum over the given axes, or over all. The sum of bools is their count, as int32.
 * @example
 * tf.sum([[1, 2], [3, 4]]); // 10
 * tf.sum([[1, 2], [3, 4]], 0); // [4, 6]
 * tf.sum([[1, 2], [3, 4]], 1, true); // [[3], [7]]
 */
export const sum: Reduce = reduce(Op.sum);

/**
 * Computes the product over the given axes, or over all.
 * @example
 * tf.prod([[1, 2], [3, 4]], 1); // [2, 12]
 */
export const prod: Reduce = reduce(Op.prod);

/**
 * Computes the mean over the given axes, or over all, as float32.
 * @example
 * tf.mean([[1, 2], [3, 4]], 0); // [2, 3]
 */
export const mean: Reduce = reduce(Op.mean);

/**
 * Computes the maximum over the given axes, or over all.
 * @example
 * tf.max([[1, 5], [3, 4]], 1); // [5, 4]
 */
export const max: Reduce = reduce(Op.max);

/**
 * Computes the minimum over the given axes, or over all.
 * @example
 * tf.min([[1, 5], [3, 4]], 1); // [1, 3]
 */
export const min: Reduce = reduce(Op.min);

/**
 * Computes the logical OR of a bool tensor over the given axes, or over all. Throws for tensors of other dtypes.
 * @example
 * tf.any([[true, false], [false, false]], 1); // [true, false]
 */
export const any: Reduce = reduce(Op.any);

/**
 * Computes the logical AND of a bool tensor over the given axes, or over all. Throws for tensors of other dtypes.
 * @example
 * tf.all([[true, false], [true, true]], 1); // [false, true]
 */
export const all: Reduce = reduce(Op.all);

/**
 * Returns the index of the maximum along one axis, as int32: the first of equal ones.
 * @example
 * tf.argMax([[1, 5], [3, 4]], 1); // [1, 1]
 */
export function argMax<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWithAttrs(Op.argMax, x, writeArgReduce, { axis });
}

/**
 * Returns the index of the minimum along one axis, as int32: the first of equal ones.
 * @example
 * tf.argMin([[1, 5], [3, 4]], 1); // [0, 0]
 */
export function argMin<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWithAttrs(Op.argMin, x, writeArgReduce, { axis });
}

/**
 * Computes log(sum(exp(x))) over the given axes, or over all, without overflow.
 * @example
 * tf.logSumExp([1000, 1000]); // 1000.6932
 */
export const logSumExp: Reduce = reduce(Op.logSumExp);

/**
 * Computes the mean and variance over axes.
 * @param x Tensor.
 * @param axis Axis or axes: all by default.
 * @param keepDims True to keep the reduced dimensions, with an extent of 1.
 * @example
 * const { mean, variance } = tf.moments([1, 2, 3, 4]); // { mean: 2.5, variance: 1.25 }
 */
export function moments(
  x: Tensor | TensorLike,
  axis: Axis = null,
  keepDims = false,
): {
  /** Mean. */
  mean: Tensor;
  /** Variance: the mean of the squared differences from the mean. */
  variance: Tensor;
} {
  const both = (input: Input, axes: readonly number[], kept: boolean) => {
    const [mean, variance] = callAll(Op.moments, [input], writeReduce, { axes, keepDims: kept });
    return { mean: mean!, variance: variance! };
  };
  const input = toInput(x, 'x', 'moments');
  return isEmptyAxis(axis)
    ? reduceNoAxis(input, (wide) => both(wide, [-1], false))
    : both(input, toAxes(axis), keepDims);
}
