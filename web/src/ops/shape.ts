import { call, callUnary, callWith } from './call.js';
import { Op, writeAxes, writeAxis, writeCast, writePermutation, writeToShape } from '../generated/ops.js';
import { inputOf } from '../tensor/input.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { DataType, Rank, ShapeMap, TensorLike } from '../tensor/types.js';
import { assert } from '../util/checks.js';
import { isValidDtype } from '../util/values.js';
import { dtypeCode } from './dtypes.js';
import { integer, integers } from './integers.js';
import { tile } from './pad.js';

/** The same elements under another shape; one extent may be -1. Throws when they are not as many. */
export function reshape<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  return callWith(Op.reshape, x, writeToShape, { shape: integers(shape, 'shape') }) as Tensor<R>;
}

/** One more dimension, of 1, at `axis`. */
export function expandDims<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.expandDims, x, writeAxis, { axis: integer(axis, 'axis') }) as T;
}

/** Without the dimensions of 1, or without those that `axis` names. Throws when one of them is not 1. */
export function squeeze<T extends Tensor>(x: Tensor | TensorLike, axis?: number[]): T {
  return callWith(Op.squeeze, x, writeAxes, { axes: integers(axis ?? [], 'axis') }) as T;
}

/** Dimensions in the order of `perm`; without it, in reverse. */
export function transpose<T extends Tensor>(x: T | TensorLike, perm?: number[]): T {
  return callWith(Op.transpose, x, writePermutation, { perm: integers(perm ?? [], 'perm') }) as T;
}

/** The elements as another type: to int32 by truncation, to bool by whether they are 0. */
export function cast<T extends Tensor>(x: T | TensorLike, dtype: DataType): T {
  if (!isValidDtype(dtype)) throw new Error(`Failed to cast to unknown dtype ${dtype as string}`);
  const input = inputOf(x, 'x', 'cast', 'string_or_numeric');
  if ((dtype === 'string') !== (input.dtype === 'string')) throw new Error('Only strings can be casted to strings');
  if (dtype === input.dtype) return clone(input as T);
  return callWith(Op.cast, input, writeCast, { dtype: dtypeCode(dtype) }) as T;
}

/** Another tensor that shares the bytes and lives on its own. */
export function clone<T extends Tensor>(x: T | TensorLike): T {
  return callUnary(Op.identity, x) as T;
}

/** The tensor repeated along its dimensions of 1, and along new ones in front. Throws when the shapes do not fit. */
export function broadcastTo<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  const input = inputOf(x, 'x', 'broadcastTo');
  const added = shape.length - input.rank;
  assert(
    shape.every((extent) => extent >= 1 && Number.isInteger(extent)),
    () => `broadcastTo(): Invalid broadcast shape [${shape}].`,
  );
  assert(
    added >= 0,
    () => `broadcastTo(): shape.length=${shape.length} < input.rank=${input.rank}.`,
  );
  const from = [...new Array<number>(added).fill(1), ...input.shape];
  assert(
    from.every((extent, i) => extent === 1 || extent === shape[i]),
    () => `broadcastTo(): [${input.shape}] cannot be broadcast to [${shape}].`,
  );
  const reps = shape.map((extent, i) => (from[i] === 1 ? extent : 1));
  if (added === 0) return tile<Tensor<R>>(input, reps);
  return composed(() => tile<Tensor<R>>(call(Op.reshape, [input], writeToShape, { shape: from }), reps));
}
