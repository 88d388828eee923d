import { Op, writeTile, writeToShape } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import type { Rank, ShapeMap, TensorLike } from '../../runtime/types.js';
import { type TensorOrLike, toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { integers } from '../../util/integers.js';
import { assertIsArray } from '../../util/shape_arguments.js';

/**
 * Broadcasts a tensor to a shape: repeats it along its dimensions of 1 and along new leading dimensions. Throws if the shapes
 * are not compatible.
 * @example
 * tf.broadcastTo([[1], [2]], [2, 3]); // [[1, 1, 1], [2, 2, 2]]
 */
export function broadcastTo<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  assertIsArray(shape, 'shape');
  assert(
    shape.every((extent) => extent >= 0 && Number.isInteger(extent)),
    () => `broadcastTo(): Invalid broadcast shape [${shape}].`,
  );
  return callWithAttrs(Op.broadcastTo, x, writeToShape, { shape });
}

/**
 * Repeats a tensor `reps[i]` times along dimension i. Throws unless `reps` has a number for each dimension.
 * @example
 * tf.tile([1, 2], [2]); // [1, 2, 1, 2]
 */
export function tile<T extends Tensor>(x: TensorOrLike, reps: readonly number[]): T {
  const input = toInput(x, 'x', 'tile', 'string_or_numeric');
  assert(
    input.rank === reps.length,
    () => `Error in transpose: rank of input ${input.rank} must match length of reps ${reps}.`,
  );
  return callWithAttrs(Op.tile, input, writeTile, { reps: integers(reps, 'reps') });
}
