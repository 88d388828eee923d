import { Op, opNames } from '../../generated/ops.js';
import { callUnary } from '../call.js';
import { cast } from './cast.js';
import { assertNotComplex } from '../dtypes.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Computes exp(x) / sum(exp(x)) along the last axis, without overflow. Throws for another axis.
 * @example
 * tf.softmax([0, Math.log(3)]); // [0.25, 0.75]
 */
export function softmax<T extends Tensor>(logits: T | TensorLike, dim = -1): T {
  return runOverLastAxis(Op.softmax, logits, dim, (rank) => {
    return `Softmax along a non-last dimension is not yet supported. Logits was rank ${rank} and dim was ${dim}`;
  }) as T;
}

/**
 * Computes log(softmax(x)) along the last axis, which is exact even if softmax(x) is near 0. Throws for another axis.
 * @example
 * tf.logSoftmax([1000, 1000]); // [-0.6931, -0.6931]
 */
export function logSoftmax<T extends Tensor>(logits: T | TensorLike, axis = -1): T {
  return runOverLastAxis(Op.logSoftmax, logits, axis, (rank) => {
    return `Log Softmax along a non-last dimension is not yet supported. Logits was rank ${rank} and axis was ${axis}`;
  }) as T;
}

function runOverLastAxis(op: Op, x: Tensor | TensorLike, axis: number, words: (rank: number) => string): Tensor {
  const logits = op === Op.softmax ? toInput(x, 'logits', 'softmax', 'float32') : toInput(x, 'logits', 'logSoftmax');
  assertNotComplex(logits, opNames[op]!);
  assert(axis === -1 || axis === logits.rank - 1, () => words(logits.rank));
  if (logits.dtype === 'float32') return callUnary(op, logits);
  return runInInternalScope(() => callUnary(op, cast(logits as Tensor, 'float32')));
}
