import { Op, writeAxes, writeAxis, writeToShape } from '../../generated/ops.js';
import { callUnary, callWithAttrs } from '../call.js';
import { toAxes } from '../axes.js';
import type { Rank, ShapeMap, TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import { Tensor } from '../../tensor/tensor.js';
import { integers } from '../../util/integers.js';

/**
 * Returns the elements in another shape, of which one extent may be -1. Throws ShapeError if the number of elements differs.
 * @example
 * tf.reshape([1, 2, 3, 4], [2, -1]); // [[1, 2], [3, 4]]
 * tf.reshape([1, 2, 3], [2, 2]); // throws ShapeError: [reshape] Size(3) must match the product of shape 2,2
 */
export function reshape<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  return callWithAttrs(Op.reshape, x, writeToShape, { shape: integers(shape, 'shape') });
}

/**
 * Inserts a dimension of 1 at `axis`.
 * @example
 * tf.expandDims([1, 2]); // [[1, 2]]
 * tf.expandDims([1, 2], 1).shape; // [2, 1]
 */
export function expandDims<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWithAttrs(Op.expandDims, x, writeAxis, { axis });
}

/**
 * Removes all dimensions of 1, or those of `axis`. Throws if one of the latter is not 1.
 * @example
 * tf.squeeze([[[1], [2]]]); // [1, 2]
 * tf.squeeze(tf.ones([1, 2, 1]), [2]).shape; // [1, 2]
 */
export function squeeze<T extends Tensor>(x: Tensor | TensorLike, axis?: number | readonly number[]): T {
  return callWithAttrs(Op.squeeze, x, writeAxes, { axes: toAxes(axis) });
}

/**
 * Returns a new tensor that shares the data of `x` and is freed independently.
 * @example
 * const x = tf.tensor([1, 2]);
 * const y = tf.clone(x);
 * x.dispose();
 * y; // [1, 2]
 */
export function clone<T extends Tensor>(x: T | TensorLike): T {
  return callUnary(Op.identity, x instanceof Tensor ? x : toInput(x, 'x', 'clone', 'string_or_numeric'));
}
