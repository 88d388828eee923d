// Spaces of functions for backends, with what Tenure computes inside of the engine as functions that say so.
import * as tf from '../index.js';
import { allUnsupported } from './unsupported.js';

const kInside = 'the engine works it out by itself; the ops of tf that need it are there';

/** How rows of a ragged tensor are told apart, by TensorFlow's numbers. */
const kRowPartitions: Record<string, string | number> = Object.fromEntries<string | number>(
  ['FIRST_DIM_SIZE', 'VALUE_ROWIDS', 'ROW_LENGTHS', 'ROW_SPLITS', 'ROW_LIMITS', 'ROW_STARTS'].flatMap((name, i): [string, string | number][] => [
    [name, i],
    [String(i), name],
  ]),
);

export const backend_util = {
  ...allUnsupported(
    'backend_util',
    `applyActivation calculateShapes checkEinsumDimSizes checkPadOnDimRoundingMode combineRaggedTensorToTensorShapes
    complexWithEvenIndex complexWithOddIndex computeConv2DInfo computeConv3DInfo computeDefaultPad computeDilation2DInfo
    computePool2DInfo computePool3DInfo convertConv2DDataFormat decodeEinsumEquation eitherStridesOrDilationsAreOne
    exponent exponents getEinsumComputePath getEinsumPermutation getFusedBiasGradient getFusedDyActivation getPermuted
    getRaggedRank getReshaped getReshapedPermuted getRowPartitionTypesHelper getSliceBeginCoords getSliceSize
    getSparseFillEmptyRowsIndicesDenseShapeMismatch getSparseFillEmptyRowsNegativeIndexErrorMessage
    getSparseFillEmptyRowsOutOfRangeIndexErrorMessage getSparseReshapeEmptyTensorZeroOutputDimErrorMessage
    getSparseReshapeInputOutputMismatchErrorMessage getSparseReshapeInputOutputMultipleErrorMessage
    getSparseReshapeMultipleNegativeOneOutputDimErrorMessage getSparseReshapeNegativeOutputDimErrorMessage
    getSparseSegmentReductionIndicesOutOfRangeErrorMessage getSparseSegmentReductionNegativeSegmentIdsErrorMessage
    getSparseSegmentReductionNonIncreasingSegmentIdsErrorMessage
    getSparseSegmentReductionSegmentIdOutOfRangeErrorMessage isIdentityPermutation prepareAndValidate prepareSplitSize
    shouldFuse stridesOrDilationsArePositive tupleValuesAreOne validateDefaultValueShape validateInput
    validateUpdateShape`,
    kInside,
  ),
  segment_util: allUnsupported('backend_util.segment_util', 'segOpComputeOptimalWindowSize computeOutShape collectGatherOpShapeInfo', kInside),
  RowPartitionType: kRowPartitions,
  ...tf.backend_util,
};

export const slice_util = {
  ...allUnsupported('slice_util', 'getNormalizedAxes sliceInfo startIndicesWithElidedDims stopIndicesWithElidedDims stridesWithElidedDims', kInside),
  ...tf.slice_util,
};

export const util = {
  ...allUnsupported('util', 'fingerPrint64 hexToLong', 'tf.string.stringToHashBucketFast() has the hash'),
  ...tf.util,
};

export const test_util = {
  ...allUnsupported('test_util', 'createVideoElement play', 'make a video of your own for a test'),
  ...tf.test_util,
};
