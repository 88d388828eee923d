import { Op, writeAxis, writeSplit } from '../../generated/ops.js';
import { callAll } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { parseAxisParam } from '../../util/shape.js';

/**
 * Splits a tensor into the tensors that stack() would combine along `axis`. Throws if the axis is out of range.
 * @example
 * const [a, b] = tf.unstack([[1, 2], [3, 4]]); // [[1, 2], [3, 4]]
 */
export function unstack(x: Tensor | TensorLike, axis = 0): Tensor[] {
  const input = toInput(x, 'x', 'unstack', 'string_or_numeric');
  const { rank } = input;
  assert(axis >= -rank && axis < rank, () => `Axis = ${axis} is not in [-${rank}, ${rank})`);
  return callAll(Op.unstack, [input], writeAxis, { axis });
}

/**
 * Splits a tensor along an axis.
 * @param x Tensor.
 * @param numOrSizeSplits Number of equal parts, or sizes of the parts, of which one may be -1 for the rest. Throws if the sizes
 * do not add up to the extent of the axis.
 * @param axis Axis along which to split.
 * @example
 * const [a, b] = tf.split([1, 2, 3, 4], 2); // [[1, 2], [3, 4]]
 * tf.split([1, 2, 3, 4], [1, 3]); // [[1], [2, 3, 4]]
 */
export function split<T extends Tensor>(x: Tensor | TensorLike, numOrSizeSplits: number[] | number, axis = 0): T[] {
  const input = toInput(x, 'x', 'split', 'string_or_numeric');
  const [along] = parseAxisParam(axis, input.shape) as [number];
  const sizes = resolveSizes(numOrSizeSplits, input.shape[along]!);
  return callAll(Op.split, [input], writeSplit, { sizes, axis: along });
}

function resolveSizes(numOrSizes: number[] | number, extent: number): number[] {
  if (typeof numOrSizes === 'number') {
    assert(extent % numOrSizes === 0, () => 'Number of splits must evenly divide the axis.');
    return new Array<number>(numOrSizes).fill(extent / numOrSizes);
  }
  const isOpen = (size: number) => size === -1;
  const total = numOrSizes.reduce((sum, size) => (size > 0 ? sum + size : sum), 0);
  assert(numOrSizes.filter(isOpen).length <= 1, () => 'There should be only one negative value in split array.');
  const sizes = numOrSizes.map((size) => (isOpen(size) ? extent - total : size));
  assert(
    sizes.reduce((sum, size) => sum + size, 0) === extent,
    () => 'The sum of sizes must match the size of the axis dimension.',
  );
  return sizes;
}
