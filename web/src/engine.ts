import { ended, opened, opening } from './debug/ledger.js';
import { handOver, openScope, tidy, type TensorContainer } from './scope.js';
import { wasm } from './runtime.js';
import { follow } from './scope_following.js';
import { registeredVariables, type Variable } from './variable.js';
import { webglContext } from './webgl.js';

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

/** What the engine has taken from its memory, in bytes. */
export interface MemoryDetail {
  heapUsed: number;
  /** Freed, and kept for the next tensor. */
  cpuPool: number;
  peakBytes: number;
  /** Open scopes. */
  scopes: number;
}

/** How many tensors are alive, and how many bytes they and the engine take. */
export function memory(): MemoryInfo {
  const { numTensors, numDataBuffers, numBytes, ...detail } = wasm.memory();
  return { unreliable: false, numTensors, numDataBuffers, numBytes, ...gpuMemory(), detail };
}

function gpuMemory(): Partial<MemoryInfo> {
  if (!webglContext()) return {};
  const { numBytesInGPU, numBytesInGPUAllocated, numBytesInGPUFree } = wasm.glMemory();
  return { numBytesInGPU, numBytesInGPUAllocated, numBytesInGPUFree };
}

/** TensorFlow.js's engine, as far as programs use it. */
export interface Engine {
  startScope(name?: string): void;
  /** Closes the scope opened last, and lets the tensors in `result` survive it. */
  endScope(result?: TensorContainer): void;
  tidy: typeof tidy;
  memory: typeof memory;
  readonly registeredVariables: Record<string, Variable>;
  readonly state: { readonly numTensors: number; readonly registeredVariables: Record<string, Variable> };
}

const theEngine: Engine = {
  startScope(name = '') {
    const scope = openScope();
    if (__DEBUG__) opened(scope, opening('scope', name));
  },
  endScope(result) {
    follow();
    const scope = wasm._tn_current_scope();
    handOver(result, scope);
    wasm._tn_close_scope(scope);
    if (__DEBUG__) ended('endScope');
  },
  tidy,
  memory,
  registeredVariables,
  get state() {
    return { numTensors: memory().numTensors, registeredVariables };
  },
};

/** The one engine. */
export function engine(): Engine {
  return theEngine;
}
