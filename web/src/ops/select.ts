import { call } from './call.js';
import { Op } from '../generated/ops.js';
import { inputsOf } from '../tensor/input.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../tensor/types.js';
import { arraysEqual, assert } from '../util/checks.js';
import { add } from './binary.js';
import { clone } from './shape.js';

/** a where the condition, a bool tensor, is true, and b elsewhere; all three broadcast. */
export function where<T extends Tensor>(
  condition: Tensor | TensorLike,
  a: T | TensorLike,
  b: T | TensorLike,
): T {
  return call(Op.where, [condition, a, b]) as T;
}

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
