import { add } from './binary.js';
import { clone } from './view.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { inputsOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { arraysEqual, assert } from '../util/checks.js';

/** The sum of tensors of one shape and type. Throws when they differ. */
export function addN<T extends Tensor>(tensors: (T | TensorLike)[]): T {
  assert(Array.isArray(tensors), () => 'The argument passed to tf.addN() must be a list of tensors');
  assert(tensors.length >= 1, () => `Must pass at least one tensor to tf.addN(), but got ${tensors.length}`);
  const inputs = inputsOf(tensors, 'tensors', 'addN') as Tensor[];
  const [first, ...rest] = inputs as [Tensor, ...Tensor[]];
  for (const one of rest) {
    if (one.dtype !== first.dtype) throw new Error('All tensors passed to tf.addN() must have the same dtype');
    if (!arraysEqual(one.shape, first.shape)) {
      throw new Error('All tensors passed to tf.addN() must have the same shape');
    }
  }
  return composed(() => rest.reduce((total, one) => add(total, one), rest.length > 0 ? first : clone(first))) as T;
}
