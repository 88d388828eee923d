import { ended, opened, opening, tell } from './debug/ledger.js';
import { enterManual, leaveManual, manualHere } from './owner/place.js';
import { handOver, tidy, type TensorContainer } from './owner/scope.js';
import { makeScope } from './owner/scope_object.js';
import { recoverIfCut, wasm } from './runtime/runtime.js';
import { follow } from './runtime/scope_following.js';
import { isTapeOn } from './train/gradients.js';
import { registeredVariables, type Variable } from './train/variable.js';
import { backend, backendNames, getBackend, type BackendInfo } from './device/backend.js';
import { runKernel } from './kernels.js';
import { webglContext } from './device/webgl.js';

/** Counts and bytes, as TensorFlow.js gives them, and what lies behind. */
export interface MemoryInfo {
  /** Handles that are alive. */
  numTensors: number;
  /** Distinct buffers behind them. */
  numDataBuffers: number;
  /** Bytes of all handles; a buffer that two of them share counts twice. */
  numBytes: number;
  unreliable?: boolean;
  reasons?: string[];
  /** With a WebGL context: bytes of the textures behind tensors. */
  numBytesInGPU?: number;
  /** Those, and the bytes of free textures, kept for the next tensor. */
  numBytesInGPUAllocated?: number;
  numBytesInGPUFree?: number;
  detail: MemoryDetail;
}

/**
 * Where the engine's memory is, in bytes as they are really allocated. What the engine uses is its parts:
 * heapUsed = tensorBytes + views + pipelines + pinned + tape + weights + scratch + cpuPool. On the GPU it is
 * numBytesInGPUAllocated = gpuTextures + gpuPool.
 */
export interface MemoryDetail {
  /** What the engine has from the platform. WebAssembly never gives any of it back. */
  heapCommitted: number;
  /** What is taken of it for everything below. */
  heapUsed: number;
  /** Buffers that one tensor sees. */
  tensorBytes: number;
  /** Buffers that several tensors share, such as a tensor and its reshape: each goes with the last of them. */
  views: number;
  /** Buffers that only data pipelines hold, for the consumers that they are ahead of. */
  pipelines: number;
  /** What was disposed while it was being read, and goes when the read ends. */
  pinned: number;
  /** What only waits for gradients to be computed. */
  tape: number;
  /** Weights of models, and what plans have made of them. */
  weights: number;
  /** Working memory: what models compute in, and files that are being read. */
  scratch: number;
  /** Freed, and kept for the next tensor; `trim()` gives it back. */
  cpuPool: number;
  /** The same on the GPU. */
  gpuPool: number;
  /** Textures in use. */
  gpuTextures: number;
  /** The most that was ever in use at once, without the pools. */
  peakBytes: number;
  /** Open scopes. */
  scopes: number;
}

/**
 * How many tensors are alive, and how many bytes they and the engine take.
 * @example
 * const x = tf.zeros([1000]);
 * const y = x.reshape([10, 100]); // shares the bytes
 * const { numTensors, numDataBuffers, numBytes, detail } = tf.memory();
 * [numTensors, numDataBuffers, numBytes]; // [2, 1, 8000]
 * tf.dispose([x, y]);
 * tf.memory().numTensors; // 0
 */
export function memory(): MemoryInfo {
  recoverIfCut();
  const { numTensors, numDataBuffers, numBytes, ...parts } = wasm.memory();
  const detail = { heapCommitted: wasm.HEAPU8.length, ...parts };
  return { unreliable: false, numTensors, numDataBuffers, numBytes, ...gpuMemory(detail), detail };
}

function gpuMemory({ gpuTextures, gpuPool }: MemoryDetail): Partial<MemoryInfo> {
  if (!webglContext()) return {};
  return { numBytesInGPU: gpuTextures, numBytesInGPUAllocated: gpuTextures + gpuPool, numBytesInGPUFree: gpuPool };
}

/** Counts of memory(), as programs read them of TensorFlow.js's engine. */
export interface EngineState {
  readonly numTensors: number;
  readonly numDataBuffers: number;
  readonly numBytes: number;
  readonly registeredVariables: Record<string, Variable>;
}

/** TensorFlow.js's engine, as far as programs use it. */
export interface Engine {
  /**
   * Opens a scope until endScope(). In Node it follows the awaits of the code that opened it, and code that is in no other
   * scope is in it too, as in TensorFlow.js.
   */
  startScope(name?: string): void;
  /**
   * Closes the scope that startScope() opened last, here, and lets the tensors in `result` survive it. Throws where there
   * is none.
   */
  endScope(result?: TensorContainer): void;
  tidy: typeof tidy;
  memory: typeof memory;
  isTapeOn: typeof isTapeOn;
  runKernel: typeof runKernel;
  readonly backend: BackendInfo;
  readonly backendName: string;
  readonly registeredVariables: Record<string, Variable>;
  /** What makes each backend that there is, by name. */
  readonly registryFactory: Record<string, () => BackendInfo>;
  readonly state: EngineState;
}

const theEngine: Engine = {
  startScope(name = '') {
    follow();
    const scope = makeScope(wasm._tn_current_scope(), name, true);
    enterManual(scope);
    if (__DEBUG__) opened(scope, opening('scope', name));
  },
  endScope(result) {
    const scope = manualHere();
    if (scope === undefined) throw new Error('[endScope] there is no scope here that startScope() opened');
    try {
      handOver(result, scope);
    } finally {
      wasm._tn_end_scope(scope);
      leaveManual(scope);
      if (__DEBUG__) ended('endScope');
    }
    if (__DEBUG__) tell();
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
 * The one engine.
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
