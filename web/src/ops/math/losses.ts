// tf.losses
import { Op, writeAxisLoss, writeLoss } from '../../generated/ops.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { TensorOrLike } from '../../tensor/input.js';
import { call, kOmitted } from '../call.js';

/**
 * Reduction of weighted losses: none, their weighted mean, their sum, or their sum divided by the number of nonzero weights.
 * @example
 * tf.losses.absoluteDifference([1, 2], [2, 4], undefined, tf.Reduction.NONE); // [1, 2]
 */
export enum Reduction {
  /** No reduction: the weighted losses. */
  NONE,
  /** Sum of the weighted losses, divided by the sum of their weights. */
  MEAN,
  /** Sum of the weighted losses. */
  SUM,
  /** Sum of the weighted losses, divided by the number of nonzero weights. */
  SUM_BY_NONZERO_WEIGHTS,
}

type Loss =
  /**
   * @param labels Labels.
   * @param predictions Predictions, of the same shape.
   * @param weights Weights, which broadcast to the losses: 1 by default.
   * @param reduction Reduction: the sum divided by the number of nonzero weights by default.
   */
  (labels: TensorOrLike, predictions: TensorOrLike, weights?: TensorOrLike | null, reduction?: Reduction) => Tensor;
/** Loss with a parameter between weights and reduction. */
type ParameterLoss =
  /**
   * @param labels Labels.
   * @param predictions Predictions or logits, of the same shape.
   * @param weights Weights, which broadcast to the losses: 1 by default.
   * @param parameter Parameter of the loss; the function's description names it and its default.
   * @param reduction Reduction: the sum divided by the number of nonzero weights by default.
   */
  (
    labels: TensorOrLike,
    predictions: TensorOrLike,
    weights?: TensorOrLike | null,
    parameter?: number,
    reduction?: Reduction,
  ) => Tensor;

/** Returns the engine's number of a reduction, which is the same. Throws for an unknown one. */
function code(reduction: Reduction): number {
  if (!(reduction in Reduction)) throw new Error(`Unknown reduction: ${reduction}`);
  return reduction;
}

const kDefault = Reduction.SUM_BY_NONZERO_WEIGHTS;

function loss(op: Op): Loss {
  return (labels, predictions, weights, reduction = kDefault) =>
    call(op, [labels, predictions, weights ?? kOmitted], writeLoss, { reduction: code(reduction) });
}
function parameterLoss(op: Op, initial: number): ParameterLoss {
  return (labels, predictions, weights, parameter = initial, reduction = kDefault) =>
    call(op, [labels, predictions, weights ?? kOmitted], writeLoss, { reduction: code(reduction), parameter });
}

/**
 * Multiplies losses by weights and reduces them.
 * @param losses Losses.
 * @param weights Weights, which broadcast to the losses: 1 by default.
 * @param reduction Reduction: the sum divided by the number of nonzero weights by default.
 * @example
 * tf.losses.computeWeightedLoss([1, 2], [1, 0]); // 1
 */
export function computeWeightedLoss(
  losses: TensorOrLike,
  weights?: TensorOrLike | null,
  reduction: Reduction = kDefault,
): Tensor {
  return call(Op.computeWeightedLoss, [losses, weights ?? kOmitted], writeLoss, { reduction: code(reduction) });
}
/**
 * Computes |labels - predictions|, weighted and reduced.
 * @example
 * tf.losses.absoluteDifference([1, 2], [2, 4]); // 1.5
 */
export const absoluteDifference: Loss = loss(Op.absoluteDifference);
/**
 * Computes (labels - predictions)², weighted and reduced.
 * @example
 * tf.losses.meanSquaredError([1, 2], [2, 4]); // 2.5
 */
export const meanSquaredError: Loss = loss(Op.meanSquaredError);
/**
 * Computes max(0, 1 - s * predictions), weighted and reduced, where s is -1 for the label 0 and 1 for the label 1.
 * @example
 * tf.losses.hingeLoss([0, 1], [-0.5, 2]); // 0.25
 */
export const hingeLoss: Loss = loss(Op.hingeLoss);
/**
 * Computes 1 - sum(labels * predictions) along `axis`, weighted and reduced. Both are assumed to be of length 1.
 * @param labels Labels.
 * @param predictions Predictions, of the same shape.
 * @param axis Axis of the vectors.
 * @param weights Weights, which broadcast to the losses: 1 by default.
 * @param reduction Reduction: the sum divided by the number of nonzero weights by default.
 * @example
 * tf.losses.cosineDistance([1, 0], [0, 1], 0); // 1
 */
export function cosineDistance(
  labels: TensorOrLike,
  predictions: TensorOrLike,
  axis: number,
  weights?: TensorOrLike | null,
  reduction: Reduction = kDefault,
): Tensor {
  return call(Op.cosineDistance, [labels, predictions, weights ?? kOmitted], writeAxisLoss, {
    reduction: code(reduction),
    axis,
  });
}
/**
 * Computes the Huber loss, weighted and reduced: half the squared error up to `delta` (1), and linear beyond.
 * @example
 * tf.losses.huberLoss([0, 0], [0.5, 3]); // 1.3125
 */
export const huberLoss: ParameterLoss = parameterLoss(Op.huberLoss, 1);
/**
 * Computes the cross entropy of predicted probabilities with labels, weighted and reduced. `epsilon` (1e-7) keeps logarithms
 * finite.
 * @example
 * tf.losses.logLoss([1, 0], [0.9, 0.1]); // 0.1054
 */
export const logLoss: ParameterLoss = parameterLoss(Op.logLoss, 1e-7);
/**
 * Computes the cross entropy of sigmoid(logits) with labels, weighted and reduced. The labels are smoothed towards 1/2 by the
 * parameter (0).
 * @example
 * tf.losses.sigmoidCrossEntropy([1, 0], [2, -2]); // 0.1269
 */
export const sigmoidCrossEntropy: ParameterLoss = parameterLoss(Op.sigmoidCrossEntropy, 0);
/**
 * Computes the cross entropy of softmax(logits) over the last axis with labels, weighted and reduced. The labels are smoothed
 * towards the uniform distribution by the parameter (0).
 * @example
 * tf.losses.softmaxCrossEntropy([[1, 0]], [[2, -2]]); // 0.0181
 */
export const softmaxCrossEntropy: ParameterLoss = parameterLoss(Op.softmaxCrossEntropy, 0);
