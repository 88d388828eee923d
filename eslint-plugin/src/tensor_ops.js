// Names of the functions and methods that return tensors, for files that are parsed without types.

const words = (text) => new Set(text.trim().split(/\s+/));

/** Functions of `tf` that make tensors. */
export const tensorOps = words(`
  abs acos acosh add addN all any argMax argMin asin asinh atan atan2 atanh avgPool avgPool3d basicLSTMCell batchNorm batchNorm2d
  batchNorm3d batchNorm4d batchToSpaceND bincount booleanMaskAsync broadcastTo cast ceil clipByValue clone complex concat
  concat1d concat2d concat3d concat4d conv1d conv2d conv2dTranspose conv3d conv3dTranspose cos cosh cumprod cumsum depthToSpace
  depthwiseConv2d diag dilation2d div divNoNan dot einsum elu ensureShape equal erf euclideanNorm exp expandDims expm1 eye fft fill
  floor floorDiv fromPixels fromPixelsAsync gather gatherND greater greaterEqual ifft imag irfft isFinite isInf isNaN leakyRelu less
  lessEqual linspace localResponseNormalization log log1p logSigmoid logSoftmax logSumExp logicalAnd logicalNot logicalOr logicalXor
  lowerBound matMul max maxPool maxPool3d maximum mean meshgrid min minimum mirrorPad mod moments movingAverage mul multinomial neg
  norm notEqual oneHot ones onesLike outerProduct pad pad1d pad2d pad3d pad4d pool pow prelu prod rand randomGamma randomNormal
  randomStandardNormal randomUniform randomUniformInt range real reciprocal relu relu6 reshape reverse reverse1d reverse2d reverse3d
  reverse4d rfft round rsqrt scalar scatterND searchSorted selu separableConv2d setdiff1dAsync sigmoid sign sin sinh slice slice1d
  slice2d slice3d slice4d softmax softplus spaceToBatchND sparseToDense split sqrt square squaredDifference squeeze stack step
  stridedSlice sub sum tan tanh tensor tensor1d tensor2d tensor3d tensor4d tensor5d tensor6d tensorScatterUpdate tile topk transpose
  truncatedNormal unique unsortedSegmentSum unstack upperBound where whereAsync zeros zerosLike
  resizeBilinear resizeNearestNeighbor cropAndResize flipLeftRight grayscaleToRGB rgbToGrayscale rotateWithOffset threshold
  hammingWindow hannWindow frame stft bandPart gramSchmidt qr
`);

/** Methods of a tensor that make others, beside those of the same name as a function. */
export const tensorMethods = new Set([
  ...tensorOps,
  ...words('as1D as2D as3D as4D as5D asScalar asType flatten reshapeAs resizeBilinear toBool toFloat toInt'),
]);

/** Functions of the ones above that return several tensors, or something that holds them. */
export const severalOps = words('split unstack topk moments unique meshgrid qr');
