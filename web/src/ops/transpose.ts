import { Op, writePermutation } from '../generated/ops.js';
import { callWith } from './call.js';
import { integers } from './integers.js';
import type { TensorLike } from '../runtime/types.js';
import type { Tensor } from '../tensor/tensor.js';

/** Dimensions in the order of `perm`; without it, in reverse. */
export function transpose<T extends Tensor>(x: T | TensorLike, perm?: number[]): T {
  return callWith(Op.transpose, x, writePermutation, { perm: integers(perm ?? [], 'perm') }) as T;
}
