import { call, callWithAttrs } from '../call.js';
import { Op, writeDropout, writeMultinomial, writeRandom } from '../../generated/ops.js';
import { toInput } from '../../tensor/input.js';
import { createTensor } from '../../tensor/create.js';
import type { Tensor, Tensor1D, Tensor2D } from '../../tensor/tensor.js';
import type { DataType, Rank, ShapeMap, TensorLike, TypedArray } from '../../runtime/types.js';
import { assert, assertNonNegativeIntegerDimensions } from '../../util/checks.js';
import { sizeFromShape } from '../../util/shape.js';
import { assertIsArray } from '../../util/shape_arguments.js';
import { getTypedArrayFromDType } from '../../util/values.js';
import { dtypeCode } from '../dtypes.js';

type Seed = number | string;

/**
 * Draws values from the uniform distribution over [minval, maxval).
 * @param shape Shape of the result.
 * @param minval Lower limit, inclusive.
 * @param maxval Upper limit, exclusive.
 * @param dtype Type of the elements.
 * @param seed Seed: the same seed returns the same values, and an integer returns those of TensorFlow.js.
 * @example
 * const x = tf.randomUniform([1000], 2, 3, 'float32', 42);
 * x.min().arraySync() >= 2; // true
 * x.max().arraySync() < 3; // true
 */
export function randomUniform<R extends Rank>(
  shape: ShapeMap[R],
  minval = 0,
  maxval = 1,
  dtype: DataType | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomUniform, shape, minval, maxval, dtype, seed) as Tensor<R>;
}

/**
 * Draws integers from the uniform distribution over [minval, maxval).
 * @param shape Shape of the result.
 * @param minval Lower limit, inclusive.
 * @param maxval Upper limit, exclusive.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * tf.randomUniformInt([3], 0, 6, 42).dtype; // 'int32'
 */
export function randomUniformInt<R extends Rank>(
  shape: ShapeMap[R],
  minval: number,
  maxval: number,
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomUniform, shape, minval, maxval, 'int32', seed) as Tensor<R>;
}

/**
 * Draws values from the normal distribution.
 * @param shape Shape of the result.
 * @param mean Mean of the distribution.
 * @param stdDev Standard deviation.
 * @param dtype Type of the elements. Throws for bool.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * const x = tf.randomNormal([10000], 5, 1, 'float32', 42);
 * Math.round(x.mean().arraySync()); // 5
 */
export function randomNormal<R extends Rank>(
  shape: ShapeMap[R],
  mean = 0,
  stdDev = 1,
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomNormal, shape, mean, stdDev, rejectBool(dtype), seed) as Tensor<R>;
}

/**
 * Draws values from the normal distribution with mean 0 and standard deviation 1.
 * @param shape Shape of the result.
 * @param dtype Type of the elements. Throws for bool.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * const x = tf.randomStandardNormal([10000], 'float32', 42);
 * Math.round(tf.moments(x).variance.arraySync()); // 1
 */
export function randomStandardNormal<R extends Rank>(
  shape: ShapeMap[R],
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return randomNormal(shape, 0, 1, dtype, seed);
}

/**
 * Draws values from the normal distribution, and redraws those more than two standard deviations from the mean.
 * @param shape Shape of the result.
 * @param mean Mean of the distribution.
 * @param stdDev Standard deviation.
 * @param dtype Type of the elements. Throws for bool.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * const x = tf.truncatedNormal([1000], 0, 1, 'float32', 42);
 * x.abs().max().arraySync() <= 2; // true
 */
export function truncatedNormal<R extends Rank>(
  shape: ShapeMap[R],
  mean = 0,
  stdDev = 1,
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.truncatedNormal, shape, mean, stdDev, rejectBool(dtype), seed) as Tensor<R>;
}

/**
 * Draws values from the gamma distribution.
 * @param shape Shape of the result.
 * @param alpha Shape of the distribution.
 * @param beta Rate (inverse scale) of the distribution.
 * @param dtype Type of the elements. Throws for bool.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * const x = tf.randomGamma([1000], 2, 2, 'float32', 42);
 * x.min().arraySync() > 0; // true
 */
export function randomGamma<R extends Rank>(
  shape: ShapeMap[R],
  alpha: number,
  beta: number | null = 1,
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomGamma, shape, alpha, beta ?? 1, rejectBool(dtype), seed) as Tensor<R>;
}

