// What is exported and not called at random.

const kErrors = ['ContextLostError', 'DisposedError', 'InterruptedError', 'LeakError', 'LoadError', 'OutOfMemoryError', 'ShapeError'];

/** Who owns what is tested in tests/web/owner, with counts of all that is held. */
const kOwnership = [
  'ReplayMemory', 'Scope', 'TensorList', 'TensorMap', 'Variable', 'dispose', 'disposeVariables', 'expectNoLeaks', 'keep',
  'memory', 'scope', 'scopeAsync', 'setMemoryBudget', 'tidy', 'trim', '.dispose', '.kept', '.throwIfDisposed',
];

/** Of the engine, devices, models and time, none of which has a value to compare. */
const kSurroundings = [
  'Environment', 'copyRegisteredKernels', 'findBackend', 'findBackendFactory', 'getGradient', 'getKernel',
  'getKernelsForBackend', 'registerBackend', 'registerGradient', 'registerKernel', 'removeBackend', 'unregisterGradient',
  'unregisterKernel', 'LayersModel', 'Tensor', 'TensorBuffer', 'backend', 'deprecationWarn', 'disableDeprecationWarnings',
  'enableDebugMode', 'enableProdMode', 'engine', 'env', 'errorOf', 'getBackend', 'getThreadsCount', 'init', 'loadLayersModel', 'nextFrame',
  'onContextChange', 'op', 'print', 'profile', 'ready', 'setBackend', 'setPlatform', 'setThreadsCount', 'setWasmPath', 'setWasmPaths',
  'startThreads', 'time',
  'util.fetch', 'util.now', 'util.repeatedTry', 'util.bytesFromStringArray', 'util.checkConversionForErrors',
  'util.createScalarValue', 'util.convertBackendValuesAndArrayBuffer',
  '.dataId', '.print', '.bytesSync',
];

/** What TensorFlow.js draws from its own sequence of random numbers. */
const kChance = ['util.createShuffledIndices', 'util.randUniform', 'util.shuffle', 'util.shuffleCombo'];

/** Gradients have tests of their own, against finite differences. */
const kGradients = ['customGrad', 'grad', 'grads', 'valueAndGrad', 'valueAndGrads', 'variableGrads'];

/** Sums over segments: what an id out of range does is the backend's affair in TensorFlow.js. */
const kSegments = ['unsortedSegmentSum', '.unsortedSegmentSum'];

/** Of complex numbers, strings, sparse and ragged tensors: TensorFlow.js's own specs of them pass. */
const kTypes = [
  'complex', 'cosineWindow', 'enclosingPowerOfTwo', 'fft', 'ifft', 'imag', 'irfft', 'raggedGather', 'raggedRange',
  'raggedTensorToTensor', 'real', 'rfft', 'signal.frame', 'signal.hammingWindow', 'signal.hannWindow', 'signal.stft',
  'sparse.sparseFillEmptyRows', 'sparse.sparseReshape', 'sparse.sparseSegmentMean', 'sparse.sparseSegmentSum',
  'spectral.fft', 'spectral.ifft', 'spectral.irfft', 'spectral.rfft', 'string.staticRegexReplace', 'string.stringNGrams',
  'string.stringSplit', 'string.stringToHashBucketFast', 'sumOutType', 'upcastType', '.fft', '.ifft', '.irfft', '.rfft',
];

/** What builds models; tests/web/models compares each layer with TensorFlow.js's. */
const kModels = ['InputSpec', 'LayerVariable', 'RNN', 'Sequential', 'SymbolicTensor', 'input', 'model', 'sequential'];

/** What runs graphs; tests/conformance/graphs.mjs compares random ones. */
const kGraphs = ['GraphModel', 'deregisterOp', 'getRegisteredOp', 'loadGraphModel', 'loadGraphModelSync', 'registerOp'];

/** What trains; tests/web/train compares it with TensorFlow.js, and TensorFlow.js's specs test the losses. */
const kTraining = [
  'AdadeltaOptimizer', 'AdagradOptimizer', 'AdamOptimizer', 'AdamaxOptimizer', 'Callback', 'CustomCallback', 'EarlyStopping',
  'History', 'MomentumOptimizer', 'Optimizer', 'RMSPropOptimizer', 'SGDOptimizer', 'registerCallbackConstructor',
];

/** Whose values are those of TensorFlow.js's own specs and of tests/web/ops/cases.mjs. */
const kSpecified = [
  '.batchToSpaceND', '.cumprod', '.cumsum', '.depthToSpace', '.dilation2d', '.localResponseNormalization',
  '.spaceToBatchND', '.topk', '.unique', 'avgPool3d', 'basicLSTMCell', 'batchToSpaceND', 'bincount', 'bitwiseAnd',
  'conv3d', 'conv3dTranspose', 'cumprod', 'cumsum', 'denseBincount', 'depthToSpace', 'dilation2d', 'dropout',
  'einsum', 'gatherND', 'image.cropAndResize', 'image.flipLeftRight', 'image.grayscaleToRGB',
  'image.nonMaxSuppression', 'image.nonMaxSuppressionAsync', 'image.nonMaxSuppressionPadded',
  'image.nonMaxSuppressionPaddedAsync', 'image.nonMaxSuppressionWithScore', 'image.nonMaxSuppressionWithScoreAsync',
  'image.rgbToGrayscale', 'image.rotateWithOffset', 'image.threshold', 'image.transform',
  'localResponseNormalization', 'lowerBound', 'maxPool3d', 'maxPoolWithArgmax', 'movingAverage', 'multiRNNCell',
  'multinomial', 'randomGamma', 'scatterND', 'searchSorted', 'spaceToBatchND', 'sparseToDense', 'tensorScatterUpdate',
  'topk', 'unique', 'upperBound',
];

export const uncompared = new Set([
  ...kGraphs,
  ...kModels,
  ...kErrors,
  ...kOwnership,
  ...kSurroundings,
  ...kChance,
  ...kGradients,
  ...kSegments,
  ...kTypes,
  ...kTraining,
  ...kSpecified,
]);
