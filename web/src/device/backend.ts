import { load, requireBeforeFirstOp } from '../runtime/loader.js';
import { isModuleLoaded, loadPart } from '../runtime/lazy_modules.js';
import { isLoaded, wasm, whenLoaded } from '../runtime/runtime.js';
import type { GPUDeviceLike } from '../tensor/gpu_data.js';
import { isBrowser } from './environment.js';
import { hasWebgl, startWebgl, webglContext } from './webgl.js';
import { getWebgpuDevice, hasWebgpu, startWebgpu } from './webgpu.js';

/** The engine's name of each backend, by the names that getBackend() returns. */
const kBackends = new Map([
  ['wasm', 'wasm'],
  ['cpu', 'wasm'],
  ['webgl', 'webgl'],
  ['webgpu', 'webgpu'],
]);
let current = 'wasm';
for (const part of ['gpu', 'webgl'] as const) requireBeforeFirstOp(part, isGpuDefault);
whenLoaded(() => {
  if (isGpuDefault() && startWebgl() && wasm.setBackend('webgl')) current = 'webgl';
});

/**
 * Selects the backend that ops run on: 'webgl', 'webgpu', 'wasm', or 'cpu', an alias of 'wasm'. Tensors stay where they are,
 * and are transferred when an op needs them elsewhere. Resolves to false if WebGL2 or WebGPU is not available; rejects for an
 * unknown name. In Node, 'webgpu' needs `gpu` of tf.init().
 * @example
 * await tf.setBackend('wasm'); // true
 * await tf.setBackend('abacus'); // throws Error: Backend name 'abacus' not found in registry
 */
export function setBackend(backendName: string): Promise<boolean> {
  const backend = kBackends.get(backendName);
  if (!backend) return Promise.reject(new Error(`Backend name '${backendName}' not found in registry`));
  if (!isLoaded()) return load().then(() => setBackend(backendName));
  if (backend === 'webgl') {
    if (!hasWebgl(false)) return Promise.resolve(false);
    if (!isModuleLoaded('webgl')) {
      return Promise.all([loadPart('gpu'), loadPart('webgl')]).then(() => setBackend(backendName));
    }
    if (!startWebgl()) return Promise.resolve(false);
  }
  if (backend === 'webgpu') return startWebgpu().then((isStarted) => isStarted && select(backend, backendName));
  return Promise.resolve(select(backend, backendName));
}

/** Makes ops run on a backend whose device has started. Returns false if the device was lost. */
function select(backend: string, backendName: string): boolean {
  if (!wasm.setBackend(backend)) return false;
  current = backendName;
  return true;
}

/**
 * Returns the name of the current backend.
 * @example
 * tf.getBackend(); // 'wasm'
 */
export function getBackend(): string {
  return current;
}

/** Returns the names that setBackend() accepts here: 'webgl' only in a browser, 'webgpu' only where there is WebGPU. */
export function backendNames(): string[] {
  const isHere = (name: string) => (name === 'webgl' ? isBrowser() : name !== 'webgpu' || hasWebgpu());
  return [...kBackends.keys()].filter(isHere);
}

/** True in a page or worker with a hardware GPU. */
function isGpuDefault(): boolean {
  return isBrowser() && hasWebgl(true);
}

/**
 * Loads the engine if needed, and resolves when ops can run. Rejects with a LoadError, after which it can be called
 * again.
 * @example
 * await tf.ready(); // where a page loads the engine itself, before the first op
 * tf.add(1, 2); // 3
 */
export function ready(): Promise<void> {
  return load();
}

/** Properties of the backend that programs for TensorFlow.js read. */
export interface BackendInfo {
  /** Returns the constant that losses and divisions use to stay away from 0: 1e-7. */
  epsilon(): number;
  /** Returns the number of bits of a float. */
  floatPrecision(): 16 | 32;
  /** Returns the number of distinct buffers behind tensors. */
  numDataIds(): number;
  /** Returns the engine's WebGL context. Throws if there is none. */
  getGPGPUContext(): {
    /** WebGL context. */
    gl: WebGL2RenderingContext;
  };
  /**
   * WebGPU device that the engine runs on; undefined if it runs on none. A program that uses it too encloses its own commands in
   * error scopes: the engine takes an error that none has caught as the loss of the device.
   */
  readonly device: GPUDeviceLike | undefined;
}

/**
 * Returns the properties of the current backend.
 * @example
 * tf.backend().floatPrecision(); // 32
 */
export function backend(): BackendInfo {
  return {
    device: getWebgpuDevice(),
    epsilon: () => 1e-7,
    floatPrecision: () => 32,
    numDataIds: () => wasm.memory().numDataBuffers,
    getGPGPUContext() {
      const gl = webglContext();
      if (!gl) throw new Error(`The backend '${current}' has no WebGL context`);
      return { gl };
    },
  };
}

/**
 * Resolves before the next repaint of the page; without requestAnimationFrame(), as in Node, after a timeout of 0.
 * @example
 * let painted = false;
 * setTimeout(() => (painted = true), 0);
 * while (!painted) await tf.nextFrame(); // a long loop that lets the page have its turn
 * painted; // true
 */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'undefined') setTimeout(resolve, 0);
    else requestAnimationFrame(() => resolve());
  });
}
