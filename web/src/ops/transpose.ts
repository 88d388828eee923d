import { Op, writePermutation } from '../generated/ops.js';
import { callWith } from './call.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/** Dimensions in the order of `perm`; without it, in reverse. */
export function transpose<T extends Tensor>(x: T | TensorLike, perm?: number[]): T {
  const input = inputOf(x, 'x', 'transpose');
  assert(
    !perm || perm.length === input.rank,
    () => `Error in transpose: rank of input ${input.rank} must match length of perm ${perm!}.`,
  );
  return callWith(Op.transpose, input, writePermutation, { perm: perm ?? [] }) as T;
}
