// tf.losses
import { Op, writeAxisLoss, writeLoss } from '../generated/ops.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Given } from '../tensor/input.js';
import { call, kMissing } from './call.js';

/**
 * What becomes of the losses: each for itself, their mean, their sum, their mean over weights that are not 0.
 * @example
 * tf.losses.absoluteDifference([1, 2], [2, 4], undefined, tf.Reduction.NONE); // [1, 2]
 */
export enum Reduction {
  NONE,
  MEAN,
  SUM,
  SUM_BY_NONZERO_WEIGHTS,
}

type Loss = (labels: Given, predictions: Given, weights?: Given | null, reduction?: Reduction) => Tensor;
/** With a number of its own between weights and reduction. */
type ParameterLoss = (
  labels: Given,
  predictions: Given,
  weights?: Given | null,
  parameter?: number,
  reduction?: Reduction,
) => Tensor;

/** The engine's numbers are the same. */
function code(reduction: Reduction): number {
  if (!(reduction in Reduction)) throw new Error(`Unknown reduction: ${reduction}`);
  return reduction;
}

const kDefault = Reduction.SUM_BY_NONZERO_WEIGHTS;

function loss(op: Op): Loss {
  return (labels, predictions, weights, reduction = kDefault) =>
    call(op, [labels, predictions, weights ?? kMissing], writeLoss, { reduction: code(reduction) });
}
function parameterLoss(op: Op, initial: number): ParameterLoss {
  return (labels, predictions, weights, parameter = initial, reduction = kDefault) =>
    call(op, [labels, predictions, weights ?? kMissing], writeLoss, { reduction: code(reduction), parameter });
}

/**
 * Losses times weights, reduced: each for itself, their mean, their sum, or their mean over weights that are not 0.
 * @example
 * tf.losses.computeWeightedLoss([1, 2], [1, 0]); // 1
 */
export function computeWeightedLoss(losses: Given, weights?: Given | null, reduction: Reduction = kDefault): Tensor {
  return call(Op.computeWeightedLoss, [losses, weights ?? kMissing], writeLoss, { reduction: code(reduction) });
}
/**
 * |labels - predictions|
 * @example
 * tf.losses.absoluteDifference([1, 2], [2, 4]); // 1.5
 */
export const absoluteDifference: Loss = loss(Op.absoluteDifference);
/**
 * (labels - predictions)², reduced.
 * @example
 * tf.losses.meanSquaredError([1, 2], [2, 4]); // 2.5
 */
export const meanSquaredError: Loss = loss(Op.meanSquaredError);
/**
 * max(0, 1 - s * predictions), where s is -1 for the label 0 and 1 for the label 1.
 * @example
 * tf.losses.hingeLoss([0, 1], [-0.5, 2]); // 0.25
 */
export const hingeLoss: Loss = loss(Op.hingeLoss);
/**
 * 1 minus the sum of labels * predictions along `axis`: both are taken to be of length 1.
 * @example
 * tf.losses.cosineDistance([1, 0], [0, 1], 0); // 1
 */
export function cosineDistance(
  labels: Given,
  predictions: Given,
  axis: number,
  weights?: Given | null,
  reduction: Reduction = kDefault,
): Tensor {
  return call(Op.cosineDistance, [labels, predictions, weights ?? kMissing], writeAxisLoss, {
    reduction: code(reduction),
    axis,
  });
}
/**
 * Half the squared error up to `delta`, and linear beyond.
 * @example
 * tf.losses.huberLoss([0, 0], [0.5, 3]); // 1.3125
 */
export const huberLoss: ParameterLoss = parameterLoss(Op.huberLoss, 1);
/**
 * Cross entropy of predictions that are probabilities; `epsilon` keeps logarithms finite.
 * @example
 * tf.losses.logLoss([1, 0], [0.9, 0.1]); // 0.1054
 */
export const logLoss: ParameterLoss = parameterLoss(Op.logLoss, 1e-7);
/**
 * Cross entropy of sigmoid(logits) with labels, which are smoothed towards 1/2.
 * @example
 * tf.losses.sigmoidCrossEntropy([1, 0], [2, -2]); // 0.1269
 */
export const sigmoidCrossEntropy: ParameterLoss = parameterLoss(Op.sigmoidCrossEntropy, 0);
/**
 * Cross entropy of softmax(logits) over the last axis with labels, which are smoothed towards all classes alike.
 * @example
 * tf.losses.softmaxCrossEntropy([[1, 0]], [[2, -2]]); // 0.0181
 */
export const softmaxCrossEntropy: ParameterLoss = parameterLoss(Op.softmaxCrossEntropy, 0);
