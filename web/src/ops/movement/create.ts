import { Op, writeEye, writeFill, writeFillLike, writeLinspace, writeOneHot, writeRange } from '../../generated/ops.js';
import { call, callWithAttrs } from '../call.js';
import { dtypeCode } from '../dtypes.js';
import { tile } from './tile.js';
import { reshape } from './reshape.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { DataType, Rank, ShapeMap, TensorLike } from '../../runtime/types.js';
import { createTensor } from '../../tensor/create.js';
import { toInput } from '../../tensor/input.js';
import { Tensor, type Tensor1D, type Tensor2D } from '../../tensor/tensor.js';
import { assert, assertNonNegativeIntegerDimensions, isNumber } from '../../util/checks.js';
import { integer, truncateToInt32 } from '../../util/integers.js';
import { inferDtype } from '../../util/values.js';

/**
 * Returns a tensor with all elements equal to `value`.
 * @param shape Shape of the tensor.
 * @param value Value of the elements.
 * @param dtype Type of the elements: by default bool for a boolean, float32 for a number, and string for a string.
 * @example
 * tf.fill([2, 2], 7); // [[7, 7], [7, 7]]
 * tf.fill([2], true); // [true, true]
 */
export function fill<R extends Rank>(
  shape: ShapeMap[R] | number,
  value: number | boolean | string,
  dtype?: DataType | null,
): Tensor<R> {
  dtype ??= inferDtype(value);
  const extents = typeof shape === 'number' ? [shape] : shape;
  assertNonNegativeIntegerDimensions(extents);
  if (dtype === 'string') {
    assert(typeof value === 'string', () => `Tensors of strings cannot be made of numbers, but got ${value}`);
    const one = extents.map(() => 1);
    return runInInternalScope(() => tile<Tensor<R>>(createTensor([value], one, 'string'), extents));
  }
  const number = Number(value);
  return call(Op.fill, [], writeFill, {
    shape: extents,
    value: number,
    intValue: dtype === 'bool' ? Number(Math.round(number) !== 0) : Math.trunc(number) | 0,
    dtype: dtypeCode(dtype),
  });
}

/**
 * Returns a tensor of zeros. Throws unless the shape consists of non-negative integers.
 * @example
 * tf.zeros([2, 3]); // [[0, 0, 0], [0, 0, 0]]
 */
export function zeros<R extends Rank>(shape: ShapeMap[R] | number, dtype: DataType = 'float32'): Tensor<R> {
  return fill(shape, 0, dtype);
}

/**
 * Returns a tensor of ones. Throws unless the shape consists of non-negative integers.
 * @example
 * tf.ones([2], 'int32'); // [1, 1]
 */
export function ones<R extends Rank>(shape: ShapeMap[R] | number, dtype: DataType = 'float32'): Tensor<R> {
  return fill(shape, 1, dtype);
}

/**
 * Returns a tensor of zeros with the shape and dtype of `x`.
 * @example
 * tf.zerosLike([[1, 2], [3, 4]]); // [[0, 0], [0, 0]]
 */
export function zerosLike<T extends Tensor>(x: T | TensorLike): T {
  return fillLike(x, 'zerosLike', 0) as T;
}

/**
 * Returns a tensor of ones with the shape and dtype of `x`.
 * @example
 * tf.onesLike([[1, 2], [3, 4]]); // [[1, 1], [1, 1]]
 */
export function onesLike<T extends Tensor>(x: T | TensorLike): T {
  return fillLike(x, 'onesLike', 1) as T;
}

// An op of `x` rather than fill(), so that x has a gradient, of zeros.
function fillLike(x: Tensor | TensorLike, name: string, value: number): Tensor {
  const like = toInput(x, 'x', name, 'string_or_numeric');
  if (like.dtype === 'string') throw new Error(`${name} is not supported for string tensors`);
  if (!(like instanceof Tensor)) return fill(like.shape, value, like.dtype);
  return callWithAttrs(Op.fillLike, like, writeFillLike, { value });
}

