import { Op } from '../../generated/ops.js';
import { call } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';

/**
 * Selects elements by a condition. All three tensors broadcast.
 * @param condition Condition, a bool tensor.
 * @param a Elements where the condition is true.
 * @param b Elements where the condition is false.
 * @example
 * tf.where([true, false], [1, 2], [3, 4]); // [1, 4]
 */
export function where<T extends Tensor>(condition: Tensor | TensorLike, a: T | TensorLike, b: T | TensorLike): T {
  return call(Op.where, [condition, a, b]);
}
