// Losses and metrics that the engine computes, as functions that map to the number of their op.
import type { Op } from '../generated/ops.js';
import { call } from '../ops/call.js';
import type { TensorOrLike } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

/** Loss or metric, a function of targets and predictions: it returns a value for each sample, or one for all. */
export type LossOrMetricFn = (yTrue: Tensor, yPred: Tensor) => Tensor;
export type BuiltInMetric = (yTrue: TensorOrLike, yPred: TensorOrLike) => Tensor;

const numbers = new Map<unknown, Op>();

/** Returns a loss or metric that an op computes. */
export function metric(op: Op): BuiltInMetric {
  const compute: BuiltInMetric = (yTrue, yPred) => call(op, [yTrue, yPred]);
  numbers.set(compute, op);
  return compute;
}

/** Returns the op that computes a loss or metric; undefined for other functions. */
export function getMetricOp(fn: unknown): Op | undefined {
  return numbers.get(fn);
}
