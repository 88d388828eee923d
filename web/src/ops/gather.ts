import { Op, writeGather } from '../generated/ops.js';
import { call } from './call.js';
import { integer } from './integers.js';
import type { TensorLike } from '../runtime/types.js';
import type { Tensor } from '../tensor/tensor.js';

/** The slices of x along `axis` that the indices name. The first `batchDims` dimensions of both go together. */
export function gather<T extends Tensor>(
  x: T | TensorLike,
  indices: Tensor | TensorLike,
  axis = 0,
  batchDims = 0,
): T {
  const attrs = { axis: integer(axis, 'axis'), batchDims: integer(batchDims, 'batchDims') };
  return call(Op.gather, [x, indices], writeGather, attrs) as T;
}
