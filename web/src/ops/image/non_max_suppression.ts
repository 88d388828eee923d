// Non-maximum suppression of overlapping boxes. The asynchronous forms wait for the values without blocking.
import { Op, writeSuppression } from '../../generated/ops.js';
import { callAll } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import { Tensor, type Scalar, type Tensor1D, type Tensor2D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

type Boxes = Tensor2D | TensorLike;
type Scores = Tensor1D | TensorLike;

interface Scored {
  /** Indices of the boxes that are kept, highest score first. */
  selectedIndices: Tensor1D;
  /** Scores of these boxes, lowered by soft suppression. */
  selectedScores: Tensor1D;
}

interface Padded {
  /** Indices of the boxes that are kept, highest score first, then the padding. */
  selectedIndices: Tensor1D;
  /** Number of the indices that are not padding. */
  validOutputs: Scalar;
}

function suppress(
  boxes: Boxes,
  scores: Scores,
  maxOutputSize: number,
  iouThreshold = 0.5,
  scoreThreshold = Number.NEGATIVE_INFINITY,
  softSigma = 0,
  pads = false,
): [Tensor1D, Tensor1D, Scalar] {
  const within = (value: number, name: string) => {
    assert(value >= 0 && value <= 1, () => `${name} must be in [0, 1], but was '${value}'`);
  };
  within(iouThreshold, 'iouThreshold');
  within(softSigma, 'softNmsSigma');
  const inputs = [
    toInput(boxes, 'boxes', 'nonMaxSuppression', 'float32'),
    toInput(scores, 'scores', 'nonMaxSuppression', 'float32'),
  ];
  return callAll(Op.nonMaxSuppression, inputs, writeSuppression, {
    maxOutputSize,
    iouThreshold,
    scoreThreshold,
    softSigma,
    pads,
  }) as [Tensor1D, Tensor1D, Scalar];
}

/** Reads tensors back from a device without blocking, so that the engine's read of them does not wait. */
async function awaitValues(...given: (Tensor | TensorLike)[]): Promise<void> {
  await Promise.all(given.filter((one) => one instanceof Tensor).map((one) => one.data()));
}

/**
 * Returns the indices of the boxes that non-maximum suppression keeps, highest score first.
 * @param boxes Boxes [y1, x1, y2, x2], [count, 4].
 * @param scores Score of each box.
 * @param maxOutputSize Maximum number of boxes to keep.
 * @param iouThreshold Overlap, intersection over union from 0 to 1, above which a box is suppressed by a better one.
 * @param scoreThreshold Boxes with scores up to this value are not kept.
 * @example
 * const boxes = [[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]]; // y1, x1, y2, x2
 * tf.image.nonMaxSuppression(boxes, [0.9, 0.8, 0.7], 10); // [0, 2]
 */
export function nonMaxSuppression(
  boxes: Boxes,
  scores: Scores,
  maxOutputSize: number,
  iouThreshold = 0.5,
  scoreThreshold = Number.NEGATIVE_INFINITY,
): Tensor1D {
  const [indices, ...rest] = suppress(boxes, scores, maxOutputSize, iouThreshold, scoreThreshold);
  for (const tensor of rest) tensor.dispose();
  return indices;
}

/**
 * Returns the indices and scores of the boxes that soft non-maximum suppression keeps, highest score first (Bodla et al., 2017).
 * @param boxes Boxes [y1, x1, y2, x2], [count, 4].
 * @param scores Score of each box.
 * @param maxOutputSize Maximum number of boxes to keep.
 * @param iouThreshold Overlap, intersection over union from 0 to 1, above which a box is suppressed by a better one.
 * @param scoreThreshold Boxes with scores up to this value are not kept.
 * @param softNmsSigma Width, from 0 to 1, of the Gaussian by which a better box lowers the scores of overlapping ones; 0 for none.
 * @example
 * const boxes = [[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]];
 * const { selectedIndices, selectedScores } = tf.image.nonMaxSuppressionWithScore(boxes, [0.9, 0.8, 0.7], 10, 1, 0, 0.5);
 * selectedIndices; // [0, 2, 1]
 * selectedScores; // [0.9, 0.7, 0.3559]
 */
export function nonMaxSuppressionWithScore(
  boxes: Boxes,
  scores: Scores,
  maxOutputSize: number,
  iouThreshold = 0.5,
  scoreThreshold = Number.NEGATIVE_INFINITY,
  softNmsSigma = 0,
): Scored {
  const [selectedIndices, selectedScores, valid] = suppress(
    boxes,
    scores,
    maxOutputSize,
    iouThreshold,
    scoreThreshold,
    softNmsSigma,
  );
  valid.dispose();
  return { selectedIndices, selectedScores };
}

/**
 * Returns the indices of the boxes that non-maximum suppression keeps, highest score first, and their number.
 * @param boxes Boxes [y1, x1, y2, x2], [count, 4].
 * @param scores Score of each box.
 * @param maxOutputSize Maximum number of boxes to keep.
 * @param iouThreshold Overlap, intersection over union from 0 to 1, above which a box is suppressed by a better one.
 * @param scoreThreshold Boxes with scores up to this value are not kept.
 * @param padToMaxOutputSize True to pad the indices with zeros to `maxOutputSize`.
 * @example
 * const boxes = [[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]];
 * const { selectedIndices, validOutputs } = tf.image.nonMaxSuppressionPadded(boxes, [0.9, 0.8, 0.7], 4, 0.5, 0, true);
 * selectedIndices; // [0, 2, 0]
 * validOutputs; // 2
 */
export function nonMaxSuppressionPadded(
  boxes: Boxes,
  scores: Scores,
  maxOutputSize: number,
  iouThreshold = 0.5,
  scoreThreshold = Number.NEGATIVE_INFINITY,
  padToMaxOutputSize = false,
): Padded {
  const [selectedIndices, lowered, validOutputs] = suppress(
    boxes,
    scores,
    maxOutputSize,
    iouThreshold,
    scoreThreshold,
    0,
    padToMaxOutputSize,
  );
  lowered.dispose();
  return { selectedIndices, validOutputs };
}

/**
 * Returns the result of nonMaxSuppression() without blocking for values that a device is still computing.
 * @example
 * await tf.image.nonMaxSuppressionAsync([[0, 0, 1, 1], [0, 0, 1, 0.9]], [0.9, 0.8], 10); // [0]
 */
export async function nonMaxSuppressionAsync(...args: Parameters<typeof nonMaxSuppression>): Promise<Tensor1D> {
  await awaitValues(args[0], args[1]);
  return nonMaxSuppression(...args);
}

/**
 * Returns the result of nonMaxSuppressionWithScore() without blocking for values that a device is still computing.
 * @example
 * const { selectedScores } = await tf.image.nonMaxSuppressionWithScoreAsync([[0, 0, 1, 1], [0, 2, 1, 3]], [0.9, 0.8], 10);
 * selectedScores; // [0.9, 0.8]
 */
export async function nonMaxSuppressionWithScoreAsync(
  ...args: Parameters<typeof nonMaxSuppressionWithScore>
): Promise<Scored> {
  await awaitValues(args[0], args[1]);
  return nonMaxSuppressionWithScore(...args);
}

/**
 * Returns the result of nonMaxSuppressionPadded() without blocking for values that a device is still computing.
 * @example
 * const { validOutputs } = await tf.image.nonMaxSuppressionPaddedAsync([[0, 0, 1, 1], [0, 2, 1, 3]], [0.9, 0.8], 10);
 * validOutputs; // 2
 */
export async function nonMaxSuppressionPaddedAsync(
  ...args: Parameters<typeof nonMaxSuppressionPadded>
): Promise<Padded> {
  await awaitValues(args[0], args[1]);
  return nonMaxSuppressionPadded(...args);
}
