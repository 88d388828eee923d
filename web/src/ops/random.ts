import { call } from './call.js';
import { Op, writeRandom } from '../generated/ops.js';
import { createTensor } from '../tensor/create.js';
import type { Tensor } from '../tensor/tensor.js';
import type { DataType, Rank, ShapeMap, TypedArray } from '../runtime/types.js';
import { assertNonNegativeIntegerDimensions } from '../util/checks.js';
import { sizeFromShape } from '../util/shape.js';
import { getTypedArrayFromDType } from '../util/values.js';
import { dtypeCode } from './dtypes.js';

type Seed = number | string;

/** Values spread evenly over [minval, maxval). The same seed gives the same values. */
export function randomUniform<R extends Rank>(
  shape: ShapeMap[R],
  minval = 0,
  maxval = 1,
  dtype: DataType | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomUniform, shape, minval, maxval, dtype, seed) as Tensor<R>;
}

/** Integers spread evenly over [minval, maxval). */
export function randomUniformInt<R extends Rank>(
  shape: ShapeMap[R],
  minval: number,
  maxval: number,
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomUniform, shape, minval, maxval, 'int32', seed) as Tensor<R>;
}

/** Values from the normal distribution. Throws for bool. */
export function randomNormal<R extends Rank>(
  shape: ShapeMap[R],
  mean = 0,
  stdDev = 1,
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.randomNormal, shape, mean, stdDev, notBool(dtype), seed) as Tensor<R>;
}

/** Values from the normal distribution around 0 with standard deviation 1. */
export function randomStandardNormal<R extends Rank>(
  shape: ShapeMap[R],
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return randomNormal(shape, 0, 1, dtype, seed);
}

/** Values from the normal distribution, drawn anew while they are more than two standard deviations off. */
export function truncatedNormal<R extends Rank>(
  shape: ShapeMap[R],
  mean = 0,
  stdDev = 1,
  dtype: 'float32' | 'int32' | null = 'float32',
  seed?: Seed,
): Tensor<R> {
  return draw(Op.truncatedNormal, shape, mean, stdDev, notBool(dtype), seed) as Tensor<R>;
}

/** Values that a JavaScript function gives, one call each. */
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
  return call(op, [], writeRandom, { shape, a, b, seed: seedNumber(seed), dtype: dtypeCode(dtype ?? 'float32') });
}

function notBool(dtype: DataType | null): DataType | null {
  if (dtype === 'bool') throw new Error(`Unsupported data type ${dtype}`);
  return dtype;
}

/** A seed as an integer other than 0, which would let the engine choose. */
function seedNumber(seed: Seed | undefined): number {
  if (seed === undefined || seed === null) return 1 + Math.floor(Math.random() * 0x7fffffff);
  let hash = 0;
  for (const c of String(seed)) hash = (Math.imul(hash, 31) + c.charCodeAt(0)) | 0;
  return hash === 0 ? 1 : hash;
}
