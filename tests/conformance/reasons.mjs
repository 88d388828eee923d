// Reasons why a spec of TensorFlow.js fails, or a name of it is missing: the only source of docs/compatibility.md. The first
// matching reason applies; entries without one are not done yet.

/** `specs` match `FILE: NAME`. */
export const reasons = [
  {
    reason: 'An element of a string buffer that was never set is an empty string, not undefined.',
    specs: [/^buffer: tf.buffer string/],
  },
  {
    reason: 'Tenure computes norms of any order; TensorFlow.js throws for them.',
    specs: [/^ops\/norm: norm vector >2-norm to throw error/],
  },
  {
    reason: 'No convolution turns the requested output shape into the shape of the input. Tenure throws an error.',
    specs: [/^ops\/conv2d_transpose: .*input=8x8x8,output=4x4x8/],
  },
  {
    reason:
      'The spec gives the weights of an Adagrad optimizer to Adam, which has two for each variable. Tenure throws an error.',
    specs: [/^optimizers\/adagrad_optimizer: .* Continue training after loading weights/],
  },
  {
    reason:
      'TensorFlow.js averages the elements of a window that are not padding, but divides the gradient among all elements of ' +
      'the window. In Tenure it is the gradient of the average.',
    specs: [/^ops\/avg_pool: .*gradient x=\[3,3,1\] f=\[3,3\] s=1 p=explicit/],
  },
  {
    reason: 'The gradient in TensorFlow.js leaves out the mirrored borders; in Tenure it includes them.',
    specs: [/^ops\/mirror_pad: mirrorPad grad/],
  },
  {
    reason: 'Tenure computes the gradient of a dilated convolution; TensorFlow.js throws.',
    specs: [/^ops\/depthwise_conv2d: depthwiseConv2d gradients throws error on dilations > 1/],
  },
  {
    reason:
      'The video of the spec has one frame, and no current frame after it was played. TensorFlow.js fails with the same error.',
    specs: [/^ops\/from_pixels: fromPixels fromPixels for HTMLVideoElement/],
  },
  {
    reason:
      'These specs run all ops on the GPU in Tenure; TensorFlow.js runs small ones on the CPU. On the GPU the error of exp(10) ' +
      'is 1.5 units in the last place, and the relative error of tan(30144) is 2e-5. With relaxed SIMD, as in Chromium, the ' +
      'error of exp(10) is 0.51 units; the spec allows 0.5.',
    specs: [/^ops\/exp: exp int32/, /^ops\/tan: tan numbers exceed float32 precision/],
  },
  {
    reason: 'An index out of range is an error on every backend; TensorFlow.js returns 0 for it on webgl.',
    specs: [/^ops\/gather: gather fills with zero when index is out of bound/],
  },
];

/** Names as TensorFlow.js exports them, or as members of its exports: `io.http`, `Tensor.abs`. */
export const absent = [
  {
    reason:
      'Helpers for the kernels of backends: shapes of windows, plans of `einsum`, splits, reshapes and ragged tensors, fused ' +
      'activations, and error messages. Tenure has the ops themselves.',
    names: [
      'DataStorage',
      'KernelBackend',
      'kernel_impls',
      ...within(
        'backend_util',
        `
        RowPartitionType applyActivation calculateShapes checkEinsumDimSizes checkPadOnDimRoundingMode
        combineRaggedTensorToTensorShapes complexWithEvenIndex complexWithOddIndex computeConv2DInfo
        computeConv3DInfo computeDefaultPad computeDilation2DInfo computePool2DInfo computePool3DInfo
        convertConv2DDataFormat decodeEinsumEquation eitherStridesOrDilationsAreOne exponent exponents
        getEinsumComputePath getEinsumPermutation getFusedBiasGradient getFusedDyActivation getPermuted
        getRaggedRank getReshaped getReshapedPermuted getRowPartitionTypesHelper getSliceBeginCoords
        getSliceSize getSparseFillEmptyRowsIndicesDenseShapeMismatch
        getSparseFillEmptyRowsNegativeIndexErrorMessage getSparseFillEmptyRowsOutOfRangeIndexErrorMessage
        getSparseReshapeEmptyTensorZeroOutputDimErrorMessage getSparseReshapeInputOutputMismatchErrorMessage
        getSparseReshapeInputOutputMultipleErrorMessage getSparseReshapeMultipleNegativeOneOutputDimErrorMessage
        getSparseReshapeNegativeOutputDimErrorMessage getSparseSegmentReductionIndicesOutOfRangeErrorMessage
        getSparseSegmentReductionNegativeSegmentIdsErrorMessage
        getSparseSegmentReductionNonIncreasingSegmentIdsErrorMessage
        getSparseSegmentReductionSegmentIdOutOfRangeErrorMessage isIdentityPermutation prepareAndValidate
        prepareSplitSize segment_util shouldFuse stridesOrDilationsArePositive tupleValuesAreOne
        validateDefaultValueShape validateInput validateUpdateShape`,
      ),
      ...within(
        'slice_util',
        `
        getNormalizedAxes sliceInfo startIndicesWithElidedDims stopIndicesWithElidedDims stridesWithElidedDims`,
      ),
    ],
  },
  {
    reason:
      'Private, or for subclasses within TensorFlow.js. Optimizers count their steps themselves, and flags are read by name.',
    names: [
      'Optimizer.fromConfig',
      ...['', 'Adadelta', 'Adagrad', 'Adam', 'Adamax', 'Momentum', 'RMSProp', 'SGD'].flatMap((kind) =>
        within(`${kind}Optimizer`, 'saveIterations extractIterations'),
      ),
      ...within('ENV', 'getQueryParams evaluateFlag populateURLFlags'),
      ...within('Environment', 'evaluateFlag populateURLFlags'),
    ],
  },
  {
    reason: 'They return 64-bit integers of the package long. `tf.string.stringToHashBucketFast` computes the hash.',
    names: within('util', 'fingerPrint64 hexToLong'),
  },
  {
    reason: 'They create and play the videos of TensorFlow.js’s specs.',
    names: within('test_util', 'createVideoElement play'),
  },
];

function within(space, names) {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${space}.${name}`);
}
