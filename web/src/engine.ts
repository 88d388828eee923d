import { attributeFrees, opened, describeOpening, flushWarnings } from './debug/ledger.js';
import { enterStartedScope, leaveStartedScope, getStartedScope } from './owner/async_context.js';
import { moveToParentScope, tidy, type TensorContainer } from './owner/scope.js';
import { makeScope } from './owner/scope_object.js';
import { recoverIfInterrupted, wasm } from './runtime/runtime.js';
import { syncCurrentScope } from './runtime/async_scope_tracking.js';
import { isTapeOn } from './train/gradients.js';
import { registeredVariables, type Variable } from './train/variable.js';
import { backend, backendNames, getBackend, type BackendInfo } from './device/backend.js';
import { runKernel } from './kernels.js';
import { webglContext } from './device/webgl.js';
import { getWebgpuDevice } from './device/webgpu.js';

/** The result of memory(): counts and bytes as TensorFlow.js returns them, and a breakdown of the engine's memory. */
export interface MemoryInfo {
  /** Number of live tensors. */
  numTensors: number;
  /** Number of distinct buffers of live tensors. */
  numDataBuffers: number;
  /** Bytes of all live tensors. A buffer that two tensors share counts twice. */
  numBytes: number;
  /** Always false. In TensorFlow.js true if the counts are estimates. */
  unreliable?: boolean;
  /** Never set. In TensorFlow.js the reasons why the counts are unreliable. */
  reasons?: string[];
  /** Bytes of the textures and buffers in use. Only set with a WebGL context or a WebGPU device. */
  numBytesInGPU?: number;
  /** Bytes of all textures and buffers, in use and pooled. Only set with a WebGL context or a WebGPU device. */
  numBytesInGPUAllocated?: number;
  /** Bytes of those that are pooled for the next tensor. Only set with a WebGL context or a WebGPU device. */
  numBytesInGPUFree?: number;
  /** Breakdown of the engine's memory. */
  detail: MemoryDetail;
}

/**
 * Breakdown of the engine's memory, in bytes as allocated, with rounding and bookkeeping. On the CPU
 * heapUsed = tensorBytes + views + pipelines + pinned + tape + weights + scratch + cpuPool. On the GPU
 * numBytesInGPUAllocated = gpuTextures + gpuPool.
 */
export interface MemoryDetail {
  /** Size of the WebAssembly memory in bytes. It never shrinks. */
  heapCommitted: number;
  /** Bytes of the WebAssembly memory that the engine has allocated, pools included. */
  heapUsed: number;
  /** Bytes of buffers that belong to one tensor. */
  tensorBytes: number;
  /** Bytes of buffers that several tensors share, such as a tensor and its reshape. The last tensor frees the buffer. */
  views: number;
  /** Bytes of buffers that only data pipelines hold, which run ahead of their consumers. */
  pipelines: number;
  /** Bytes of buffers that were disposed while they are read. The end of the read frees them. */
  pinned: number;
  /** Bytes of buffers that only a tape holds, for gradients. */
  tape: number;
  /** Bytes of the weights of models, and of what plans and kernels have derived from them, such as packed weights. */
  weights: number;
  /** Bytes of working memory: of models and kernels, and of files that are being read. */
  scratch: number;
  /** Bytes of freed memory that is pooled for the next tensor. `trim()` frees it. */
  cpuPool: number;
  /** Bytes of free textures and buffers that are pooled for the next tensor. `trim()` frees them. */
  gpuPool: number;
  /** Bytes of the textures and buffers in use. */
  gpuTextures: number;
  /** Maximum of the bytes in use so far, pools excluded. */
  peakBytes: number;
  /** Number of open scopes. */
  scopes: number;
}

/**
 * Returns the number of live tensors, and the bytes that they and the engine take.
 * @example
 * const x = tf.zeros([1000]);
 * const y = x.reshape([10, 100]); // shares the bytes
 * const { numTensors, numDataBuffers, numBytes, detail } = tf.memory();
 * [numTensors, numDataBuffers, numBytes]; // [2, 1, 8000]
 * tf.dispose([x, y]);
 * tf.memory().numTensors; // 0
 */