/**
 * Returns the numbers from `start` up or down to `stop`, exclusive. Throws if the step is 0 or an argument is not a number.
 * @param start First number.
 * @param stop Limit, exclusive.
 * @param step Difference of two numbers: -1 by default if `stop` is below `start`.
 * @param dtype Type of the elements.
 * @example
 * tf.range(0, 3); // [0, 1, 2]
 * tf.range(3, 0, -1); // [3, 2, 1]
 */
export function range(start: number, stop: number, step = 1, dtype: 'float32' | 'int32' = 'float32'): Tensor1D {
  for (const [name, value] of Object.entries({ start, stop, step })) {
    assert(isNumber(value), () => `Argument '${name}' passed to 'range' must be a number, but got '${String(value)}'`);
  }
  if (step === 0) throw new Error('Cannot have a step of zero');
  const isEmpty = start === stop || (start < stop && step < 0) || (stop < start && step > 1);
  const way = stop < start && step === 1 ? -1 : step;
  const count = isEmpty ? 0 : Math.abs(Math.ceil((stop - start) / step));
  const intStart = dtype === 'int32' ? truncateToInt32(start) : 0;
  const intStep = dtype === 'int32' ? truncateToInt32(way) : 0;
  const attrs = {
    start: start - intStart,
    step: way - intStep,
    intStart,
    intStep,
    count: integer(count, 'number of values'),
    dtype: dtypeCode(dtype),
  };
  return call(Op.range, [], writeRange, attrs);
}

/**
 * Returns evenly spaced numbers from `start` to `stop`, inclusive, as float32.
 * @param start First number.
 * @param stop Last number.
 * @param num Number of values. Throws unless it is positive.
 * @example
 * tf.linspace(0, 1, 5); // [0, 0.25, 0.5, 0.75, 1]
 */
export function linspace(start: number, stop: number, num: number): Tensor1D {
  if (num <= 0) throw new Error('The number of values should be positive.');
  return call(Op.linspace, [], writeLinspace, { start: Number(start), stop: Number(stop), count: integer(num, 'num') });
}

/**
 * Returns identity matrices, [...batchShape, numRows, numColumns], with ones on the diagonal.
 * @param numRows Number of rows.
 * @param numColumns Number of columns: that of rows by default.
 * @param batchShape Leading dimensions, along which the matrix is repeated.
 * @param dtype Type of the elements.
 * @example
 * tf.eye(2); // [[1, 0], [0, 1]]
 * tf.eye(2, 3, [4]).shape; // [4, 2, 3]
 */
export function eye(
  numRows: number,
  numColumns = numRows,
  batchShape?: number[],
  dtype: DataType = 'float32',
): Tensor2D {
  const rows = integer(numRows, 'numRows');
  const columns = integer(numColumns, 'numColumns');
  const matrix = (): Tensor2D => call(Op.eye, [], writeEye, { rows, columns, dtype: dtypeCode(dtype) });
  if (!batchShape) return matrix();
  return runInInternalScope(() => {
    const one = reshape(matrix(), [...batchShape.map(() => 1), numRows, numColumns]);
    return tile<Tensor2D>(one, [...batchShape, 1, 1]);
  });
}

/**
 * Returns the one-hot encoding of indices: vectors [..., depth] with `onValue` at the index and `offValue` elsewhere.
 * @param indices Indices, [...].
 * @param depth Length of the vectors. Throws if it is below 2.
 * @param onValue Value at the index.
 * @param offValue Value elsewhere.
 * @param dtype Type of the elements.
 * @example
 * tf.oneHot(tf.tensor1d([0, 2], 'int32'), 3); // [[1, 0, 0], [0, 0, 1]]
 */
export function oneHot(
  indices: Tensor | TensorLike,
  depth: number,
  onValue = 1,
  offValue = 0,
  dtype: DataType = 'int32',
): Tensor {
  assert(depth >= 2, () => `Error in oneHot: depth must be >=2, but it is ${depth}`);
  integer(depth, 'depth');
  return call(Op.oneHot, [indices], writeOneHot, { depth, onValue, offValue, dtype: dtypeCode(dtype) });
}
