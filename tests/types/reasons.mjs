// Reasons why types differ from those of TensorFlow.js, in the notation of tests/types/compare.mjs: `name` or `name.member` if
// it is missing, `name<>` and `name<>()` if type arguments cannot be given. A difference without a reason is not done yet.
// Missing values have their reasons in tests/conformance/reasons.mjs.
export const different = [
  {
    reason:
      'For packages of its own kernels: inputs and attributes by their names there. Here kernels take what `tf.add()` and its like do.',
    names: [/^[A-Z_]\w*(Inputs|Attrs)$/, 'Attribute'],
  },
  {
    reason: 'What TensorFlow.js is made of inside, for packages of its own backends.',
    names: [
      /^backend_util\.[A-Z]\w*$/,
      'DataMover',
      'ForwardFunc',
      'Tensor.kerasMask',
      'Tensor.scopeId',
      'scatter_util.ScatterShapeInfo',
      'slice_util.SliceInfo',
    ],
  },
  {
    reason: 'Textures of WebGL stay inside: they have another layout here. Buffers of WebGPU are shared.',
    names: ['DataToGPUOptions', 'DataToGPUWebGLOption', 'WebGLData', 'GPUData.texShape', 'GPUData.texture'],
  },
  {
    reason: 'The time of kernels is a number here, and no promise or error.',
    names: ['BackendTimingInfo'],
  },
  {
    reason: 'Describe a SavedModel, which only TensorFlow.js in Node with its C library reads.',
    names: [
      'MetaGraph',
      'MetaGraphInfo',
      'SavedModelTensorInfo',
      'SignatureDef',
      'SignatureDefEntry',
      'SignatureDefInfo',
    ],
  },
  {
    reason:
      "Messages of TensorFlow's files, which are read in C++: nodes of a graph come to JavaScript as `GraphNode`.",
    names: ['IAttrValue', 'INameAttrList', 'INodeDef', 'ITensor', 'ITensorShape', 'ModelTensorInfo.tfDtype'],
  },
  {
    reason: 'Undocumented, and without a use beside how a model of TensorFlow.js finds its layers and trains.',
    names: [
      ...within(
        'LayersModel',
        `
        containerNodes feedInputShapes findLayer fitLoop inputLayersNodeIndices inputLayersTensorIndices internalContainerRefs
        layersByDepth loadTrainingConfig lossFunctions metricsTensors nodesByDepth outputLayersNodeIndices
        outputLayersTensorIndices`,
      ),
      ...within('CustomCallback', 'maybeWait nextFrameFunc nowFunc'),
      ...within('data.CSVDataset', 'base makeDataElement'),
      'RNN.stateSpec',
      ...within('layers.RNNCell', 'dropoutMask recurrentDropoutMask'),
      'data.Dataset.MAX_BUFFER_SIZE',
      'Environment.getQueryParams',
    ],
  },
  {
    reason:
      'Taken by types alone: TensorFlow.js makes the cell itself, and its dropout is no option of its documentation.',
    names: ['SimpleRNNLayerArgs.cell', 'SimpleRNNLayerArgs.dropoutFunc', 'SimpleRNNCellLayerArgs.dropoutFunc'],
  },
  {
    reason:
      'Makes an object of a class that it is given, or hands on what it is given: a cast says here what a program knows of it.',
    names: [
      'RNN.fromConfig<>()',
      'LayersModel.fromConfig<>()',
      'Sequential.fromConfig<>()',
      ...within('layers', 'Layer.fromConfig<>() RNNCell.fromConfig<>()'),
      ...within('util', 'checkConversionForErrors<>() makeZerosNestedTypedArray<>()'),
    ],
  },
  {
    reason: 'An object of functions here, and no class: `typeof tf.train`.',
    names: ['OptimizerConstructors as a type'],
  },
  {
    reason: "One version is that of all: `tf.version_core`, or in `tenure/tfjs` each of its packages'.",
    names: ['data.version_data'],
  },
  {
    reason: 'The type of what Jasmine gives a test of its own.',
    names: ['test_util.DoneFn'],
  },
];

function within(space, names) {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${space}.${name}`);
}
