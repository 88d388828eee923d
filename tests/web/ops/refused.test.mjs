// Arguments that ops refuse: the error names the argument or its value, and nothing leaks.
import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

const box = [[0, 0, 1, 1]];
const image = [
  [
    [[1], [2]],
    [[3], [4]],
  ],
];
const volume = () => tf.ones([1, 2, 2, 2, 1]);

/** A shape parameter refuses a number, and everything else that is no array. */
const notShape = (make) => [
  [() => make(3), /TypeError: expected \w+ to be an array of integers, got 3 \(for one dimension, pass \[3\]\)$/],
  [() => make({}), /TypeError: expected \w+ to be an array of integers, got \[object Object\]$/],
];
const shaped = {
  randomUniform: (shape) => tf.randomUniform(shape),
  randomUniformInt: (shape) => tf.randomUniformInt(shape, 0, 2),
  randomNormal: (shape) => tf.randomNormal(shape),
  randomStandardNormal: (shape) => tf.randomStandardNormal(shape),
  truncatedNormal: (shape) => tf.truncatedNormal(shape),
  randomGamma: (shape) => tf.randomGamma(shape, 1),
  rand: (shape) => tf.rand(shape, () => 0),
  buffer: (shape) => tf.buffer(shape),
  TensorBuffer: (shape) => new tf.TensorBuffer(shape),
  tensor: (shape) => tf.tensor([1, 2, 3], shape),
  scatterND: (shape) => tf.scatterND([[1]], [2], shape),
  broadcastTo: (shape) => tf.broadcastTo([1], shape),
  dropout: (shape) => tf.tidy(() => tf.dropout(tf.ones([3]), 0.5, shape)),
  initializer: (shape) => tf.initializers.randomUniform({}).apply(shape),
};

