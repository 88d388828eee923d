import { Op, writeToShape } from '../../generated/ops.js';
import { call } from '../call.js';
import type { Rank, ShapeMap, TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assertNonNegativeIntegerDimensions } from '../../util/checks.js';

type TensorOrLike = Tensor | TensorLike;

/**
 * Adds slices to a tensor of zeros.
 * @param indices Coordinates of the slices, in the last dimension.
 * @param updates Slices. Those with the same coordinates are added up.
 * @param shape Shape of the result.
 * @example
 * tf.scatterND(tf.tensor([[1], [3]], [2, 1], 'int32'), [9, 10], [5]); // [0, 9, 0, 10, 0]
 */
export function scatterND<R extends Rank>(indices: TensorOrLike, updates: TensorOrLike, shape: ShapeMap[R]): Tensor<R> {
  assertNonNegativeIntegerDimensions(shape);
  return call(Op.scatterNd, [indices, updates], writeToShape, { shape });
}

/**
 * Returns a copy of a tensor with some slices replaced.
 * @param tensor Tensor.
 * @param indices Coordinates of the slices, in the last dimension.
 * @param updates New slices.
 * @example
 * tf.tensorScatterUpdate([1, 2, 3], tf.tensor([[1]], [1, 1], 'int32'), [9]); // [1, 9, 3]
 */
export function tensorScatterUpdate<R extends Rank>(
  tensor: TensorOrLike,
  indices: TensorOrLike,
  updates: TensorOrLike,
): Tensor<R> {
  return call(Op.tensorScatterUpdate, [tensor, indices, updates]);
}

/**
 * Converts a sparse tensor to a dense one.
 * @param sparseIndices Coordinates of the values, [count, rank], or indices in a vector.
 * @param sparseValues Values, or one for all coordinates.
 * @param outputShape Shape of the result.
 * @param defaultValue Value of the other elements.
 * @example
 * tf.sparseToDense(tf.tensor([0, 2], [2], 'int32'), [5, 7], [4], -1); // [5, -1, 7, -1]
 */
export function sparseToDense<R extends Rank>(
  sparseIndices: TensorOrLike,
  sparseValues: TensorOrLike,
  outputShape: ShapeMap[R],
  defaultValue: TensorOrLike = 0,
): Tensor<R> {
  assertNonNegativeIntegerDimensions(outputShape);
  const values = toInput(sparseValues, 'sparseValues', 'sparseToDense', 'string_or_numeric');
  const fallback = toInput(defaultValue, 'defaultValue', 'sparseToDense', values.dtype);
  return call(Op.sparseToDense, [sparseIndices, values, fallback], writeToShape, { shape: outputShape });
}

/**
 * Returns the slices of x at coordinates, which are in the last dimension of the indices.
 * @example
 * tf.gatherND([[1, 2], [3, 4]], tf.tensor([[1, 0], [0, 1]], [2, 2], 'int32')); // [3, 2]
 */
export function gatherND(x: TensorOrLike, indices: TensorOrLike): Tensor {
  return call(Op.gatherNd, [x, indices]);
}
