// tf.metrics
import { Op } from '../generated/ops.js';
import { call } from '../ops/call.js';
import type { Given } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

/** A loss or metric of targets and predictions: a value for each sample, or one for all. */
export type LossOrMetricFn = (yTrue: Tensor, yPred: Tensor) => Tensor;
type Built = (yTrue: Given, yPred: Given) => Tensor;

const numbers = new Map<unknown, Op>();

function metric(op: Op): Built {
  const compute: Built = (yTrue, yPred) => call(op, [yTrue, yPred]);
  numbers.set(compute, op);
  return compute;
}

/** The op that computes one of the functions below; undefined for any other. */
export function opOf(fn: unknown): Op | undefined {
  return numbers.get(fn);
}

/** The mean of (yPred - yTrue)² along the last axis. */
export const meanSquaredError: Built = metric(Op.metricMeanSquaredError);
/** The mean of |yPred - yTrue| along the last axis. */
export const meanAbsoluteError: Built = metric(Op.metricMeanAbsoluteError);
/** The mean of |yTrue - yPred| in percent of |yTrue|, along the last axis. */
export const meanAbsolutePercentageError: Built = metric(Op.metricMeanAbsolutePercentageError);
const meanSquaredLogarithmicError = metric(Op.metricMeanSquaredLogarithmicError);
const squaredHinge = metric(Op.metricSquaredHinge);
const hinge = metric(Op.metricHinge);
const categoricalHinge = metric(Op.metricCategoricalHinge);
const logcosh = metric(Op.metricLogcosh);
/** Cross entropy of probabilities with targets that are probabilities, along the last axis. */
export const categoricalCrossentropy: Built = metric(Op.metricCategoricalCrossentropy);
/** The same with targets that are numbers of classes. */
export const sparseCategoricalCrossentropy: Built = metric(Op.metricSparseCategoricalCrossentropy);
/** The mean cross entropy of probabilities with targets of 0 and 1, along the last axis. */
export const binaryCrossentropy: Built = metric(Op.metricBinaryCrossentropy);
const kullbackLeiblerDivergence = metric(Op.metricKullbackLeiblerDivergence);
const poisson = metric(Op.metricPoisson);
/** Minus the cosine of the angle between targets and predictions along the last axis. */
export const cosineProximity: Built = metric(Op.metricCosineProximity);
/** The part of predictions, along the last axis, that are on the same side of 1/2 as the target. */
export const binaryAccuracy: Built = metric(Op.metricBinaryAccuracy);
/** 1 where target and prediction are largest at the same class, else 0. */
export const categoricalAccuracy: Built = metric(Op.metricCategoricalAccuracy);
/** The same with targets that are numbers of classes. */
export const sparseCategoricalAccuracy: Built = metric(Op.metricSparseCategoricalAccuracy);
/** Of the predictions that are 1, the part whose target is 1. */
export const precision: Built = metric(Op.metricPrecision);
/** Of the targets that are 1, the part whose prediction is 1. */
export const recall: Built = metric(Op.metricRecall);
/** 1 minus the squared errors in parts of the targets' squared deviations from their mean. */
export const r2Score: Built = metric(Op.metricR2Score);

/** The same under short names, each a function of its own: histories call a metric what its function is called. */
export const MSE: Built = metric(Op.metricMeanSquaredError);
export const mse: Built = metric(Op.metricMeanSquaredError);
export const MAE: Built = metric(Op.metricMeanAbsoluteError);
export const mae: Built = metric(Op.metricMeanAbsoluteError);
export const MAPE: Built = metric(Op.metricMeanAbsolutePercentageError);
export const mape: Built = metric(Op.metricMeanAbsolutePercentageError);
export const cosine: Built = metric(Op.metricCosineProximity);

/** Losses by the names that compile() takes. */
export const lossesByName: Readonly<Record<string, LossOrMetricFn>> = {
  meanSquaredError,
  meanAbsoluteError,
  meanAbsolutePercentageError,
  meanSquaredLogarithmicError,
  squaredHinge,
  hinge,
  categoricalHinge,
  logcosh,
  categoricalCrossentropy,
  sparseCategoricalCrossentropy,
  binaryCrossentropy,
  kullbackLeiblerDivergence,
  poisson,
  cosineProximity,
};

/** Likewise metrics, besides those that follow from the loss; every loss is one. */
export const metricsByName: Readonly<Record<string, LossOrMetricFn>> = {
  ...lossesByName,
  binaryAccuracy,
  categoricalAccuracy,
  sparseCategoricalAccuracy,
  precision,
  recall,
  r2Score,
  mse,
  MSE,
  mae,
  MAE,
  mape,
  MAPE,
  cosine,
};
