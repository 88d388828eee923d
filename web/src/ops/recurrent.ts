// Cells that carry a state from step to step, and averages that do.
import { Op } from '../generated/ops.js';
import { call, callAll, kMissing } from './call.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf, inputsOf } from '../tensor/input.js';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/** A step of a recurrent cell: the next c and h. */
export type LSTMCellFunc = (data: Tensor2D, c: Tensor2D, h: Tensor2D) => [Tensor2D, Tensor2D];

/**
 * A step of a long short-term memory: the next c and h.
 * @example
 * const [c, h] = tf.basicLSTMCell(0, tf.zeros([2, 4]), [0, 0, 0, 0], [[1]], [[2]], [[0]]);
 * c; // [[1]]
 * h; // [[0.3808]]
 */
export function basicLSTMCell(
  forgetBias: Scalar | TensorLike,
  lstmKernel: Tensor2D | TensorLike,
  lstmBias: Tensor1D | TensorLike,
  data: Tensor2D | TensorLike,
  c: Tensor2D | TensorLike,
  h: Tensor2D | TensorLike,
): [Tensor2D, Tensor2D] {
  return callAll(Op.basicLstmCell, [forgetBias, lstmKernel, lstmBias, data, c, h]) as [Tensor2D, Tensor2D];
}

/**
 * A step of cells on top of each other, each fed with the h of the one before: the next c and h of all.
 * @example
 * const cell = (data, c, h) => tf.basicLSTMCell(0, tf.zeros([2, 4]), [0, 0, 0, 0], data, c, h);
 * const [c, h] = tf.multiRNNCell([cell, cell], [[1]], [[[2]], [[4]]], [[[0]], [[0]]]);
 * c; // [[[1]], [[2]]]
 */
export function multiRNNCell(
  lstmCells: LSTMCellFunc[],
  data: Tensor2D | TensorLike,
  c: (Tensor2D | TensorLike)[],
  h: (Tensor2D | TensorLike)[],
): [Tensor2D[], Tensor2D[]] {
  const first = inputOf(data, 'data', 'multiRNNCell') as Tensor2D;
  const [cs, hs] = [inputsOf(c, 'c', 'multiRNNCell'), inputsOf(h, 'h', 'multiRNNCell')] as [Tensor2D[], Tensor2D[]];
  return composed(() => {
    const next: [Tensor2D[], Tensor2D[]] = [[], []];
    lstmCells.reduce((input, cell, i) => {
      const [newC, newH] = cell(input, cs[i]!, hs[i]!);
      next[0].push(newC);
      next[1].push(newH);
      return newH;
    }, first);
    return next;
  });
}

/**
 * v moved towards x by 1 - decay of the way; `zeroDebias` takes out, by the step, that v began at 0.
 * @example
 * tf.movingAverage([1], [2], 0.9, 0, false); // [1.1]
 */
export function movingAverage<T extends Tensor>(
  v: T | TensorLike,
  x: T | TensorLike,
  decay: number | Scalar,
  step?: number | Scalar,
  zeroDebias = true,
): T {
  const inputs = [inputOf(v, 'v', 'movingAverage'), inputOf(x, 'x', 'movingAverage'), decay];
  assert(!zeroDebias || (step !== undefined && step !== null), () => 'When using zeroDebias: true, step is required.');
  return call(Op.movingAverage, [...inputs, zeroDebias ? step! : kMissing]) as T;
}
