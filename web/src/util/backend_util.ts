// tf.backend_util: the functions that custom kernels use.
import { assert } from './checks.js';
import { decodeString, encodeString, nearestDivisor } from './numbers.js';

export * from './broadcast.js';
export { upcastType } from './dtypes.js';
export * as slice_util from './slice_util.js';

/** Largest number of elements that TensorFlow.js's kernels reduce in one step; more take two. */
export const PARALLELIZE_THRESHOLD = 30;
/** Slope of selu() at 0 from below: scale times alpha. */
export const SELU_SCALEALPHA = 1.7580993408473768599402175208123;
/** Slope of selu() above 0. */
export const SELU_SCALE = 1.0507009873554804934193349852946;
/** Constant p of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_P = 0.3275911;
/** Coefficient a1 of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_A1 = 0.254829592;
/** Coefficient a2 of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_A2 = -0.284496736;
/** Coefficient a3 of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_A3 = 1.421413741;
/** Coefficient a4 of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_A4 = -1.453152027;
/** Coefficient a5 of formula 7.1.26 for erf(x) in Abramowitz and Stegun (1964). */
export const ERF_A5 = 1.061405429;

/**
 * True if `axes` are the last ones of `rank` dimensions, in ascending order.
 * @example
 * tf.backend_util.axesAreInnerMostDims([1, 2], 3); // true
 */
export function axesAreInnerMostDims(axes: number[], rank: number): boolean {
  return axes.every((_, i) => axes[axes.length - i - 1] === rank - 1 - i);
}

/**
 * Throws unless `axes` are the last ones of `rank` dimensions, in ascending order. `msg` begins the message.
 * @param msg Start of the message.
 * @param axes Axes.
 * @param rank Number of dimensions.
 * @example
 * tf.backend_util.assertAxesAreInnerMostDims('sum', [0], 2); // throws Error: sum supports only inner-most axes for now. Got axes 0 and rank-2 input.
 */
export function assertAxesAreInnerMostDims(msg: string, axes: number[], rank: number): void {
  assert(
    axesAreInnerMostDims(axes, rank),
    () => `${msg} supports only inner-most axes for now. Got axes ${axes} and rank-${rank} input.`,
  );
}

/**
 * Returns the coordinates of an element, from those along the dimensions that a reduction over `axes` keeps
 * (`outputLoc`) and those along the dimensions that it reduces (`reduceLoc`).
 * @param outputLoc Coordinates along the dimensions that are kept.
 * @param reduceLoc Coordinates along the dimensions that are reduced.
 * @param axes Axes of the reduction.
 * @example
 * tf.backend_util.combineLocations([5], [7], [0]); // [7, 5]
 */
export function combineLocations(outputLoc: number[], reduceLoc: number[], axes: number[]): number[] {
  let kept = 0;
  let reduced = 0;
  return Array.from({ length: outputLoc.length + reduceLoc.length }, (_, dim) =>
    axes.includes(dim) ? reduceLoc[reduced++]! : outputLoc[kept++]!,
  );
}

/**
 * Returns the extents that a reduction over `axes` keeps, and those that it reduces.
 * @example
 * tf.backend_util.computeOutAndReduceShapes([2, 3, 4], [1]); // [[2, 4], [3]]
 */
export function computeOutAndReduceShapes(aShape: number[], axes: number[]): [number[], number[]] {
  return [aShape.filter((_, dim) => !axes.includes(dim)), axes.map((dim) => aShape[dim]!)];
}

/**
 * Returns a reduced shape with an extent of 1 inserted at each reduced axis.
 * @example
 * tf.backend_util.expandShapeToKeepDim([2, 4], [1]); // [2, 1, 4]
 */
export function expandShapeToKeepDim(shape: number[], axes: number[]): number[] {
  return combineLocations(
    shape,
    axes.map(() => 1),
    axes,
  );
}

/**
 * Returns the permutation that moves the reduced axes to the end, or null if they are there already.
 * @example
 * tf.backend_util.getAxesPermutation([0], 3); // [1, 2, 0]
 */
export function getAxesPermutation(axes: number[], rank: number): number[] | null {
  if (axesAreInnerMostDims(axes, rank)) return null;
  const all = Array.from({ length: rank }, (_, dim) => dim);
  return [...all.filter((dim) => !axes.includes(dim)), ...axes];
}

/**
 * Returns the inverse of a permutation.
 * @example
 * tf.backend_util.getUndoAxesPermutation([1, 2, 0]); // [2, 0, 1]
 */
export function getUndoAxesPermutation(axes: number[]): number[] {
  return axes
    .map((axis, i) => [i, axis] as const)
    .sort((a, b) => a[1] - b[1])
    .map(([i]) => i);
}

/**
 * Returns the last `numAxes` axes of `rank` dimensions.
 * @example
 * tf.backend_util.getInnerMostAxes(2, 4); // [2, 3]
 */
export function getInnerMostAxes(numAxes: number, rank: number): number[] {
  return Array.from({ length: numAxes }, (_, i) => rank - numAxes + i);
}

/**
 * Throws unless the shapes have the same rank and are equal in all dimensions but `axis`.
 * @example
 * tf.backend_util.assertParamsConsistent([[2, 3], [2, 4]], 0); // throws Error: Error in concat2D: Shape of tensors[1] (2,4) does not match the shape of the rest (2,3) along the non-concatenated axis 1.
 */
