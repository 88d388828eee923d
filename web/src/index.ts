/// <reference lib="esnext.disposable" preserve="true" />
import { markLibraryEnd } from './debug/library_frames.js';
import * as data from './data/index.js';
import * as browser from './device/browser.js';
import * as fused from './ops/nn/fused.js';
import * as image from './ops/image/image.js';
import * as losses from './ops/math/losses.js';
import * as linalg from './ops/math/linalg.js';
import * as math from './ops/math/math.js';
import * as signal from './ops/math/signal.js';
import * as io from './io/index.js';
import * as constraints from './models/layers/constraints.js';
import * as initializers from './models/layers/initializers.js';
import * as layers from './models/layers/layer_exports.js';
import * as regularizers from './models/layers/regularizers.js';
import { modelFromJSON } from './models/load.js';
import * as metrics from './train/metrics.js';
import type * as nodeApi from './node/index.js';
import * as sparse from './ops/text/sparse.js';
import * as spectral from './ops/math/spectral.js';
import * as string from './ops/text/string.js';
import * as serialization from './util/serialization.js';
import * as backend_util from './util/backend_util.js';
import * as broadcast_util from './util/broadcast.js';
import * as device_util from './device/device_util.js';
import {
  calculateShapes,
  prepareAndValidate,
  validateInput,
  validateUpdateShape,
} from './ops/movement/scatter_util.js';
import * as tensor_util from './ops/tensor_util.js';
import * as test_util from './util/test_util.js';
import * as slice_util from './util/slice_util.js';
import * as util from './util/index.js';
import { attachLargestTensors } from './owner/memory_breakdown.js';
import { installMethods } from './ops/methods.js';
import { installVariable } from './train/variable.js';
import { onOutOfMemory } from './runtime/runtime.js';

installMethods();
installVariable();
onOutOfMemory(attachLargestTensors);

export const scatter_util = { calculateShapes, validateInput, validateUpdateShape };
export const gather_util = { prepareAndValidate };

export const models = { modelFromJSON };

export { constraints, initializers, layers, regularizers };
export {
  backend_util,
  broadcast_util,
  browser,
  data,
  device_util,
  fused,
  image,
  io,
  linalg,
  losses,
  math,
  metrics,
  serialization,
  signal,
  slice_util,
  sparse,
  spectral,
  string,
  tensor_util,
  test_util,
  util,
};
export { OP_SCOPE_SUFFIX, op } from './ops/operation.js';
export { sumOutType, upcastType } from './util/dtypes.js';
export * from './ops/math/add_n.js';
export * from './ops/nn/batch_norm.js';
export * from './ops/math/binary.js';
export * from './ops/math/bits.js';
export * from './ops/async_ops.js';
export * from './ops/math/cast.js';
export * from './ops/math/complex.js';
export * from './ops/movement/concat.js';
export * from './ops/nn/conv.js';
export * from './ops/math/cosine_window.js';
export * from './ops/movement/create.js';
export * from './ops/math/cumulative.js';
export * from './ops/math/einsum.js';
export * from './ops/movement/gather.js';
export * from './ops/math/matmul.js';
export * from './ops/math/norm.js';
export * from './ops/movement/pad.js';
export * from './ops/math/parametric.js';
export * from './ops/nn/pool.js';
export * from './ops/text/ragged.js';
export * from './ops/math/random.js';
export * from './ops/nn/recurrent.js';
export * from './ops/math/reduce.js';
export * from './ops/movement/reverse.js';
export * from './ops/movement/scatter.js';
export * from './ops/movement/shapes.js';
export * from './ops/movement/slice.js';
export * from './ops/math/sort.js';
export * from './ops/movement/batch_to_space.js';
export * from './ops/math/softmax.js';
export * from './ops/math/spectral.js';
export * from './ops/movement/split.js';
export * from './ops/movement/tensor_creation.js';
export * from './ops/movement/tile.js';
export * from './ops/movement/transpose.js';
export * from './ops/math/unary.js';
export * from './ops/movement/reshape.js';
export * from './ops/nn/conv3d.js';
export * from './ops/movement/where.js';
export * from './ops/nn/dilation_lrn.js';

