// `tenure/tfjs`: the exports of @tensorflow/tfjs 4.22 and of its core, layers, converter, data and backend packages,
// under one name. It is the package `tenure`, extended by what only packages written for TensorFlow.js use.
import * as tf from '../index.js';
import { data as all } from '../index.js';

export * from '../index.js';
export {
  BackendWasm,
  DataStorage,
  GPGPUContext,
  KernelBackend,
  MathBackendCPU,
  MathBackendWebGL,
  WebGPUBackend,
  forceHalfFloat,
  gpgpu_util,
  kernel_impls,
  setWebGLContext,
  shared,
  webgl,
  webgl_util,
  webgpu_util,
} from './backends.js';
export { ENGINE, engine } from './engine.js';
export { keep } from './keep.js';
export * from './kernel_names.js';
export { getKernel, registerGradient, registerKernel } from './kernels.js';
export { findBackend, findBackendFactory, getBackend, registerBackend, removeBackend, setBackend } from './registry.js';
export * from './testing.js';
export {
  backend_util,
  browser,
  fused,
  image,
  io,
  linalg,
  losses,
  signal,
  slice_util,
  sparse,
  spectral,
  string,
  tensor_util,
  test_util,
  util,
} from './utilities.js';
export { setWasmPath, setWasmPaths } from './wasm.js';

const { version_core: version_tfjs } = tf;
export {
  version_tfjs as version_converter,
  version_tfjs as version_cpu,
  version_tfjs as version_data,
  version_tfjs as version_wasm,
  version_tfjs as version_webgl,
  version_tfjs as version_webgpu,
};
/** The versions of TensorFlow.js's packages whose API this is, and Tenure's. */
export const version = {
  ...tf.version,
  'tfjs-converter': version_tfjs,
  'tfjs-data': version_tfjs,
  'tfjs-backend-cpu': version_tfjs,
  'tfjs-backend-webgl': version_tfjs,
};

export const {
  array,
  csv,
  func,
  generator,
  microphone,
  webcam,
  zip,
  CSVDataset,
  Dataset,
  FileDataSource,
  TextLineDataset,
  URLDataSource,
} = all;
export { CallbackList } from './callback_list.js';
/** Exported by TensorFlow.js in `dist/io/io_utils`. */
export const { decodeWeightsStream } = tf.io;
