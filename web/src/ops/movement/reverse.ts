import { Op, writeAxes } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import { toAxes } from '../axes.js';
import { isEmptyAxis } from '../empty_axis.js';
import { clone } from './reshape.js';
import type { TensorLike } from '../../runtime/types.js';
import { asTensor, toInput } from '../../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Reverses the order of the elements along the given axes, or along all if none is given.
 * @example
 * tf.reverse([[1, 2], [3, 4]], 1); // [[2, 1], [4, 3]]
 */
export function reverse<T extends Tensor>(x: T | TensorLike, axis?: number | number[]): T {
  if (isEmptyAxis(axis)) return clone<T>(x);
  return callWithAttrs(Op.reverse, x, writeAxes, { axes: toAxes(axis) });
}

function reverseOfRank<T extends Tensor>(rank: number) {
  return (x: T | TensorLike, axis?: number | number[]): T => {
    const input = toInput(x, 'x', 'reverse', 'string_or_numeric');
    assert(input.rank === rank, () => `Error in reverse${rank}D: x must be rank ${rank} but got rank ${input.rank}.`);
    return reverse(asTensor<T>(input), axis);
  };
}

/**
 * Reverses a vector. Throws for another rank.
 * @example
 * tf.reverse1d([1, 2, 3]); // [3, 2, 1]
 */
export const reverse1d = reverseOfRank<Tensor1D>(1);

/**
 * Reverses a matrix along the given axes, or along all if none is given. Throws for another rank.
 * @example
 * tf.reverse2d([[1, 2], [3, 4]], 0); // [[3, 4], [1, 2]]
 */
export const reverse2d = reverseOfRank<Tensor2D>(2);

/**
 * Reverses a tensor of rank 3 along the given axes, or along all if none is given. Throws for another rank.
 * @example
 * tf.reverse3d([[[1, 2], [3, 4]]], [1, 2]); // [[[4, 3], [2, 1]]]
 */
export const reverse3d = reverseOfRank<Tensor3D>(3);

/**
 * Reverses a tensor of rank 4 along the given axes, or along all if none is given. Throws for another rank.
 * @example
 * tf.reverse4d([[[[1], [2]]]], 2); // [[[[2], [1]]]]
 */
export const reverse4d = reverseOfRank<Tensor4D>(4);
