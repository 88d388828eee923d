// tf.tensor_util
import { cast } from './math/cast.js';
import { tensorsIn } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';
import { upcastType } from '../util/dtypes.js';

/**
 * Casts two tensors to the dtype that can represent both.
 * @example
 * const [a, b] = tf.tensor_util.makeTypesMatch(tf.tensor([1], [1], 'int32'), tf.tensor([0.5]));
 * a.dtype; // 'float32'
 */
export function makeTypesMatch<T extends Tensor>(a: T, b: T): [T, T] {
  if (a.dtype === b.dtype) return [a, b];
  const dtype = upcastType(a.dtype, b.dtype);
  return [cast(a, dtype), cast(b, dtype)];
}

/**
 * Throws unless both tensors have the same dtype.
 * @example
 * tf.tensor_util.assertTypesMatch(tf.ones([1], 'int32'), tf.ones([1])); // throws Error: The dtypes of the first(int32) and second(float32) input must match
 */
export function assertTypesMatch(a: Tensor, b: Tensor): void {
  assert(a.dtype === b.dtype, () => `The dtypes of the first(${a.dtype}) and second(${b.dtype}) input must match`);
}

/**
 * True if a list contains the tensor itself, not just an equal one.
 * @example
 * const x = tf.ones([1]);
 * tf.tensor_util.isTensorInList(x, [tf.ones([1]), x]); // true
 */
export function isTensorInList(tensor: Tensor, tensorList: Tensor[]): boolean {
  return tensorList.some(({ id }) => id === tensor.id);
}

/**
 * Returns all tensors in nested arrays and objects, each once.
 * @example
 * tf.tensor_util.getTensorsInContainer({ a: tf.ones([1]), b: [tf.zeros([2])] }).length; // 2
 */
export const getTensorsInContainer = tensorsIn;
