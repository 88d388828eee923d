import { Op, writeTile, writeToShape } from '../generated/ops.js';
import { call, callWith } from './call.js';
import { composed } from '../owner/scope.js';
import type { Rank, ShapeMap, TensorLike } from '../runtime/types.js';
import { type Given, inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';
import { integers } from '../util/integers.js';

/** The tensor repeated along its dimensions of 1, and along new ones in front. Throws when the shapes do not fit. */
export function broadcastTo<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  const input = inputOf(x, 'x', 'broadcastTo', 'string_or_numeric');
  const added = shape.length - input.rank;
  assert(
    shape.every((extent) => extent >= 0 && Number.isInteger(extent)),
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

/** The tensor repeated `reps[i]` times along dimension i. */
export function tile<T extends Tensor>(x: Given, reps: readonly number[]): T {
  const input = inputOf(x, 'x', 'tile', 'string_or_numeric');
  assert(
    input.rank === reps.length,
    () => `Error in transpose: rank of input ${input.rank} must match length of reps ${reps}.`,
  );
  return callWith(Op.tile, input, writeTile, { reps: integers(reps, 'reps') }) as T;
}
