import { Op, writeToShape } from '../generated/ops.js';
import { call } from './call.js';
import type { Rank, ShapeMap, TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { assertNonNegativeIntegerDimensions } from '../util/checks.js';

type Given = Tensor | TensorLike;

/** Zeros of a shape, to which updates are added where the last dimension of the indices says. */
export function scatterND<R extends Rank>(indices: Given, updates: Given, shape: ShapeMap[R]): Tensor<R> {
  assertNonNegativeIntegerDimensions(shape);
  return call(Op.scatterNd, [indices, updates], writeToShape, { shape }) as Tensor<R>;
}

/** A tensor in which slices are replaced where the last dimension of the indices says. */
export function tensorScatterUpdate<R extends Rank>(tensor: Given, indices: Given, updates: Given): Tensor<R> {
  return call(Op.tensorScatterUpdate, [tensor, indices, updates]) as Tensor<R>;
}

/** A tensor of one value, but for those that stand at the places given. */
export function sparseToDense<R extends Rank>(
  sparseIndices: Given,
  sparseValues: Given,
  outputShape: ShapeMap[R],
  defaultValue: Given = 0,
): Tensor<R> {
  assertNonNegativeIntegerDimensions(outputShape);
  const values = inputOf(sparseValues, 'sparseValues', 'sparseToDense', 'string_or_numeric');
  const fallback = inputOf(defaultValue, 'defaultValue', 'sparseToDense', values.dtype);
  return call(Op.sparseToDense, [sparseIndices, values, fallback], writeToShape, { shape: outputShape }) as Tensor<R>;
}

/** The slices that the last dimension of the indices names. */
export function gatherND(x: Given, indices: Given): Tensor {
  return call(Op.gatherNd, [x, indices]);
}
