// Ops that compare elements: top k, unique, counts and binary search.
import { Op, writeAxis, writeBincount, writeSearchSorted, writeTopK } from '../../generated/ops.js';
import { call, callAll } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

type TensorOrLike = Tensor | TensorLike;

/**
 * Returns the k largest elements along the last axis in descending order, and their indices as int32.
 * @param x Tensor.
 * @param k Number of elements. Throws if it is above the extent of the axis.
 * @param _sorted Not used: the elements are always sorted.
 * @example
 * const { values, indices } = tf.topk([1, 7, 3], 2);
 * values; // [7, 3]
 * indices; // [1, 2]
 */
export function topk<T extends Tensor>(
  x: T | TensorLike,
  k = 1,
  _sorted = true,
): {
  /** Largest elements, in descending order. */
  values: T;
  /** Indices of these elements along the last axis, as int32. */
  indices: T;
} {
  const [values, indices] = callAll(Op.topk, [x], writeTopK, { k });
  return { values: values as T, indices: indices as T };
}

/**
 * Returns the distinct slices along an axis, in the order of first occurrence, and for each slice the index of its equal there.
 * @example
 * const { values, indices } = tf.unique([3, 1, 3]);
 * values; // [3, 1]
 * indices; // [0, 1, 0]
 */
export function unique<T extends Tensor>(
  x: T | TensorLike,
  axis = 0,
): {
  /** Distinct slices, in the order of first occurrence. */
  values: T;
  /** Index of the equal one in `values`, as int32, for each slice of the input. */
  indices: Tensor1D;
} {
  const [values, indices] = callAll(Op.unique, [x], writeAxis, { axis });
  return { values: values as T, indices: indices as Tensor1D };
}

/**
 * Counts the occurrences of each integer from 0 to size - 1, or sums their weights.
 * @param x Vector of int32. Throws for another dtype or rank.
 * @param weights Weight of each element; empty for counts.
 * @param size Number of counts.
 * @example
 * tf.bincount(tf.tensor([1, 1, 2], [3], 'int32'), [], 4); // [0, 2, 1, 0]
 */
export function bincount<T extends Tensor1D>(x: T | TensorLike, weights: T | TensorLike, size: number): T {
  return count('bincount', x, weights, size, false) as T;
}

/**
 * Counts the occurrences of each integer from 0 to size - 1, or sums their weights, for each row.
 * @param x Vector or matrix of int32. Throws for another dtype.
 * @param weights Weight of each element; empty for counts.
 * @param size Number of counts.
 * @param binaryOutput True to return 1 for each integer that occurs, instead of its count.
 * @example
 * tf.denseBincount(tf.tensor([[1, 1], [2, 0]], [2, 2], 'int32'), [], 3); // [[0, 2, 0], [1, 0, 1]]
 */
export function denseBincount<T extends Tensor1D | Tensor2D>(
  x: T | TensorLike,
  weights: T | TensorLike,
  size: number,
  binaryOutput = false,
): T {
  return count('denseBincount', x, weights, size, binaryOutput) as T;
}

function count(name: string, x: TensorOrLike, weights: TensorOrLike, size: number, binary: boolean): Tensor {
  const values = toInput(x, 'x', name);
  const given = toInput(weights, 'weights', name);
  assert(values.dtype === 'int32', () => `Error in ${name}: input dtype must be int32, but got ${values.dtype}`);
  assert(
    name !== 'bincount' || values.rank === 1,
    () => `Error in bincount: input must be rank 1, but got rank ${values.rank}.`,
  );
  return call(Op.bincount, [values, given], writeBincount, { size, binary });
}

/**
 * Returns the index at which each value would be inserted into its sorted row so that the row stays sorted.
 * @param sortedSequence Sorted rows.
 * @param values Values for each row.
 * @param side Insert before ('left') or after ('right') equal elements.
 * @example
 * tf.searchSorted([1, 3, 3, 5], [3, 4]); // [1, 3]
 * tf.searchSorted([1, 3, 3, 5], [3, 4], 'right'); // [3, 3]
 */
export function searchSorted(
  sortedSequence: TensorOrLike,
  values: TensorOrLike,
  side: 'left' | 'right' = 'left',
): Tensor {
  return call(Op.searchSorted, [sortedSequence, values], writeSearchSorted, { right: side === 'right' });
}

/**
 * Returns the index, for each value, of the first element of its sorted row that is not below the value.
 * @example
 * tf.lowerBound([1, 3, 3, 5], [3]); // [1]
 */
export function lowerBound(sortedSequence: TensorOrLike, values: TensorOrLike): Tensor {
  return searchSorted(sortedSequence, values, 'left');
}

/**
 * Returns the index, for each value, of the first element of its sorted row that is above the value.
 * @example
 * tf.upperBound([1, 3, 3, 5], [3]); // [3]
 */
export function upperBound(sortedSequence: TensorOrLike, values: TensorOrLike): Tensor {
  return searchSorted(sortedSequence, values, 'right');
}
