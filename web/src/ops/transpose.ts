import { Op, writePermutation } from '../generated/ops.js';
import { callUnary, callWith } from './call.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/** Dimensions in the order of `perm`; without it, in reverse. Complex numbers may be conjugated as well. */
export function transpose<T extends Tensor>(x: T | TensorLike, perm?: number[], conjugate = false): T {
  const input = inputOf(x, 'x', 'transpose', 'string_or_numeric');
  assert(
    !perm || perm.length === input.rank,
    () => `Error in transpose: rank of input ${input.rank} must match length of perm ${perm!}.`,
  );
  const moved = () => callWith(Op.transpose, input, writePermutation, { perm: perm ?? [] }) as T;
  return conjugate && input.dtype === 'complex64' ? composed(() => callUnary(Op.conj, moved()) as T) : moved();
}
