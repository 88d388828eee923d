import { Op, writePermutation } from '../../generated/ops.js';
import { callUnary, callWithAttrs } from '../call.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Permutes the dimensions of a tensor.
 * @param x Tensor.
 * @param perm Order of the dimensions: reversed by default.
 * @param conjugate True to conjugate complex numbers, too.
 * @example
 * tf.transpose([[1, 2], [3, 4]]); // [[1, 3], [2, 4]]
 * tf.transpose(tf.ones([2, 3, 4]), [2, 0, 1]).shape; // [4, 2, 3]
 */
export function transpose<T extends Tensor>(x: T | TensorLike, perm?: number[], conjugate = false): T {
  const input = toInput(x, 'x', 'transpose', 'string_or_numeric');
  assert(
    !perm || perm.length === input.rank,
    () => `Error in transpose: rank of input ${input.rank} must match length of perm ${perm!}.`,
  );
  const moved = (): T => callWithAttrs(Op.transpose, input, writePermutation, { perm: perm ?? [] });
  return conjugate && input.dtype === 'complex64' ? runInInternalScope(() => callUnary<T>(Op.conj, moved())) : moved();
}
