// Exports that random calls exclude.

const kErrors = ['ContextLostError', 'DisposedError', 'InterruptedError', 'LeakError', 'LoadError', 'OutOfMemoryError', 'ShapeError'];

/** tests/web/owner tests ownership, with counts of everything held. */
const kOwnership = [
  'ReplayMemory', 'Scope', 'TensorList', 'TensorMap', 'Variable', 'dispose', 'disposeVariables', 'expectNoLeaks', 'keep',
  'memory', 'scope', 'scopeAsync', 'setMemoryBudget', 'tidy', 'trim', '.dispose', '.kept', '.throwIfDisposed',
];

/** The engine, devices, models and time, which have no value to compare. */
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

/** TensorFlow.js draws these from its own sequence of random numbers. */
const kChance = ['util.createShuffledIndices', 'util.randUniform', 'util.shuffle', 'util.shuffleCombo'];

/** Gradients are tested against finite differences. */
const kGradients = ['customGrad', 'grad', 'grads', 'valueAndGrad', 'valueAndGrads', 'variableGrads'];

/** Segment sums: in TensorFlow.js the effect of an id out of range depends on the backend. */
const kSegments = ['unsortedSegmentSum', '.unsortedSegmentSum'];

/** Complex numbers, strings, sparse and ragged tensors: TensorFlow.js's own specs of them pass. */
const kTypes = [
  'complex', 'cosineWindow', 'enclosingPowerOfTwo', 'fft', 'ifft', 'imag', 'irfft', 'raggedGather', 'raggedRange',
  'raggedTensorToTensor', 'real', 'rfft', 'signal.frame', 'signal.hammingWindow', 'signal.hannWindow', 'signal.stft',
  'sparse.sparseFillEmptyRows', 'sparse.sparseReshape', 'sparse.sparseSegmentMean', 'sparse.sparseSegmentSum',
  'spectral.fft', 'spectral.ifft', 'spectral.irfft', 'spectral.rfft', 'string.staticRegexReplace', 'string.stringNGrams',
  'string.stringSplit', 'string.stringToHashBucketFast', 'sumOutType', 'upcastType', '.fft', '.ifft', '.irfft', '.rfft',
];

/** Model building; tests/web/models compares each layer with TensorFlow.js's. */
const kModels = ['InputSpec', 'LayerVariable', 'RNN', 'Sequential', 'SymbolicTensor', 'input', 'model', 'sequential'];

/** Graph execution; tests/conformance/graphs.mjs compares random graphs. */
const kGraphs = ['GraphModel', 'deregisterOp', 'getRegisteredOp', 'loadGraphModel', 'loadGraphModelSync', 'registerOp'];

/** Training; tests/web/train compares it with TensorFlow.js, and TensorFlow.js's specs test the losses. */
const kTraining = [
  'AdadeltaOptimizer', 'AdagradOptimizer', 'AdamOptimizer', 'AdamaxOptimizer', 'Callback', 'CustomCallback', 'EarlyStopping',
  'History', 'MomentumOptimizer', 'Optimizer', 'RMSPropOptimizer', 'SGDOptimizer', 'registerCallbackConstructor',
];

/** Ops whose values TensorFlow.js's own specs and tests/web/ops/cases.mjs check. */
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