export function assertParamsConsistent(shapes: number[][], axis: number): void {
  const first = shapes[0]!;
  const rank = first.length;
  const words = `Error in concat${rank}D: `;
  shapes.forEach((shape, i) => {
    assert(
      shape.length === rank,
      () => `${words}rank of tensors[${i}] must be the same as the rank of the rest (${rank})`,
    );
  });
  assert(axis >= 0 && axis < rank, () => `${words}axis must be between 0 and ${rank - 1}.`);
  shapes.forEach((shape, i) => {
    assert(
      shape.every((extent, dim) => dim === axis || extent === first[dim]),
      () =>
        `${words}Shape of tensors[${i}] (${shape}) does not match the shape of the rest (${first}) ` +
        `along the non-concatenated axis ${i}.`,
    );
  });
}

/**
 * Returns the shape of the concatenation of tensors of `shapes` along `axis`.
 * @example
 * tf.backend_util.computeOutShape([[2, 3], [2, 4]], 1); // [2, 7]
 */
export function computeOutShape(shapes: number[][], axis: number): number[] {
  return shapes[0]!.map((extent, dim) =>
    dim === axis ? shapes.reduce((sum, shape) => sum + shape[axis]!, 0) : extent,
  );
}

/**
 * Returns how many elements TensorFlow.js's kernels reduce at a time.
 * @example
 * tf.backend_util.computeOptimalWindowSize(100); // 10
 */
export function computeOptimalWindowSize(inSize: number): number {
  return inSize <= PARALLELIZE_THRESHOLD ? inSize : nearestDivisor(inSize, Math.floor(Math.sqrt(inSize)));
}

/**
 * Returns the centre of an image in pixels, [x, y], for a `center` given as fractions of its width and height.
 * @param center Center as a fraction of width and height, [x, y] or one for both.
 * @param imageHeight Height in pixels.
 * @param imageWidth Width in pixels.
 * @example
 * tf.backend_util.getImageCenter(0.5, 10, 20); // [10, 5]
 */
export function getImageCenter(
  center: number | [number, number],
  imageHeight: number,
  imageWidth: number,
): [number, number] {
  const [x, y] = typeof center === 'number' ? [center, center] : center;
  return [imageWidth * x, imageHeight * y];
}

/**
 * Interleaves real and imaginary parts into complex numbers. Throws if there are not as many of each.
 * @example
 * tf.backend_util.mergeRealAndImagArrays(new Float32Array([1, 2]), new Float32Array([3, 4])); // [1, 3, 2, 4]
 */
export function mergeRealAndImagArrays(real: Float32Array, imag: Float32Array): Float32Array {
  if (real.length !== imag.length) {
    throw new Error(
      `Cannot merge real and imag arrays of different lengths. real:${real.length}, imag: ${imag.length}.`,
    );
  }
  return Float32Array.from({ length: 2 * real.length }, (_, i) => (i % 2 === 0 ? real : imag)[i >> 1]!);
}

/**
 * Splits interleaved complex numbers into their real and imaginary parts.
 * @example
 * tf.backend_util.splitRealAndImagArrays(new Float32Array([1, 3, 2, 4])); // { real: [1, 2], imag: [3, 4] }
 */
export function splitRealAndImagArrays(complex: Float32Array): {
  /** Real parts. */
  real: Float32Array;
  /** Imaginary parts. */
  imag: Float32Array;
} {
  const part = (k: number) => Float32Array.from({ length: complex.length / 2 }, (_, i) => complex[2 * i + k]!);
  return { real: part(0), imag: part(1) };
}

/**
 * Returns the parts of the complex number at `index` of an interleaved array.
 * @example
 * tf.backend_util.getComplexWithIndex(new Float32Array([1, 3, 2, 4]), 1); // { real: 2, imag: 4 }
 */
export function getComplexWithIndex(
  complex: Float32Array,
  index: number,
): {
  /** Real part. */
  real: number;
  /** Imaginary part. */
  imag: number;
} {
  return { real: complex[2 * index]!, imag: complex[2 * index + 1]! };
}

/**
 * Writes the complex number at `index` of an interleaved array.
 * @param data Interleaved complex numbers.
 * @param real Real part.
 * @param imag Imaginary part.
 * @param index Index of the complex number.
 * @example
 * const numbers = new Float32Array(4);
 * tf.backend_util.assignToTypedArray(numbers, 5, 6, 1);
 * numbers; // [0, 0, 5, 6]
 */
export function assignToTypedArray(data: Float32Array, real: number, imag: number, index: number): void {
  data[2 * index] = real;
  data[2 * index + 1] = imag;
}

/**
 * Decodes the UTF-8 bytes of strings. Throws if the platform cannot decode them.
 * @example
 * tf.backend_util.fromUint8ToStringArray([new Uint8Array([104, 105])]); // ['hi']
 */
export function fromUint8ToStringArray(vals: Uint8Array[]): string[] {
  try {
    return vals.map((bytes) => decodeString(bytes));
  } catch (error) {
    throw new Error(`Failed to decode encoded string bytes into utf-8, error: ${error as string}`, { cause: error });
  }
}

/**
 * Encodes strings as UTF-8.
 * @example
 * tf.backend_util.fromStringArrayToUint8(['hi']); // [[104, 105]]
 */
export function fromStringArrayToUint8(strings: string[]): Uint8Array[] {
  return strings.map((text) => encodeString(text));
}

/**
 * Writes to the console. Unlike in TensorFlow.js, the flags IS_TEST and PROD do not silence it.
 * @example
 * tf.backend_util.log('hello', 1); // 'hello 1'
 */
export function log(...msg: unknown[]): void {
  console.log(...msg);
}

/**
 * Warns on the console. Unlike in TensorFlow.js, the flags IS_TEST and PROD do not silence it.
 * @example
 * tf.backend_util.warn('slow'); // 'slow'
 */
export function warn(...msg: unknown[]): void {
  console.warn(...msg);
}
