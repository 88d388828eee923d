import { Op, writeGather, writeSegments } from '../../generated/ops.js';
import { call } from '../call.js';
import { integer } from '../../util/integers.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor, Tensor1D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Returns the slices of a tensor at indices along an axis.
 * @param x Tensor.
 * @param indices Indices of the slices.
 * @param axis Axis of the slices.
 * @param batchDims Number of leading dimensions that `x` and `indices` share as a batch.
 * @example
 * tf.gather([10, 20, 30], [2, 0]); // [30, 10]
 * tf.gather([[1, 2], [3, 4]], [1], 1); // [[2], [4]]
 */
export function gather<T extends Tensor>(x: T | TensorLike, indices: Tensor | TensorLike, axis = 0, batchDims = 0): T {
  const attrs = { axis, batchDims };
  return call(Op.gather, [x, indices], writeGather, attrs);
}

/**
 * Sums the slices of a tensor by segment.
 * @param x Tensor, whose slices are along its first dimension.
 * @param segmentIds Index of the segment of each slice; one below 0 drops the slice.
 * @param numSegments Number of segments.
 * @example
 * tf.unsortedSegmentSum([1, 2, 3], tf.tensor([0, 1, 0], [3], 'int32'), 2); // [4, 2]
 */
export function unsortedSegmentSum<T extends Tensor>(
  x: T | TensorLike,
  segmentIds: Tensor1D | TensorLike,
  numSegments: number,
): T {
  assert(Number.isInteger(numSegments), () => 'numSegments must be of dtype int');
  const attrs = { segments: integer(numSegments, 'numSegments') };
  return call(Op.unsortedSegmentSum, [x, segmentIds], writeSegments, attrs);
}
