// tf.slice_util: begin, end and strides of slices.
import { assert } from './checks.js';
import { clamp } from './numbers.js';

/** Tensor, or another object with a shape. */
interface Shaped {
  /** Shape. */
  shape: number[];
}

/**
 * Throws unless `begin` and `size` have one entry per dimension of `input`, and the slice ends within it.
 * @param input Sliced tensor, or its shape.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension.
 * @example
 * tf.slice_util.assertParamsValid({ shape: [2, 2] }, [0, 1], [2, 2]); // throws Error: Error in slice2D: begin[1] + size[1] (3) would overflow input.shape[1] (2)
 */
export function assertParamsValid(input: Shaped, begin: number[], size: number[]): void {
  const { length: rank } = input.shape;
  const words = `Error in slice${rank}D: `;
  assert(rank === begin.length, () => `${words}Length of begin ${begin} must match the rank of the array (${rank}).`);
  assert(rank === size.length, () => `${words}Length of size ${size} must match the rank of the array (${rank}).`);
  input.shape.forEach((extent, i) => {
    const end = begin[i]! + size[i]!;
    assert(
      end <= extent,
      () => `${words}begin[${i}] + size[${i}] (${end}) would overflow input.shape[${i}] (${extent})`,
    );
  });
}

/**
 * Returns the axes whose bits are set in `mask`.
 * @example
 * tf.slice_util.maskToAxes(0b101); // [0, 2]
 */
export function maskToAxes(mask: number): number[] {
  const axes: number[] = [];
  for (let axis = 0; mask > 0; axis++, mask = Math.trunc(mask / 2)) if (mask & 1) axes.push(axis);
  return axes;
}

/**
 * Returns the shape of a strided slice from `begin` to `end`.
 * @param begin First index in each dimension.
 * @param end Limit of the index, exclusive, in each dimension.
 * @param strides Difference of two indices in each dimension.
 * @example
 * tf.slice_util.computeOutShape([1], [6], [2]); // [3]
 */
export function computeOutShape(begin: number[], end: number[], strides: number[]): number[] {
  return begin.map((from, i) => Math.ceil((end[i]! - from) / strides[i]!));
}

/**
 * Returns the index at which a strided slice begins along `axis`, counted from 0 and clamped to the tensor.
 * @param beginMask Bit i is set to ignore `startIndices` of axis i, and begin at its first element, or its last for a
 *   negative stride.
 * @param startIndices Begin of each axis; negative values count from its end.
 * @param strides Stride of each axis.
 * @param inputShape Shape of the sliced tensor.
 * @param axis The axis.
 * @param ellipsisMask Bit i is set if an ellipsis stands for axis i, which is then taken whole.
 * @example
 * tf.slice_util.startForAxis(0, [-2], [1], [5], 0, 0); // 3
 */
export function startForAxis(
  beginMask: number,
  startIndices: number[],
  strides: number[],
  inputShape: number[],
  axis: number,
  ellipsisMask: number,
): number {
  const extent = inputShape[axis]!;
  const isOpen = ((beginMask | ellipsisMask) >> axis) & 1;
  const given = isOpen ? undefined : startIndices[axis];
  const start = given ?? ((strides[axis] || 1) > 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER);
  return clamp(0, start < 0 ? start + extent : start, extent - 1);
}

/**
 * Returns the index at which a strided slice ends along `axis`, exclusive and clamped to the tensor; -1 is before its
 * first element, for negative strides.
 * @param endMask Bit i is set to ignore `stopIndices` of axis i, and end behind its last element, or before its first
 *   for a negative stride.
 * @param stopIndices End of each axis, exclusive; negative values count from its end.
 * @param strides Stride of each axis.
 * @param inputShape Shape of the sliced tensor.
 * @param axis The axis.
 * @param ellipsisMask Bit i is set if an ellipsis stands for axis i, which is then taken whole.
 * @example
 * tf.slice_util.stopForAxis(0, [-1], [1], [5], 0, 0); // 4
 */
export function stopForAxis(
  endMask: number,
  stopIndices: number[],
  strides: number[],
  inputShape: number[],
  axis: number,
  ellipsisMask: number,
): number {
  const extent = inputShape[axis]!;
  const forward = (strides[axis] || 1) > 0;
  const isOpen = ((endMask | ellipsisMask) >> axis) & 1;
  const given = isOpen ? undefined : stopIndices[axis];
  const stop = given ?? (forward ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
  const counted = stop < 0 ? stop + extent : stop;
  return forward ? clamp(0, counted, extent) : clamp(-1, counted, extent - 1);
}

/**
 * Returns the stride of a slice along `axis`; 1 if an ellipsis stands for it.
 * @param strides Stride of each axis.
 * @param axis The axis.
 * @param ellipsisMask Bit i is set if an ellipsis stands for axis i, which is then taken whole.
 * @example
 * tf.slice_util.stridesForAxis([2, 3], 1, 0); // 3
 */
export function stridesForAxis(strides: number[], axis: number, ellipsisMask: number): number {
  return (ellipsisMask >> axis) & 1 ? 1 : (strides[axis] ?? 1);
}

/**
 * True if the elements of a slice are contiguous in memory.
 * @param shape Shape of the sliced tensor.
 * @param begin First index in each dimension.
 * @param size Number of elements in each dimension.
 * @example
 * tf.slice_util.isSliceContinous([4, 3], [1, 0], [2, 3]); // true
 */
export function isSliceContinous(shape: number[], begin: number[], size: number[]): boolean {
  const first = size.findIndex((extent) => extent > 1);
  return first === -1 || size.every((extent, i) => i <= first || (begin[i]! <= 0 && extent === shape[i]));
}

/**
 * Returns the flat index of the first element of a slice, with the strides of computeStrides().
 * @example
 * tf.slice_util.computeFlatOffset([1, 2], [3]); // 5
 */
export function computeFlatOffset(begin: number[], strides: number[]): number {
  const last = begin.length > 0 ? begin[begin.length - 1]! : 1;
  return begin.slice(0, -1).reduce((offset, at, i) => offset + at * strides[i]!, last);
}

/**
 * Returns the begin and the size of a slice in every dimension. A missing begin is 0; a missing size, or -1, reaches to
 * the end. Throws for a begin of -1 and for other negative sizes.
 * @param x Sliced tensor, or its shape.
 * @param begin First index in each dimension, or in the first one.
 * @param size Number of elements in each dimension, or in the first one: up to the end by default, and for -1.
 * @example
 * tf.slice_util.parseSliceParams({ shape: [4, 3] }, 1, -1); // [[1, 0], [3, 3]]
 */
export function parseSliceParams(x: Shaped, begin: number | number[], size?: number | number[]): [number[], number[]] {
  const filled = (given: number | number[] | undefined, rest: number) => {
    const list = given === undefined || given === null ? [] : typeof given === 'number' ? [given] : given;
    return [...list, ...new Array<number>(Math.max(x.shape.length - list.length, 0)).fill(rest)];
  };
  const from = filled(begin, 0);
  for (const at of from) assert(at !== -1, () => 'slice() does not support negative begin indexing.');
  const sizes = filled(size, -1).map((extent, i) => {
    if (extent >= 0) return extent;
    const words = `Negative size values should be exactly -1 but got ${extent} for the slice() size at index ${i}.`;
    assert(extent === -1, () => words);
    return x.shape[i]! - from[i]!;
  });
  return [from, sizes];
}
