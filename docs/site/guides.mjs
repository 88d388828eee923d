/** The guides in the order of the side bar and of the playground: title and file name. */
export const kGuides = [
  ['Your first program', 'first-program'],
  ['Memory management', 'ownership'],
  ['Migrating from TensorFlow.js', 'from-tensorflow'],
  ['Migrating from tfjs-node', 'from-tfjs-node'],
  ['tidy with async functions', 'async-scopes'],
  ['Finding memory leaks', 'finding-a-leak'],
  ['Loading and running models', 'models'],
  ['ONNX models', 'onnx'],
  ['TensorFlow Lite models', 'tflite'],
  ['Training models', 'training'],
  ['Data pipelines (tf.data)', 'data-pipelines'],
  ['GPU: WebGL and WebGPU', 'gpu'],
  ['Threads and web workers', 'threads'],
  ['Bundle size and imports', 'bundle-size'],
  ['Using the WebAssembly module', 'exports'],
  ['Using Tenure from C++', 'cpp'],
];
