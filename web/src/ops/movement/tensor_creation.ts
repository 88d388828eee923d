import type { Tensor } from '../../tensor/tensor.js';
import { createTensor } from '../../tensor/create.js';
import { createFromBuffer, isWebgpuData, type WebGPUData } from '../../tensor/gpu_data.js';
import type { Scalar, Tensor1D } from '../../tensor/tensor.js';
import { TensorBuffer } from '../../tensor/buffer.js';
import type { DataType, DataTypeMap, Rank, ShapeMap, TensorLike, TensorLike1D } from '../../runtime/types.js';
import { assert, assertNonNegativeIntegerDimensions, assertNonNull, isString } from '../../util/checks.js';
import { sizeFromShape } from '../../util/shape.js';
import { checkDepth, describeValues, flattenValues, isTypedArray, type ValueType } from '../../util/values.js';

/**
 * Returns a tensor of values. Throws for ragged arrays, or if the shape has another number of elements.
 * @param values A single value, nested arrays, an array of values with a shape, or `{buffer}` of the backend 'webgpu'.
 * @param shape Shape: that of the nested arrays by default.
 * @param dtype Type of the elements: by default float32 for numbers, bool for booleans and string for strings.
 * @example
 * tf.tensor([[1, 2], [3, 4]]).shape; // [2, 2]
 * tf.tensor([1, 2, 3, 4], [2, 2]); // [[1, 2], [3, 4]]
 * tf.tensor([1, 2, 3], [2, 2]); // throws Error: Based on the provided shape, [2,2], the tensor should have 4 values but has 3
 */
export function tensor<R extends Rank>(
  values: TensorLike | WebGPUData,
  shape?: ShapeMap[R],
  dtype?: DataType,
): Tensor<R> {
  return make(values, shape, dtype) as Tensor<R>;
}

function make(values: TensorLike | WebGPUData, shape?: readonly number[] | null, given?: DataType | null): Tensor {
  return makeOf(values, describeValues(values, given), shape);
}

function makeOf(
  values: TensorLike | WebGPUData,
  { shape: inferred, dtype }: ValueType,
  shape?: readonly number[] | null,
): Tensor {
  const isPrimitive = typeof values === 'number' || typeof values === 'boolean' || isString(values);
  if (inferred.length === 0 && !isPrimitive && !isTypedArray(values)) {
    if (isWebgpuData(values)) return createFromBuffer(values, shape, dtype);
    throw new Error(
      'values passed to tensor(values) must be a number/boolean/string or an array of numbers/booleans/strings, ' +
        'or a TypedArray',
    );
  }
  const flat = flattenValues(values, inferred, dtype);
  if (shape !== undefined && shape !== null) checkShape(shape, inferred);
  return createTensor(flat, shape ?? inferred, dtype);
}

function checkShape(shape: readonly number[], inferred: readonly number[]): void {
  assertNonNegativeIntegerDimensions(shape);
  const size = sizeFromShape(shape);
  const count = sizeFromShape(inferred);
  assert(
    size === count,
    () => `Based on the provided shape, [${shape}], the tensor should have ${size} values but has ${count}`,
  );
  inferred.forEach((extent, i) => {
    const isFlatRest = i === inferred.length - 1 && extent === sizeFromShape(shape.slice(i));
    assert(
      extent === shape[i] || isFlatRest,
      () => `Error creating a new Tensor. Inferred shape (${inferred}) does not match the provided shape (${shape}). `,
    );
  });
}

/**
 * Returns a tensor of rank 0. Throws for arrays.
 * @example
 * tf.scalar(3.5); // 3.5
 * tf.scalar(true).dtype; // 'bool'
 */
export function scalar(value: number | boolean | string | Uint8Array, dtype?: DataType): Scalar {
  if ((isTypedArray(value) && dtype !== 'string') || Array.isArray(value)) {
    throw new Error('Error creating a new Scalar: value must be a primitive (number|boolean|string)');
  }
  return make(value, [], dtype) as Scalar;
}

/**
 * Returns a vector. Throws for nested arrays.
 * @example
 * tf.tensor1d([1, 2, 3], 'int32'); // [1, 2, 3]
 */
export function tensor1d(values: TensorLike1D, dtype?: DataType): Tensor1D {
  assertNonNull(values);
  const type = describeValues(values, dtype);
  checkDepth(type.shape);
  if (type.shape.length !== 1) throw new Error('tensor1d() requires values to be a flat/TypedArray');
  return makeOf(values, type) as Tensor1D;
}

