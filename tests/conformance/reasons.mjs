// Reasons why a spec of TensorFlow.js fails, or a name of it is missing: the only source of docs/compatibility.md. The first
// matching reason applies; entries without one are not done yet.

/** `specs` match `FILE: NAME`. */
export const reasons = [
  {
    reason: 'A string that nobody has written is empty, and not undefined.',
    specs: [/^buffer: tf.buffer string/],
  },
  {
    reason: 'Tenure has the norm of any order, where TensorFlow.js throws.',
    specs: [/^ops\/norm: norm vector >2-norm to throw error/],
  },
  {
    reason: 'The output has another shape than a convolution of it could give the input: Tenure says so.',
    specs: [/^ops\/conv2d_transpose: .*input=8x8x8,output=4x4x8/],
  },
  {
    reason: 'Gives Adam what Adagrad remembers: half of it, of one tensor, is none. Tenure says that it does not fit.',
    specs: [/^optimizers\/adagrad_optimizer: .* Continue training after loading weights/],
  },
  {
    reason:
      'TensorFlow.js gives every cell of a window, those in the padding too, an equal share of the gradient, but takes ' +
      'the mean of those inside; the gradient here is that of the mean.',
    specs: [/^ops\/avg_pool: .*gradient x=\[3,3,1\] f=\[3,3\] s=1 p=explicit/],
  },
  {
    reason: 'TensorFlow.js leaves out of the gradient what was mirrored; here it is added where it came from.',
    specs: [/^ops\/mirror_pad: mirrorPad grad/],
  },
  {
    reason: 'Tenure has the gradient of a dilated convolution, where TensorFlow.js throws.',
    specs: [/^ops\/depthwise_conv2d: depthwiseConv2d gradients throws error on dilations > 1/],
  },
  {
    reason:
      'The video has one frame, and none to show once it has been played: TensorFlow.js refuses it in the same words.',
    specs: [/^ops\/from_pixels: fromPixels fromPixels for HTMLVideoElement/],
  },
  {
    reason:
      'The table of WebGL has every op on the GPU, where TensorFlow.js leaves small ones to the CPU: there exp(10) is 1.5 ' +
      'units of the last place off, and a tangent of 30144 by 2e-5 of itself. With relaxed SIMD, as in Chromium, exp(10) is ' +
      '0.51 units off, of which the spec allows 0.5.',
    specs: [/^ops\/exp: exp int32/, /^ops\/tan: tan numbers exceed float32 precision/],
  },
  {
    reason: 'An index outside the tensor is refused on every backend, where TensorFlow.js gives 0 on webgl.',
    specs: [/^ops\/gather: gather fills with zero when index is out of bound/],
  },
];

/** Names as TensorFlow.js exports them, or as members of its exports: `io.http`, `Tensor.abs`. */
export const absent = [
  {
    reason:
      'What TensorFlow.js is made of inside, for packages of its own kernels and backends: shapes of windows, plans of ' +
      '`einsum`, splits, reshapes and ragged tensors, fused activations, and messages. The ops themselves are here.',
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
      'Private, or for subclasses of its own: an optimizer counts its steps by itself, and flags are read by name.',
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
    reason: 'Integers of 64 bits in a package of their own: `tf.string.stringToHashBucketFast` has the hash.',
    names: within('util', 'fingerPrint64 hexToLong'),
  },
  {
    reason: 'Makes and plays the videos of its own tests.',
    names: within('test_util', 'createVideoElement play'),
  },
];

function within(space, names) {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${space}.${name}`);
}