/**
 * Draws indices of outcomes from multinomial distributions.
 * @param logits Unnormalized log-probabilities of the outcomes, one row for each distribution.
 * @param numSamples Number of samples for each distribution.
 * @param seed Seed: the same seed returns the same values.
 * @param normalized True if `logits` are probabilities.
 * @example
 * tf.multinomial([0, -1e9], 3, 42); // [0, 0, 0]
 */
export function multinomial(
  logits: Tensor1D | Tensor2D | TensorLike,
  numSamples: number,
  seed?: Seed,
  normalized = false,
): Tensor1D | Tensor2D {
  const attrs = { samples: numSamples, ...seedWords(seed), normalized };
  return callWithAttrs(Op.multinomial, logits, writeMultinomial, attrs);
}

/**
 * Sets random elements to 0 and divides the others by 1 - rate. Each call draws new numbers.
 * @param x Tensor of float32.
 * @param rate Probability of an element to be set to 0. Throws unless it is in [0, 1).
 * @param noiseShape Shape of the random mask, which broadcasts to that of `x`; null is the extent of `x`.
 * @param seed Seed: the same seed returns the same values.
 * @example
 * const x = tf.dropout(tf.ones([1000]), 0.5, undefined, 42);
 * tf.unique(x).values.arraySync().sort(); // [0, 2]
 */
export function dropout(x: Tensor | TensorLike, rate: number, noiseShape?: (number | null)[], seed?: Seed): Tensor {
  const input = toInput(x, 'x', 'dropout');
  assert(
    input.dtype === 'float32',
    () => `x has to be a floating point tensor since it's going to be scaled, but got a ${input.dtype} tensor instead.`,
  );
  assert(rate >= 0 && rate < 1, () => `rate must be a float in the range [0, 1), but got ${rate}.`);
  if (noiseShape) assertIsArray(noiseShape, 'noiseShape');
  const shape = (noiseShape ?? input.shape).map((extent, i) => extent ?? input.shape[i]!);
  assertNonNegativeIntegerDimensions(shape);
  return callWithAttrs(Op.dropout, input, writeDropout, { rate, noiseShape: shape, ...seedWords(seed) });
}

/**
 * Returns a tensor of the values of a JavaScript function, which is called for each element.
 * @param shape Shape of the result.
 * @param randFunction Function that returns a value.
 * @param type Type of the elements.
 * @example
 * let i = 0;
 * tf.rand([3], () => i++); // [0, 1, 2]
 */
export function rand<R extends Rank>(
  shape: ShapeMap[R],
  randFunction: () => number,
  type: DataType | null = 'float32',
): Tensor<R> {
  assertNonNegativeIntegerDimensions(shape);
  const dtype = type ?? 'float32';
  const extents = [...shape];
  const values = getTypedArrayFromDType(dtype, sizeFromShape(extents)) as TypedArray;
  for (let i = 0; i < values.length; i++) values[i] = randFunction();
  return createTensor(values, extents, dtype);
}

function draw(op: Op, shape: readonly number[], a: number, b: number, dtype: DataType | null, seed?: Seed): Tensor {
  assertNonNegativeIntegerDimensions(shape);
  return call(op, [], writeRandom, { shape, a, b, ...seedWords(seed), dtype: dtypeCode(dtype ?? 'float32') });
}

function rejectBool(dtype: DataType | null): DataType | null {
  if (dtype === 'bool') throw new Error(`Unsupported data type ${dtype}`);
  return dtype;
}

/** Sentinel -2^63 for a seed of 0, as 0 lets the engine choose a seed. */
const kSeedOfZero = { seed: 0, seedHigh: -(2 ** 31) };

/** Converts a seed to the engine's 64-bit one, in two words. A seed that is not a safe integer is hashed. */
function seedWords(seed: Seed | undefined): { seed: number; seedHigh: number } {
  if (seed === undefined || seed === null) return { seed: 0, seedHigh: 0 };
  if (seed === 0) return kSeedOfZero;
  if (Number.isSafeInteger(seed)) {
    const seedHigh = Math.floor(((seed as number) + 2 ** 31) / 2 ** 32);
    return { seed: (seed as number) - seedHigh * 2 ** 32, seedHigh };
  }
  let hash = 0;
  for (const c of String(seed)) hash = (Math.imul(hash, 31) + c.charCodeAt(0)) | 0;
  return { seed: hash === 0 ? 1 : hash, seedHigh: 0 };
}