export function memory(): MemoryInfo {
  recoverIfInterrupted();
  const { numTensors, numDataBuffers, numBytes, ...parts } = wasm.memory();
  const detail = { heapCommitted: wasm.HEAPU8.length, ...parts };
  return { unreliable: false, numTensors, numDataBuffers, numBytes, ...gpuMemory(detail), detail };
}

function gpuMemory({ gpuTextures, gpuPool }: MemoryDetail): Partial<MemoryInfo> {
  if (!webglContext() && !getWebgpuDevice()) return {};
  return { numBytesInGPU: gpuTextures, numBytesInGPUAllocated: gpuTextures + gpuPool, numBytesInGPUFree: gpuPool };
}

/** The counts of memory() and the variables, as engine().state of TensorFlow.js. */
export interface EngineState {
  /** Number of live tensors. */
  readonly numTensors: number;
  /** Number of distinct buffers of live tensors. */
  readonly numDataBuffers: number;
  /** Bytes of all live tensors. A buffer that two tensors share counts twice. */
  readonly numBytes: number;
  /** The variables that are alive, by name. */
  readonly registeredVariables: Record<string, Variable>;
}

/** The part of TensorFlow.js's engine that programs use. */
export interface Engine {
  /**
   * Opens a scope that endScope() closes. In Node the scope follows the awaits of the code that opened it. It also applies to
   * code that is in no other scope, as in TensorFlow.js.
   */
  startScope(name?: string): void;
  /**
   * Closes the scope that startScope() opened last in the running async code. The tensors in `result` survive it. Throws if
   * there is no such scope.
   */
  endScope(result?: TensorContainer): void;
  /** The function tf.tidy(). */
  tidy: typeof tidy;
  /** The function tf.memory(). */
  memory: typeof memory;
  /** Returns true while gradients are computed. */
  isTapeOn: typeof isTapeOn;
  /** Runs a kernel by name: a registered one, or one of Tenure that takes tensors and no attributes. */
  runKernel: typeof runKernel;
  /** The current backend. */
  readonly backend: BackendInfo;
  /** Name of the current backend: 'wasm', 'webgl' or 'webgpu'. */
  readonly backendName: string;
  /** The variables that are alive, by name. */
  readonly registeredVariables: Record<string, Variable>;
  /** Functions that return a backend, by the names of the available backends. */
  readonly registryFactory: Record<string, () => BackendInfo>;
  /** The current counts of memory() and the variables. */
  readonly state: EngineState;
}

const theEngine: Engine = {
  startScope(name = '') {
    syncCurrentScope();
    const scope = makeScope(wasm._tn_current_scope(), name, true);
    enterStartedScope(scope);
    if (__DEBUG__) opened(scope, describeOpening('scope', name));
  },
  endScope(result) {
    const scope = getStartedScope();
    if (scope === undefined) throw new Error('[endScope] there is no scope here that startScope() opened');
    try {
      moveToParentScope(result, scope);
    } finally {
      wasm._tn_end_scope(scope);
      leaveStartedScope(scope);
      if (__DEBUG__) attributeFrees('endScope');
    }
    if (__DEBUG__) flushWarnings();
  },
  tidy,
  memory,
  isTapeOn,
  runKernel,
  get backend() {
    return backend();
  },
  get backendName() {
    return getBackend();
  },
  registeredVariables,
  get registryFactory() {
    return Object.fromEntries(backendNames().map((name) => [name, backend]));
  },
  get state() {
    const { numTensors, numDataBuffers, numBytes } = memory();
    return { numTensors, numDataBuffers, numBytes, registeredVariables };
  },
};

/**
 * Returns the engine. There is one instance.
 * @example
 * tf.engine().startScope();
 * const x = tf.ones([2]);
 * tf.engine().endScope();
 * x.isDisposed; // true
 * tf.engine().backendName; // 'wasm'
 */
export function engine(): Engine {
  return theEngine;
}
