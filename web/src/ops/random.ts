import { call, callWith } from './call.js';
import { Op, writeDropout, writeMultinomial, writeRandom } from '../generated/ops.js';
import { inputOf } from '../tensor/input.js';
import { createTensor } from '../tensor/create.js';
import type { Tensor, Tensor1D, Tensor2D } from '../tensor/tensor.js';
import type { DataType, Rank, ShapeMap, TensorLike, TypedArray } from '../runtime/types.js';
import { assert, assertNonNegativeIntegerDimensions } from '../util/checks.js';
import { sizeFromShape } from '../util/shape.js';
import { assertIsArray } from '../util/shape_arguments.js';
import { getTypedArrayFromDType } from '../util/values.js';
import { dtypeCode } from './dtypes.js';

type Seed = number | string;

/**
 * Values spread evenly over [minval, maxval). The same seed gives the same values; an integer, those of TensorFlow.js.
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
 * Integers spread evenly over [minval, maxval).
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
 * Values from the normal distribution. Throws for bool.
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
  return draw(Op.randomNormal, shape, mean, stdDev, notBool(dtype), seed) as Tensor<R>;
}

/**
 * Values from the normal distribution around 0 with standard deviation 1.
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
 * Values from the normal distribution, drawn anew while they are more than two standard deviations off.
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
  return draw(Op.truncatedNormal, shape, mean, stdDev, notBool(dtype), seed) as Tensor<R>;
}

/**
 * Values from the gamma distribution of shape `alpha` and rate `beta`. Throws for bool.
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
  return draw(Op.randomGamma, shape, alpha, beta ?? 1, notBool(dtype), seed) as Tensor<R>;
}

/**
 * Outcomes drawn, by number, for each row of log-odds, or of probabilities if `normalized`.
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
  return callWith(Op.multinomial, logits, writeMultinomial, attrs) as Tensor1D;
}

/**
 * x with a part of its elements, drawn anew each time, as 0, and the others larger by what is lost.
 * @example
 * const x = tf.dropout(tf.ones([1000]), 0.5, undefined, 42);
 * tf.unique(x).values.arraySync().sort(); // [0, 2]
 */
export function dropout(
  x: Tensor | TensorLike,
  rate: number,
  noiseShape?: (number | null)[],
  seed?: Seed,
): Tensor {
  const input = inputOf(x, 'x', 'dropout');
  assert(
    input.dtype === 'float32',
    () =>
      `x has to be a floating point tensor since it's going to be scaled, but got a ${input.dtype} tensor instead.`,
  );
  assert(rate >= 0 && rate < 1, () => `rate must be a float in the range [0, 1), but got ${rate}.`);
  if (noiseShape) assertIsArray(noiseShape, 'noiseShape');
  const shape = (noiseShape ?? input.shape).map((extent, i) => extent ?? input.shape[i]!);
  assertNonNegativeIntegerDimensions(shape);
  return callWith(Op.dropout, input, writeDropout, { rate, noiseShape: shape, ...seedWords(seed) });
}

/**
 * Values that a JavaScript function gives, one call each.
 * @example
 * let i = 0;
 * tf.rand([3], () => i++); // [0, 1, 2]
 */
export function rand<R extends Rank>(shape: ShapeMap[R], randFunction: () => number, type: DataType | null = 'float32'): Tensor<R> {
  assertNonNegativeIntegerDimensions(shape);
  const dtype = type ?? 'float32';
  const extents = [...shape];
  const values = getTypedArrayFromDType(dtype, sizeFromShape(extents)) as TypedArray;
  for (let i = 0; i < values.length; i++) values[i] = randFunction();
  return createTensor(values, extents, dtype) as Tensor<R>;
}

function draw(op: Op, shape: readonly number[], a: number, b: number, dtype: DataType | null, seed?: Seed): Tensor {
  assertNonNegativeIntegerDimensions(shape);
  return call(op, [], writeRandom, { shape, a, b, ...seedWords(seed), dtype: dtypeCode(dtype ?? 'float32') });
}

function notBool(dtype: DataType | null): DataType | null {
  if (dtype === 'bool') throw new Error(`Unsupported data type ${dtype}`);
  return dtype;
}

/** -2^63, which stands for a seed of 0: without one, the engine chooses. */
const kSeedOfZero = { seed: 0, seedHigh: -(2 ** 31) };

/** A seed as the engine has it, of 64 bits in two words; of other than integers, a hash. */
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
