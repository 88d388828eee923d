// `tenure/litert`: the exports of @litertjs/core 2.5, over Tenure's engine. Tensors are arrays of JavaScript, and nothing but models
// stays in the engine between runs.
export {
  Environment,
  getDefaultEnvironment,
  getWebGpuDevice,
  setWebGpuDevice,
  type EnvironmentOptions,
} from './environment.js';
export {
  LiteRt,
  LiteRtNotLoadedError,
  getGlobalLiteRt,
  getGlobalLiteRtPromise,
  isWebGPUSupported,
  loadAndCompile,
  loadLiteRt,
  loadModelAndWeights,
  supportsFeature,
  unloadLiteRt,
  type LoadLiteRtOptions,
} from './runtime.js';
export { CompiledModel, type CompileOptions, type SignatureRunner, type TensorDetails } from './compiled_model.js';
export {
  Tensor,
  TensorBufferType,
  type Accelerator,
  type CopyOptions,
  type DType,
  type Dimensions,
  type TensorCopyFn,
  type TensorType,
  type TypedArray,
} from './tensor.js';