export { customGrad, type CustomGradientFunc, type GradSaveFunc } from './train/custom_grad.js';
export { grad, grads, valueAndGrad, valueAndGrads, variableGrads } from './train/gradients.js';
export { backend, getBackend, nextFrame, ready, setBackend, type BackendInfo } from './device/backend.js';
export {
  ENV,
  Environment,
  deprecationWarn,
  disableDeprecationWarnings,
  enableDebugMode,
  enableProdMode,
  env,
  setPlatform,
} from './device/environment.js';
export type { Platform } from './runtime/platform.js';
export { debug, type Debug } from './debug/debug.js';
export type { DebugEvent } from './debug/events.js';
export type { Grouping, LiveTensorGroup } from './debug/report.js';
export type { LiveTensor, Snapshot, SnapshotDiff } from './debug/snapshot.js';
export {
  copyRegisteredKernels,
  findBackend,
  findBackendFactory,
  getGradient,
  getKernel,
  getKernelsForBackend,
  registerBackend,
  registerGradient,
  registerKernel,
  removeBackend,
  unregisterGradient,
  unregisterKernel,
  type GradConfig,
  type GradFunc,
  type KernelBackend,
  type KernelConfig,
  type KernelDisposeFunc,
  type KernelFunc,
  type KernelSetupFunc,
  type NamedAttrMap,
  type NamedTensorInfoMap,
  type TensorInfo,
} from './kernels.js';
export { memory, engine, type Engine, type MemoryInfo, type MemoryDetail } from './engine.js';
export {
  ContextLostError,
  InterruptedError,
  DisposedError,
  LeakError,
  LoadError,
  OutOfMemoryError,
  ShapeError,
  type MemoryHolder,
  type TensorGroup,
} from './runtime/errors.js';
export { init, type InitOptions } from './runtime/loader.js';
export { getThreadsCount, setThreadsCount, startThreads } from './runtime/threads.js';
export { setWasmPath, setWasmPaths } from './runtime/wasm_files.js';
export { setMemoryBudget, trim } from './owner/budget.js';
export { expectNoLeaks, type LeakOptions } from './owner/expect_no_leaks.js';
export { input } from './models/layers/input_layer.js';
export { InputSpec } from './models/layers/input_spec.js';
export { LayerVariable } from './models/layers/layer_variable.js';
export { LayersModel, model } from './models/layers_model.js';
export { loadLayersModel, type ModelAndWeightsConfig } from './models/load.js';
export { RNN } from './models/layers/recurrent.js';
export type {
  GRUCellLayerArgs,
  GRULayerArgs,
  LSTMCellLayerArgs,
  LSTMLayerArgs,
  RNNLayerArgs,
  SimpleRNNCellLayerArgs,
  SimpleRNNLayerArgs,
} from './models/layers/layers.js';
export type { ActivationIdentifier } from './models/identifiers.js';
export { Sequential, sequential, type SequentialArgs } from './models/sequential.js';
export { SymbolicTensor } from './models/layers/symbolic_tensor.js';
export {
  GraphModel,
  loadGraphModel,
  loadGraphModelSync,
  type ModelSignature,
  type NamedTensorsMap,
} from './models/graph_model/graph_model.js';
export {
  OnnxModel,
  loadOnnxModel,
  type OnnxExternalData,
  type OnnxHandler,
  type OnnxLoadOptions,
  type OnnxInputs,
  type OnnxTensorInfo,
  type OnnxValue,
} from './models/graph_model/onnx_model.js';
export type { TFLiteQuantization, TFLiteSignature } from './models/graph_description.js';
export {
  TFLiteModel,
  loadTFLiteModel,
  type TFLiteHandler,
  type TFLiteLoadOptions,
  type TFLiteTensorInfo,
} from './models/graph_model/tflite_model.js';
export {
  deregisterOp,
  getRegisteredOp,
  registerOp,
  type GraphNode,
  type OpExecutor,
} from './models/graph_model/registered_ops.js';
export type { GPUBufferLike, GPUData, GPUDeviceLike, WebGPUData } from './tensor/gpu_data.js';
export type { DrawOptions, PixelData, PixelSource } from './device/browser.js';
export type { InferenceModel, ModelPredictConfig, ModelTensorInfo } from './io/types.js';
export type { Methods } from './ops/methods.js';
export type * from './ops/tensor_methods.js';
export type * from './train/tensor_methods.js';
export { Callback, EarlyStopping, callbacks, type EarlyStoppingCallbackArgs } from './models/model_callbacks.js';
export {
  CustomCallback,
  History,
  registerCallbackConstructor,
  type CustomCallbackArgs,
  type Logs,
  type YieldEveryOptions,
} from './train/callbacks.js';
export type { ModelEvaluateArgs, ModelFitArgs } from './train/fit.js';
export type { ModelEvaluateDatasetArgs, ModelFitDatasetArgs } from './train/fit_dataset.js';
export type { ClassWeight, ClassWeightMap } from './train/samples.js';
export type { ModelCompileArgs } from './train/trainer.js';
export {
  dispose,
  keep,
  tidy,
  type TensorContainer,
  type TensorContainerArray,
  type TensorContainerObject,
} from './owner/scope.js';
export { profile, time, type KernelInfo, type ProfileInfo, type TimingInfo } from './profile.js';
export { ReplayMemory, type Experience, type ReplayMemoryOptions } from './owner/replay_memory.js';
export { scopeAsync } from './owner/scope_async.js';
export { Scope, scope, type ScopeOptions } from './owner/scope_object.js';
export {
  Tensor,
  type DataId,
  type NamedTensorMap,
  type Scalar,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  type Tensor4D,
  type Tensor5D,
  type Tensor6D,
} from './tensor/tensor.js';
export { TensorList } from './owner/tensor_list.js';
export { TensorMap } from './owner/tensor_map.js';
export { TensorBuffer } from './tensor/buffer.js';
/** Functions for image files and TensorBoard event files, with the API of tfjs-node. Only the entry for Node defines it. */
export declare const node: typeof nodeApi;
export { version, version_core, version_layers } from './util/version.js';
export { onContextChange, type ContextEvent } from './device/context_events.js';
export { Variable, disposeVariables, variable } from './train/variable.js';
export { Optimizer, type NamedTensor } from './train/optimizer.js';
export {
  AdadeltaOptimizer,
  AdagradOptimizer,
  AdamOptimizer,
  AdamaxOptimizer,
  MomentumOptimizer,
  RMSPropOptimizer,
  SGDOptimizer,
} from './train/optimizer_classes.js';
export { train, train as OptimizerConstructors } from './train/optimizers.js';
export { Reduction } from './ops/math/losses.js';
export { Rank } from './runtime/types.js';
export type {
  ArrayMap,
  BackendValues,
  DataType,
  DataTypeFor,
  DataTypeMap,
  DataValues,
  FlatVector,
  NumericDataType,
  RecursiveArray,
  ScalarLike,
  Shape,
  ShapeMap,
  SingleValueMap,
  TensorLike,
  TensorLike1D,
  TensorLike2D,
  Text,
  TypedArray,
} from './runtime/types.js';

if (__DEBUG__) markLibraryEnd();
