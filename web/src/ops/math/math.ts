// tf.math
import { Op, writeClasses } from '../../generated/ops.js';
import { call } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor1D, Tensor2D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Computes the confusion matrix: how often each class of labels (rows) was predicted as each class (columns).
 * @param labels Index of the true class of each sample.
 * @param predictions Index of the predicted class of each sample.
 * @param numClasses Number of classes. Throws unless it is a positive integer.
 * @example
 * tf.math.confusionMatrix(tf.tensor1d([0, 1, 1], 'int32'), tf.tensor1d([0, 1, 0], 'int32'), 2); // [[1, 0], [1, 1]]
 */
export function confusionMatrix(
  labels: Tensor1D | TensorLike,
  predictions: Tensor1D | TensorLike,
  numClasses: number,
): Tensor2D {
  const isCount = numClasses > 0 && Number.isInteger(numClasses);
  const given = numClasses === undefined || numClasses === null ? '' : 'If provided, ';
  assert(isCount, () => `${given}numClasses must be a positive integer, but got ${numClasses}`);
  return call(Op.confusionMatrix, [labels, predictions], writeClasses, {
    classes: numClasses,
  });
}
