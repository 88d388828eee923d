import { Op, writeSlice, writeStridedSlice } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { type TensorOrLike, toInput } from '../../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { integers } from '../../util/integers.js';

/**
 * Returns a slice of a tensor. Throws if it is outside the tensor.
 * @param x Tensor.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension: up to the end by default, and for -1.
 * @example
 * tf.slice([1, 2, 3, 4], [1], [2]); // [2, 3]
 * tf.slice([[1, 2], [3, 4]], [0, 1]); // [[2], [4]]
 */
export function slice<T extends Tensor>(x: TensorOrLike, begin: number | number[], size?: number | number[] | null): T {
  return callWithAttrs(Op.slice, x, writeSlice, {
    begin: integers(typeof begin === 'number' ? [begin] : begin, 'begin'),
    size: toSizes(size),
  });
}

function toSizes(size: number | number[] | null | undefined): number[] {
  if (size === undefined || size === null) return [];
  return typeof size === 'number' ? [size] : size;
}

function sliceOfRank<T extends Tensor, B>(rank: number) {
  return (x: T | TensorLike, begin: B, size: B): T => {
    const input = toInput(x, 'x', `slice${rank}d`, 'string_or_numeric');
    assert(
      input.rank === rank,
      () => `slice${rank}d expects a rank-${rank} tensor, but got a rank-${input.rank} tensor`,
    );
    return slice<T>(input, begin as number | number[], size as number | number[]);
  };
}

/**
 * Returns `size` elements of a vector from `begin`. Throws for another rank.
 * @param x Vector.
 * @param begin Index of the first element.
 * @param size Number of elements; -1 is up to the end.
 * @example
 * tf.slice1d([1, 2, 3, 4], 1, 2); // [2, 3]
 */
export const slice1d = sliceOfRank<Tensor1D, number>(1);

/**
 * Returns a slice of a matrix, `size` elements from `begin` in each dimension. Throws for another rank.
 * @param x Matrix.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension; -1 is up to the end.
 * @example
 * tf.slice2d([[1, 2], [3, 4]], [1, 0], [1, 2]); // [[3, 4]]
 */
export const slice2d = sliceOfRank<Tensor2D, [number, number]>(2);

/**
 * Returns a slice of a tensor of rank 3, `size` elements from `begin` in each dimension. Throws for another rank.
 * @param x Tensor of rank 3.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension; -1 is up to the end.
 * @example
 * tf.slice3d(tf.ones([4, 4, 3]), [0, 0, 1], [2, 2, 1]).shape; // [2, 2, 1]
 */
export const slice3d = sliceOfRank<Tensor3D, [number, number, number]>(3);

/**
 * Returns a slice of a tensor of rank 4, `size` elements from `begin` in each dimension. Throws for another rank.
 * @param x Tensor of rank 4.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension; -1 is up to the end.
 * @example
 * tf.slice4d(tf.ones([8, 4, 4, 3]), [0, 0, 0, 0], [2, 4, 4, 3]).shape; // [2, 4, 4, 3]
 */
export const slice4d = sliceOfRank<Tensor4D, [number, number, number, number]>(4);

/**
 * Returns a strided slice of a tensor. Bit i of a mask applies to entry i of `begin`, `end` and `strides`.
 * @param x Tensor.
 * @param begin First index for each entry.
 * @param end Limit of the index, exclusive, for each entry.
 * @param strides Difference of two indices for each entry: 1 by default.
 * @param beginMask Entries whose `begin` is ignored.
 * @param endMask Entries whose `end` is ignored.
 * @param ellipsisMask Entry that stands for all dimensions that the others do not cover.
 * @param newAxisMask Entries that insert a dimension of 1.
 * @param shrinkAxisMask Entries that select one element and remove the dimension.
 * @example
 * tf.stridedSlice([1, 2, 3, 4, 5], [1], [5], [2]); // [2, 4]
 */
export function stridedSlice(
  x: Tensor | TensorLike,
  begin: number[],
  end: number[],
  strides: number[] = begin.map(() => 1),
  beginMask = 0,
  endMask = 0,
  ellipsisMask = 0,
  newAxisMask = 0,
  shrinkAxisMask = 0,
): Tensor {
  return callWithAttrs(Op.stridedSlice, x, writeStridedSlice, {
    begin: integers(begin, 'begin'),
    end: integers(end, 'end'),
    strides,
    beginMask,
    endMask,
    ellipsisMask,
    newAxisMask,
    shrinkAxisMask,
  });
}
