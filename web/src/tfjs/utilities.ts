// Namespaces of functions, as objects that a program may write to, as specs do to install spies. In those for backends,
// functions that Tenure computes inside of the engine throw.
import * as tf from '../index.js';
import { allUnsupported } from './unsupported.js';

/** Functions that `tf` does not have. */
type ExtraFunctions = Record<string, (...args: unknown[]) => never>;

const kInternal = 'the engine works it out by itself; the ops of tf that need it are there';

/** TensorFlow's enum of row partitions of a ragged tensor, by name and by number. */
const kRowPartitions: Record<string, string | number> = Object.fromEntries<string | number>(
  ['FIRST_DIM_SIZE', 'VALUE_ROWIDS', 'ROW_LENGTHS', 'ROW_SPLITS', 'ROW_LIMITS', 'ROW_STARTS'].flatMap(
    (name, i): [string, string | number][] => [
      [name, i],
      [String(i), name],
    ],
  ),
);

const kUnsupportedBackendUtil = allUnsupported(
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
  kInternal,
);
const kRagged = {
  segment_util: allUnsupported(
    'backend_util.segment_util',
    'segOpComputeOptimalWindowSize computeOutShape collectGatherOpShapeInfo',
    kInternal,
  ),
  RowPartitionType: kRowPartitions,
};
export const backend_util: typeof tf.backend_util & typeof kRagged & ExtraFunctions = Object.assign(
  kUnsupportedBackendUtil,
  kRagged,
  tf.backend_util,
);

const kSlices =
  'getNormalizedAxes sliceInfo startIndicesWithElidedDims stopIndicesWithElidedDims stridesWithElidedDims';
export const slice_util: typeof tf.slice_util & ExtraFunctions = Object.assign(
  allUnsupported('slice_util', kSlices, kInternal),
  tf.slice_util,
);

const kHash = 'tf.string.stringToHashBucketFast() has the hash';
export const util: typeof tf.util & ExtraFunctions = Object.assign(
  allUnsupported('util', 'fingerPrint64 hexToLong', kHash),
  tf.util,
);

const kVideos = 'make a video of your own for a test';
export const test_util: typeof tf.test_util & ExtraFunctions = Object.assign(
  allUnsupported('test_util', 'createVideoElement play', kVideos),
  tf.test_util,
);

export const browser: typeof tf.browser = { ...tf.browser };
export const fused: typeof tf.fused = { ...tf.fused };
export const image: typeof tf.image = { ...tf.image };
export const io: typeof tf.io = { ...tf.io };
export const linalg: typeof tf.linalg = { ...tf.linalg };
export const losses: typeof tf.losses = { ...tf.losses };
export const signal: typeof tf.signal = { ...tf.signal };
export const sparse: typeof tf.sparse = { ...tf.sparse };
export const spectral: typeof tf.spectral = { ...tf.spectral };
export const string: typeof tf.string = { ...tf.string };
export const tensor_util: typeof tf.tensor_util = { ...tf.tensor_util };
