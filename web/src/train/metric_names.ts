// Losses and metrics by the names that compile() takes.
import { Op } from '../generated/ops.js';
import { metric, type LossOrMetricFn } from './metric_ops.js';
import {
  binaryAccuracy,
  binaryCrossentropy,
  categoricalAccuracy,
  categoricalCrossentropy,
  cosine,
  cosineProximity,
  MAE,
  mae,
  MAPE,
  mape,
  meanAbsoluteError,
  meanAbsolutePercentageError,
  meanSquaredError,
  MSE,
  mse,
  precision,
  r2Score,
  recall,
  sparseCategoricalAccuracy,
  sparseCategoricalCrossentropy,
} from './metrics.js';

const meanSquaredLogarithmicError = metric(Op.metricMeanSquaredLogarithmicError);
const squaredHinge = metric(Op.metricSquaredHinge);
const hinge = metric(Op.metricHinge);
const categoricalHinge = metric(Op.metricCategoricalHinge);
const logcosh = metric(Op.metricLogcosh);
const kullbackLeiblerDivergence = metric(Op.metricKullbackLeiblerDivergence);
const poisson = metric(Op.metricPoisson);

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

/** Metrics by the names that compile() takes: all losses and more. 'accuracy' and 'crossentropy' depend on the loss instead. */
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