const refused = [
  ...Object.values(shaped).flatMap(notShape),
  [() => tf.randomUniform(), /expected shape to be an array of integers, got undefined/],
  [() => tf.buffer(null), /expected shape to be an array of integers, got null/],
  [() => tf.topk(3), /rank 1 or higher/],
  [() => tf.batchNorm(tf.complex([1, 2], [3, 4]), 0, 1), /batchNorm does not support complex64/],
  [() => tf.logSoftmax(tf.complex([1, 2], [3, 4])), /logSoftmax does not support complex64/],
  [() => tf.losses.computeWeightedLoss([1, 2], 1, 7), /Unknown reduction: 7/],
  [() => tf.topk([1, 2], NaN), /'k' must be an integer of 32 bits, but got NaN/],
  [() => tf.unique([1], 3), /axis/],
  [() => tf.cumsum([1], 1), /axis/],
  [() => tf.cumprod([1], 0.5), /'axis' must be an integer/],
  [() => tf.bincount(tf.tensor1d([-1], 'int32'), [], 2), /Input x must be non-negative/],
  [() => tf.bincount(tf.tensor1d([1], 'int32'), [1, 2], 2), /weights must have the same shape as x or 0-length/],
  [() => tf.bincount(tf.tensor1d([1], 'int32'), [], -2), /size must be non-negative, but got -2/],
  [() => tf.searchSorted(1, 1), /at least 1-dimensional/],
  [() => tf.scatterND([[0]], [1], [-1]), /-1/],
  [() => tf.scatterND(tf.tensor2d([[0.5]]), [1], [1]), /Argument 'indices' passed to 'scatterND' must be int32/],
  [() => tf.sparseToDense([[0, 0, 0]], [1], [2, 2]), /outputShape has incorrect number of elements/],
  [() => tf.spaceToBatchND([[1, 2]], [0], [[0, 0]]), /blocks of 1 or more|divisible/],
  [() => tf.spaceToBatchND([[1, 2]], [2], [[-2, 0]]), /edges of 0 or more/],
  [
    () =>
      tf.batchToSpaceND(
        [
          [1, 2],
          [3, 4],
        ],
        [2],
        [[5, 0]],
      ),
    /cannot crop 5 of 4 elements/,
  ],
  [() => tf.depthToSpace(image, 0), /blockSize should be > 1/],
  [() => tf.depthToSpace(image, 65536), /evenly divisible|2147483647|elements/],
  [() => tf.einsum('ij', [[1]]), /without an arrow/],
  [() => tf.einsum('i...->i', [1]), /ellipsis/],
  [() => tf.einsum('ij,jk->ik', [[1]]), /Expected 2 input tensors, received 1/],
  [() => tf.einsum('ii->i', [[1]]), /duplicate axes/],
  [() => tf.einsum('ijk->i', [[1]]), /a label for each dimension of input 0/],
  [() => tf.linalg.bandPart([[1]], 0.5, 0), /numLower must be an integer, got 0.5/],
  [() => tf.linalg.gramSchmidt([]), /empty/],
  [() => tf.linalg.qr(tf.tensor1d([1])), /rank >= 2, but got rank 1/],
  [
    () => tf.conv3d(volume(), tf.ones([1, 1, 1, 2, 1]), 1, 'valid'),
    /depth of input \(1\) must match input depth for filter 2/,
  ],
  [() => tf.conv3d(volume(), tf.ones([1, 1, 1, 1, 1]), 0, 'valid'), /strides must be positive, got 0/],
  [() => tf.conv3d(volume(), tf.ones([1, 1, 1, 1, 1]), NaN, 'valid'), /must be an integer/],
  [() => tf.conv3d(volume(), tf.ones([1, 1, 1, 1, 1]), 1, 'full'), /Unknown padding parameter: full/],
  [
    () => tf.conv2dTranspose(image[0], tf.ones([1, 1, 1, 1]), [1, 2, 2, 1], 1, 'same'),
    /outputShape of 3 sizes for x of shape \[2,2,1\], but got \[1,2,2,1\]/,
  ],
  [() => tf.conv2dTranspose(image, tf.ones([1, 1, 1, 1]), [2, 2, 1], 1, 'same'), /outputShape of 4 sizes/],
  [() => tf.conv3dTranspose(volume(), tf.ones([1, 1, 1, 1, 1]), [2, 2, 2, 1], 1, 'valid'), /outputShape of 5 sizes/],
  [
    () => tf.conv3dTranspose(volume(), tf.ones([1, 1, 1, 1, 1]), [1, 9, 2, 2, 1], 1, 'valid'),
    /a depth of 9 has 9 windows/,
  ],
  [() => tf.maxPool3d(volume(), [2, 2, 2], 1, 'valid', undefined, 'NCDHW'), /Only NDHWC is currently supported/],
  [() => tf.avgPool3d(volume(), 2, 1, 1.5), /must be an integer|Unknown padding/],
  [
    () =>
      tf.maxPool(image, 1, 1, [
        [0, 0],
        [undefined, 1],
        [0, 1],
        [0, 0],
      ]),
    /Argument 'pad' must be an integer of 32 bits, but got undefined/,
  ],
  [() => tf.maxPoolWithArgmax([[1]], 1, 1, 'valid'), /rank 4/],
  [() => tf.dilation2d(image, tf.ones([1, 1, 2]), 1, 'valid'), /must have the same depth: 1 vs 2/],
  [() => tf.localResponseNormalization([1], 5), /rank/],
  [() => tf.localResponseNormalization(image, NaN), /depthRadius must be an integer but got depthRadius NaN/],
  [() => tf.image.cropAndResize(image, box, [0], [0, 1]), /cropSize must be atleast \[1,1\], but was 0,1/],
  [() => tf.image.cropAndResize(image, box, [0, 0], [1, 1]), /boxInd must be have size \[1\]/],
  [() => tf.image.cropAndResize(image, box, [0], [1, 1], 'cubic'), /must be bilinear or nearest, but was cubic/],
  [() => tf.image.transform(image, [[1, 2]]), /batch x 8 or 1 x 8/],
  [() => tf.image.transform(image, [[1, 0, 0, 0, 1, 0, 0, 0]], 'nearest', 'constant', 0, [-1, 2]), /-1/],
  [() => tf.image.rotateWithOffset([[1]], 1), /rank 4,but got rank 2/],
  [() => tf.image.threshold([[1]]), /rank 3,but got rank 2/],
  [() => tf.image.nonMaxSuppression(box, [1], 1, 2), /iouThreshold must be in \[0, 1\], but was '2'/],
  [() => tf.image.nonMaxSuppression(box, [1, 2], 1), /incompatible shape with boxes. Expected 1, but was 2/],
  [() => tf.image.nonMaxSuppressionWithScore(box, [1], 1, 0.5, 0, NaN), /softNmsSigma must be in \[0, 1\]/],
  [() => tf.signal.frame(tf.tensor1d([1, 2]), 1, 0), /frameStep of 1 or more, got 0/],
  [() => tf.signal.frame(tf.tensor1d([1, 2]), -1, 1), /frameLength of 0 or more, got -1/],
  [() => tf.signal.hannWindow(-1), /windowLength of 0 or more, got -1/],
  [() => tf.randomGamma([-1], 1), /-1/],
  [() => tf.multinomial([1, 2], -1), /numSamples of 0 or more, got -1/],
  [() => tf.multinomial([[[1, 2]]], 1), /Rank of probabilities must be 1 or 2, but is 3/],
  [() => tf.dropout(tf.tensor1d([1, 2], 'int32'), 0.5), /scaled, but got a int32 tensor instead/],
  [() => tf.dropout([1], NaN), /rate must be a float in the range \[0, 1\), but got NaN/],
  [() => tf.movingAverage([1], [1, 2], 0.5, 1), /Shape mismatch in v and x/],
  [() => tf.basicLSTMCell(1, tf.ones([2, 3]), tf.ones([3]), [[1]], [[1]], [[1]]), /kernel of four gates/],
];

for (const [call, words] of refused) {
  test(`refuses ${call.toString().slice(6)}`, () => {
    leavesNothing(() => tf.tidy(() => assert.throws(call, words)));
  });
}

test('async non-max suppression awaits its values, and refuses like the synchronous one', async () => {
  const before = tf.memory().numTensors;
  const boxes = tf.tensor2d([
    [0, 0, 1, 1],
    [0, 0, 1, 0.9],
  ]);
  const kept = await tf.image.nonMaxSuppressionPaddedAsync(boxes, [0.5, 0.75], 2, 0.5, 0, true);
  assert.deepEqual([kept.selectedIndices.arraySync(), kept.validOutputs.arraySync()], [[1, 0], 1]);
  const soft = await tf.image.nonMaxSuppressionWithScoreAsync(boxes, [0.5, 0.75], 2, 1, 0, 0.5);
  assert.deepEqual(soft.selectedIndices.arraySync(), [1, 0]);
  await assert.rejects(tf.image.nonMaxSuppressionAsync(boxes, [1], 1), /Expected 2, but was 1/);
  boxes.dispose();
  await assert.rejects(tf.image.nonMaxSuppressionAsync(boxes, [1, 1], 1), /disposed/);
  tf.dispose([kept, soft]);
  assert.equal(tf.memory().numTensors, before);
});
