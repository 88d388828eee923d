// Losses and metrics that the engine computes, as functions that know the number of their op.
import type { Op } from '../generated/ops.js';
import { call } from '../ops/call.js';
import type { Given } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

/** A loss or metric of targets and predictions: a value for each sample, or one for all. */
export type LossOrMetricFn = (yTrue: Tensor, yPred: Tensor) => Tensor;
export type Built = (yTrue: Given, yPred: Given) => Tensor;

const numbers = new Map<unknown, Op>();

/** A function that an op computes. */
export function metric(op: Op): Built {
  const compute: Built = (yTrue, yPred) => call(op, [yTrue, yPred]);
  numbers.set(compute, op);
  return compute;
}

/** The op that computes such a function; undefined for any other. */
export function opOf(fn: unknown): Op | undefined {
  return numbers.get(fn);
}
