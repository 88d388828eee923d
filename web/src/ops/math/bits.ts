import { Op } from '../../generated/ops.js';
import { call } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { arraysEqual, assert } from '../../util/checks.js';

/**
 * Computes the bitwise AND of two int32 tensors. Throws if their shapes differ.
 * @example
 * tf.bitwiseAnd(tf.tensor([6, 5], [2], 'int32'), tf.tensor([3, 4], [2], 'int32')); // [2, 4]
 */
export function bitwiseAnd<T extends Tensor>(x: T | TensorLike, y: T | TensorLike): T {
  const inputs = [toInput(x, 'x', 'bitwiseAnd'), toInput(y, 'y', 'bitwiseAnd')];
  const [a, b] = inputs.map((one): readonly number[] => one.shape) as [readonly number[], readonly number[]];
  assert(arraysEqual(a, b), () => `BitwiseAnd: Tensors must have the same shape. x: ${a}, y: ${b}`);
  for (const { dtype } of inputs) {
    if (dtype !== 'int32')
      throw new Error(
        `BitwiseAnd: Only supports 'int32' values in tensor, found type: ${inputs.map((one) => one.dtype).join(' and ')}`,
      );
  }
  return call(Op.bitwiseAnd, inputs);
}
