import { assert, isInt } from './checks.js';

/**
 * Returns the number of elements of a tensor of `shape`.
 * @example
 * tf.util.sizeFromShape([2, 3, 4]); // 24
 */
export function sizeFromShape(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

/**
 * True if `shape` is that of a scalar.
 * @example
 * tf.util.isScalarShape([]); // true
 */
export function isScalarShape(shape: readonly number[]): boolean {
  return shape.length === 0;
}

/**
 * Returns the row-major strides, in elements, of all dimensions but the last, whose stride is 1.
 * @example
 * tf.util.computeStrides([2, 3, 4]); // [12, 4]
 */
export function computeStrides(shape: readonly number[]): number[] {
  const strides: number[] = [];
  let step = 1;
  for (let i = shape.length - 1; i > 0; i--) {
    step *= shape[i]!;
    strides.unshift(step);
  }
  return strides;
}

/**
 * Returns the shape with its only -1 replaced by the extent that a total of `size` elements implies. Throws if there
 * are several, or if no extent fits.
 * @example
 * tf.util.inferFromImplicitShape([2, -1], 6); // [2, 3]
 */
export function inferFromImplicitShape(shape: readonly number[], size: number): number[] {
  let product = 1;
  let implicit = -1;
  shape.forEach((extent, i) => {
    if (extent >= 0) {
      product *= extent;
    } else if (extent === -1) {
      assert(implicit === -1, () => `Shapes can only have 1 implicit size. Found -1 at dim ${implicit} and dim ${i}`);
      implicit = i;
    } else {
      throw new Error(`Shapes can not be < 0. Found ${extent} at dim ${i}`);
    }
  });
  if (implicit === -1) {
    assert(size <= 0 || size === product, () => `Size(${size}) must match the product of shape ${shape}`);
    return [...shape];
  }
  assert(product !== 0, () => `Cannot infer the missing size in [${shape}] when there are 0 elements`);
  assert(size % product === 0, () => `The implicit shape can't be a fractional number. Got ${size} / ${product}`);
  return shape.map((extent, i) => (i === implicit ? size / product : extent));
}

function isList(value: readonly number[]): boolean {
  return Array.isArray(value);
}

/**
 * Returns axes as numbers from 0; all axes for null and undefined. Throws if one is out of range or no integer.
 * @example
 * tf.util.parseAxisParam(-1, [2, 3]); // [1]
 */
export function parseAxisParam(
  axis: number | readonly number[] | null | undefined,
  shape: readonly number[],
): number[] {
  const rank = shape.length;
  const axes = axis === null || axis === undefined ? shape.map((_, i) => i) : typeof axis === 'number' ? [axis] : axis;
  assert(isList(axes), () => `All values in axis param must be integers but got axis ${String(axis)}`);
  assert(
    axes.every((one) => one >= -rank && one < rank),
    () => `All values in axis param must be in range [-${rank}, ${rank}) but got axis ${String(axis)}`,
  );
  assert(axes.every(isInt), () => `All values in axis param must be integers but got axis ${String(axis)}`);
  return axes.map((one) => (one < 0 ? rank + one : one));
}

/**
 * Returns the shape without its extents of 1, or without those at `axis`, and the dimensions that were kept. Throws if
 * an extent at `axis` is not 1.
 * @example
 * tf.util.squeezeShape([1, 2, 1, 3]); // { newShape: [2, 3], keptDims: [1, 3] }
 */
export function squeezeShape(
  shape: readonly number[],
  axis?: number | readonly number[],
): {
  /** Shape without the extents. */
  newShape: number[];
  /** Dimensions that were kept. */
  keptDims: number[];
} {
  const isAll = axis === undefined || axis === null || (typeof axis !== 'number' && axis.length === 0);
  const named = !isAll ? parseAxisParam(axis, shape) : null;
  const keptDims = shape.flatMap((extent, i) => {
    if (!named) return extent === 1 ? [] : [i];
    if (!named.includes(i)) return [i];
    assert(extent === 1, () => `Can't squeeze axis ${i} since its dim '${extent}' is not 1`);
    return [];
  });
  return { newShape: keptDims.map((i) => shape[i]!), keptDims };
}

/**
 * Returns the flat index of the element at the coordinates `locs`, with the strides of computeStrides().
 * @param locs Coordinates of the element.
 * @param rank Number of dimensions.
 * @param strides Strides of all dimensions but the last.
 * @example
 * tf.util.locToIndex([1, 2], 2, [3]); // 5
 */
export function locToIndex(locs: readonly number[], rank: number, strides: readonly number[]): number {
  if (rank === 0) return 0;
  let index = locs[rank - 1]!;
  for (let i = 0; i < rank - 1; i++) index += strides[i]! * locs[i]!;
  return index;
}

/**
 * Returns the coordinates of the element at the flat index `index`, with the strides of computeStrides().
 * @param index Flat index of the element.
 * @param rank Number of dimensions.
 * @param strides Strides of all dimensions but the last.
 * @example
 * tf.util.indexToLoc(5, 2, [3]); // [1, 2]
 */
export function indexToLoc(index: number, rank: number, strides: readonly number[]): number[] {
  if (rank === 0) return [];
  const locs = strides.slice(0, rank - 1).map((stride) => {
    const loc = Math.floor(index / stride);
    index -= loc * stride;
    return loc;
  });
  return [...locs, index];
}
