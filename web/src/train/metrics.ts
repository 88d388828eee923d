// tf.metrics
import { Op } from '../generated/ops.js';
import { metric, type BuiltInMetric } from './metric_ops.js';

/**
 * Returns the mean of (yPred - yTrue)² along the last axis.
 * @example
 * tf.metrics.meanSquaredError(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const meanSquaredError: BuiltInMetric = metric(Op.metricMeanSquaredError);
/**
 * Returns the mean of |yPred - yTrue| along the last axis.
 * @example
 * tf.metrics.meanAbsoluteError(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const meanAbsoluteError: BuiltInMetric = metric(Op.metricMeanAbsoluteError);
/**
 * Returns the mean of |yTrue - yPred| in percent of |yTrue| along the last axis.
 * @example
 * tf.metrics.meanAbsolutePercentageError(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const meanAbsolutePercentageError: BuiltInMetric = metric(Op.metricMeanAbsolutePercentageError);
/**
 * Returns the cross entropy along the last axis of predicted probabilities with targets that are probabilities.
 * @example
 * tf.metrics.categoricalCrossentropy(tf.tensor([[0, 1]]), tf.tensor([[0.5, 0.5]])); // [0.6931]
 */
export const categoricalCrossentropy: BuiltInMetric = metric(Op.metricCategoricalCrossentropy);
/**
 * Returns the cross entropy along the last axis of predicted probabilities with targets that are indices of classes.
 * @example
 * tf.metrics.sparseCategoricalCrossentropy(tf.tensor([1]), tf.tensor([[0.5, 0.5]])); // [0.6931]
 */
export const sparseCategoricalCrossentropy: BuiltInMetric = metric(Op.metricSparseCategoricalCrossentropy);
/**
 * Returns the mean along the last axis of the cross entropy of predicted probabilities with targets of 0 and 1.
 * @example
 * tf.metrics.binaryCrossentropy(tf.tensor([[1, 0]]), tf.tensor([[0.9, 0.1]])); // [0.1054]
 */
export const binaryCrossentropy: BuiltInMetric = metric(Op.metricBinaryCrossentropy);
/**
 * Returns minus the cosine of the angle between targets and predictions along the last axis.
 * @example
 * tf.metrics.cosineProximity(tf.tensor([[1, 0]]), tf.tensor([[2, 0]])); // [-1]
 */
export const cosineProximity: BuiltInMetric = metric(Op.metricCosineProximity);
/**
 * Returns the fraction of predictions along the last axis that are on the same side of 1/2 as the target.
 * @example
 * tf.metrics.binaryAccuracy(tf.tensor([[1, 0, 1, 1]]), tf.tensor([[0.9, 0.2, 0.3, 0.8]])); // [0.75]
 */
export const binaryAccuracy: BuiltInMetric = metric(Op.metricBinaryAccuracy);
/**
 * Returns 1 for each sample whose target and prediction are largest at the same class, else 0.
 * @example
 * tf.metrics.categoricalAccuracy(tf.tensor([[0, 1], [1, 0]]), tf.tensor([[0.1, 0.9], [0.4, 0.6]])); // [1, 0]
 */
export const categoricalAccuracy: BuiltInMetric = metric(Op.metricCategoricalAccuracy);
/**
 * Returns 1 for each sample whose prediction is largest at the class that its target is the index of, else 0.
 * @example
 * tf.metrics.sparseCategoricalAccuracy(tf.tensor([1, 0]), tf.tensor([[0.1, 0.9], [0.4, 0.6]])); // [1, 0]
 */
export const sparseCategoricalAccuracy: BuiltInMetric = metric(Op.metricSparseCategoricalAccuracy);
/**
 * Returns the fraction of the predictions of 1 whose target is 1.
 * @example
 * tf.metrics.precision(tf.tensor([[1, 0]]), tf.tensor([[1, 1]])); // 0.5
 */
export const precision: BuiltInMetric = metric(Op.metricPrecision);
/**
 * Returns the fraction of the targets of 1 whose prediction is 1.
 * @example
 * tf.metrics.recall(tf.tensor([[1, 1]]), tf.tensor([[1, 0]])); // 0.5
 */
export const recall: BuiltInMetric = metric(Op.metricRecall);
/**
 * Returns the coefficient of determination: 1 - sum((yTrue - yPred)²) / sum((yTrue - mean(yTrue))²).
 * @example
 * tf.metrics.r2Score(tf.tensor([1, 2, 3]), tf.tensor([1, 2, 3])); // 1
 */
export const r2Score: BuiltInMetric = metric(Op.metricR2Score);

/**
 * Returns the meanSquaredError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.MSE(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const MSE: BuiltInMetric = metric(Op.metricMeanSquaredError);
/**
 * Returns the meanSquaredError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.mse(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [2.5]
 */
export const mse: BuiltInMetric = metric(Op.metricMeanSquaredError);
/**
 * Returns the meanAbsoluteError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.MAE(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const MAE: BuiltInMetric = metric(Op.metricMeanAbsoluteError);
/**
 * Returns the meanAbsoluteError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.mae(tf.tensor([[0, 1]]), tf.tensor([[1, 3]])); // [1.5]
 */
export const mae: BuiltInMetric = metric(Op.metricMeanAbsoluteError);
/**
 * Returns the meanAbsolutePercentageError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.MAPE(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const MAPE: BuiltInMetric = metric(Op.metricMeanAbsolutePercentageError);
/**
 * Returns the meanAbsolutePercentageError(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.mape(tf.tensor([[1, 2]]), tf.tensor([[1, 3]])); // [25]
 */
export const mape: BuiltInMetric = metric(Op.metricMeanAbsolutePercentageError);
/**
 * Returns the cosineProximity(). A separate function, as a history names a metric after its function.
 * @example
 * tf.metrics.cosine(tf.tensor([[1, 0]]), tf.tensor([[2, 0]])); // [-1]
 */
export const cosine: BuiltInMetric = metric(Op.metricCosineProximity);
