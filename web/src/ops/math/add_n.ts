import { Op } from '../../generated/ops.js';
import { call } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Computes the sum of tensors of one shape and dtype. Throws if these differ.
 * @example
 * tf.addN([tf.tensor([1, 2]), tf.tensor([3, 4]), tf.tensor([5, 6])]); // [9, 12]
 */
export function addN<T extends Tensor>(tensors: (T | TensorLike)[]): T {
  assert(Array.isArray(tensors), () => 'The argument passed to tf.addN() must be a list of tensors');
  assert(tensors.length >= 1, () => `Must pass at least one tensor to tf.addN(), but got ${tensors.length}`);
  return call(Op.addN, tensors);
}