const kRankNames = ['', '', 'two', 'three', 'four', 'five', 'six'];

type Creator<R extends Rank> =
  /**
   * @param values Nested arrays, or an array of values with a shape.
   * @param shape Shape: that of the nested arrays by default.
   * @param dtype Type of the elements: by default float32 for numbers, bool for booleans and string for strings.
   */
  (values: TensorLike, shape?: ShapeMap[R], dtype?: DataType) => Tensor<R>;

function makeRankedCreator<R extends Rank>(rank: number): Creator<R> {
  const name = `tensor${rank}d`;
  const nested = `number${'[]'.repeat(rank)}`;
  return (values, shape, dtype) => {
    assertNonNull(values);
    if (shape && shape.length !== rank) throw new Error(`${name}() requires shape to have ${kRankNames[rank]} numbers`);
    const type = describeValues(values, dtype);
    const given = type.shape.length;
    checkDepth(type.shape);
    if (given !== rank && given !== 1) {
      throw new Error(`${name}() requires values to be ${nested} or flat/TypedArray`);
    }
    if (given === 1 && !shape) {
      const flat = rank === 2 ? 'flat/TypedArray' : 'flat array';
      throw new Error(`${name}() requires shape to be provided when \`values\` are a ${flat}`);
    }
    return makeOf(values, type, shape) as Tensor<R>;
  };
}

/**
 * Returns a matrix of nested arrays, or of flat values and a shape. Throws for another rank.
 * @example
 * tf.tensor2d([[1, 2], [3, 4]]); // [[1, 2], [3, 4]]
 * tf.tensor2d([1, 2, 3, 4], [2, 2]); // [[1, 2], [3, 4]]
 */
export const tensor2d: Creator<Rank.R2> = makeRankedCreator(2);
/**
 * Returns a tensor of rank 3 of nested arrays, or of flat values and a shape. Throws for another rank.
 * @example
 * tf.tensor3d([[[1], [2]], [[3], [4]]]).shape; // [2, 2, 1]
 */
export const tensor3d: Creator<Rank.R3> = makeRankedCreator(3);
/**
 * Returns a tensor of rank 4 of nested arrays, or of flat values and a shape. Throws for another rank.
 * @example
 * tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]).shape; // [1, 2, 2, 1]
 */
export const tensor4d: Creator<Rank.R4> = makeRankedCreator(4);
/**
 * Returns a tensor of rank 5 of nested arrays, or of flat values and a shape. Throws for another rank.
 * @example
 * tf.tensor5d([1, 2, 3, 4], [1, 2, 2, 1, 1]).shape; // [1, 2, 2, 1, 1]
 */
export const tensor5d: Creator<Rank.R5> = makeRankedCreator(5);
/**
 * Returns a tensor of rank 6 of nested arrays, or of flat values and a shape. Throws for another rank.
 * @example
 * tf.tensor6d([1, 2, 3, 4], [1, 2, 2, 1, 1, 1]).shape; // [1, 2, 2, 1, 1, 1]
 */
export const tensor6d: Creator<Rank.R6> = makeRankedCreator(6);

/**
 * Creates a buffer of values in JavaScript's memory, to be written one by one before its toTensor() makes a tensor of them.
 * @param shape Shape of the buffer.
 * @param dtype Type of the elements: float32 by default.
 * @param values Initial values: zeros by default.
 * @example
 * const grid = tf.buffer([2, 2]);
 * grid.set(5, 0, 1);
 * grid.toTensor(); // [[0, 5], [0, 0]]
 */
export function buffer<R extends Rank, D extends DataType = 'float32'>(
  shape: ShapeMap[R],
  dtype?: D | null,
  values?: DataTypeMap[D],
): TensorBuffer<R, D> {
  assertNonNegativeIntegerDimensions(shape);
  return new TensorBuffer<R, D>(shape, dtype ?? ('float32' as D), values);
}

/**
 * Writes a tensor to the console.
 * @example
 * tf.print(tf.tensor([[1, 2], [3, 4]])); // 'Tensor\n    [[1, 2],\n     [3, 4]]'
 */
export function print<T extends Tensor>(x: T, verbose = false): void {
  console.log(x.toString(verbose));
}
