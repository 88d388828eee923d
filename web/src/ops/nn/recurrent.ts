// LSTM cells and moving averages, whose state is carried from step to step.
import { Op } from '../../generated/ops.js';
import { call, callAll, kOmitted } from '../call.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput, toInputs } from '../../tensor/input.js';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/** Function that runs one step of an LSTM cell and returns the next c and h. */
export type LSTMCellFunc = (data: Tensor2D, c: Tensor2D, h: Tensor2D) => [Tensor2D, Tensor2D];

/**
 * Runs one step of an LSTM (long short-term memory) cell. Returns the next c and h.
 * @param forgetBias Constant that is added to the forget gate.
 * @param lstmKernel Weights of [data, h], for the gates i, j, f and o.
 * @param lstmBias Biases of the gates.
 * @param data Input, [batch, features].
 * @param c Cell state, [batch, units].
 * @param h Hidden state, [batch, units].
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
 * Runs one step of a stack of LSTM cells, where the input of each is the h of the previous one. Returns the next c and h of all.
 * @param lstmCells Functions that run one step of a cell.
 * @param data Input of the first cell, [batch, features].
 * @param c Cell states, one for each cell.
 * @param h Hidden states, one for each cell.
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
  const first = toInput(data, 'data', 'multiRNNCell') as Tensor2D;
  const [cs, hs] = [toInputs(c, 'c', 'multiRNNCell'), toInputs(h, 'h', 'multiRNNCell')] as [Tensor2D[], Tensor2D[]];
  return runInInternalScope(() => {
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
 * Computes the next value of an exponential moving average: v + (x - v) * (1 - decay).
 * @param v Current value of the average.
 * @param x New value.
 * @param decay Decay of the average.
 * @param step Number of the step, which `zeroDebias` requires.
 * @param zeroDebias True to correct for an initial average of 0: the change is divided by 1 - decay^step.
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
  const inputs = [toInput(v, 'v', 'movingAverage'), toInput(x, 'x', 'movingAverage'), decay];
  assert(!zeroDebias || (step !== undefined && step !== null), () => 'When using zeroDebias: true, step is required.');
  return call(Op.movingAverage, [...inputs, zeroDebias ? step! : kOmitted]);
}
