// tf.metrics
import { Op } from '../generated/ops.js';
import { metric, type Built } from './metric_ops.js';

/**
 * The mean of (yPred - yTrue)² along the last axis.
 * @example
 * tf.metrics.meanSquaredError(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const meanSquaredError: Built = metric(Op.metricMeanSquaredError);
/**
 * The mean of |yPred - yTrue| along the last axis.
 * @example
 * tf.metrics.meanAbsoluteError(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const meanAbsoluteError: Built = metric(Op.metricMeanAbsoluteError);
/**
 * The mean of |yTrue - yPred| in percent of |yTrue|, along the last axis.
 * @example
 * tf.metrics.meanAbsolutePercentageError(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const meanAbsolutePercentageError: Built = metric(Op.metricMeanAbsolutePercentageError);
/**
 * Cross entropy of probabilities with targets that are probabilities, along the last axis.
 * @example
 * tf.metrics.categoricalCrossentropy(tf.tensor([[0, 1]]), tf.tensor([[0.5, 0.5]])); // [0.6931]
 */
export const categoricalCrossentropy: Built = metric(Op.metricCategoricalCrossentropy);
/**
 * The same with targets that are numbers of classes.
 * @example
 * tf.metrics.sparseCategoricalCrossentropy(tf.tensor([1]), tf.tensor([[0.5, 0.5]])); // [0.6931]
 */
export const sparseCategoricalCrossentropy: Built = metric(Op.metricSparseCategoricalCrossentropy);
/**
 * The mean cross entropy of probabilities with targets of 0 and 1, along the last axis.
 * @example
 * tf.metrics.binaryCrossentropy(tf.tensor([[1, 0]]), tf.tensor([[0.9, 0.1]])); // [0.1054]
 */
export const binaryCrossentropy: Built = metric(Op.metricBinaryCrossentropy);
/**
 * Minus the cosine of the angle between targets and predictions along the last axis.
 * @example
 * tf.metrics.cosineProximity(tf.tensor([[1, 0]]), tf.tensor([[2, 0]])); // [-1]
 */
export const cosineProximity: Built = metric(Op.metricCosineProximity);
/**
 * The part of predictions, along the last axis, that are on the same side of 1/2 as the target.
 * @example
 * tf.metrics.binaryAccuracy(tf.tensor([[1, 0, 1, 1]]), tf.tensor([[0.9, 0.2, 0.3, 0.8]])); // [0.75]
 */
export const binaryAccuracy: Built = metric(Op.metricBinaryAccuracy);
/**
 * 1 where target and prediction are largest at the same class, else 0.
 * @example
 * tf.metrics.categoricalAccuracy(tf.tensor([[0, 1], [1, 0]]), tf.tensor([[0.1, 0.9], [0.4, 0.6]])); // [1, 0]
 */
export const categoricalAccuracy: Built = metric(Op.metricCategoricalAccuracy);
/**
 * The same with targets that are numbers of classes.
 * @example
 * tf.metrics.sparseCategoricalAccuracy(tf.tensor([1, 0]), tf.tensor([[0.1, 0.9], [0.4, 0.6]])); // [1, 0]
 */
export const sparseCategoricalAccuracy: Built = metric(Op.metricSparseCategoricalAccuracy);
/**
 * Of the predictions that are 1, the part whose target is 1.
 * @example
 * tf.metrics.precision(tf.tensor([[1, 0]]), tf.tensor([[1, 1]])); // 0.5
 */
export const precision: Built = metric(Op.metricPrecision);
/**
 * Of the targets that are 1, the part whose prediction is 1.
 * @example
 * tf.metrics.recall(tf.tensor([[1, 1]]), tf.tensor([[1, 0]])); // 0.5
 */
export const recall: Built = metric(Op.metricRecall);
/**
 * 1 minus the squared errors in parts of the targets' squared deviations from their mean.
 * @example
 * tf.metrics.r2Score(tf.tensor([1, 2, 3]), tf.tensor([1, 2, 3])); // 1
 */
export const r2Score: Built = metric(Op.metricR2Score);

/**
 * meanSquaredError() under a short name: histories call a metric what its function is called.
 * @example
 * tf.metrics.MSE(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const MSE: Built = metric(Op.metricMeanSquaredError);
/**
 * The same under another name.
 * @example
 * tf.metrics.mse(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const mse: Built = metric(Op.metricMeanSquaredError);
/**
 * meanAbsoluteError() under a short name.
 * @example
 * tf.metrics.MAE(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const MAE: Built = metric(Op.metricMeanAbsoluteError);
/**
 * The same under another name.
 * @example
 * tf.metrics.mae(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const mae: Built = metric(Op.metricMeanAbsoluteError);
/**
 * meanAbsolutePercentageError() under a short name.
 * @example
 * tf.metrics.MAPE(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const MAPE: Built = metric(Op.metricMeanAbsolutePercentageError);
/**
 * The same under another name.
 * @example
 * tf.metrics.mape(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const mape: Built = metric(Op.metricMeanAbsolutePercentageError);
/**
 * cosineProximity() under a short name.
 * @example
 * tf.metrics.cosine(tf.tensor([[1, 0]]), tf.tensor([[2, 0]])); // [-1]
 */
export const cosine: Built = metric(Op.metricCosineProximity);
