import { load, requireBeforeFirstOp } from '../runtime/loader.js';
import { isModuleLoaded, loadPart } from '../runtime/lazy_modules.js';
import { isLoaded, wasm, whenLoaded } from '../runtime/runtime.js';
import type { GPUDeviceLike } from '../tensor/gpu_data.js';
import { isBrowser } from './environment.js';
import { hasWebgl, startWebgl, webglContext } from './webgl.js';
import { getPipelines, getWebgpuDevice, hasWebgpu, startWebgpu } from './webgpu.js';

/** The engine's name of each backend, by the names that getBackend() returns. */
const kBackends = new Map([
  ['wasm', 'wasm'],
  ['cpu', 'wasm'],
  ['webgl', 'webgl'],
  ['webgpu', 'webgpu'],
]);
let current = 'wasm';
/** Numbers of the last call of setBackend(), and of the one that selected the current backend. */
const calls = { last: 0, selected: 0 };
for (const part of ['gpu', 'webgl'] as const) requireBeforeFirstOp(part, isGpuDefault);
whenLoaded(() => {
  if (isGpuDefault() && startWebgl() && wasm.setBackend('webgl')) current = 'webgl';
});

/**
 * Selects the backend that ops run on: 'webgl', 'webgpu', 'wasm', or 'cpu', an alias of 'wasm'. Tensors stay where they are,
 * and are transferred when an op needs them elsewhere. Resolves to false if WebGL2 or WebGPU is not available, or if a later call
 * has selected another backend meanwhile; rejects for an unknown name. In Node, 'webgpu' needs `gpu` of tf.init().
 * @example
 * await tf.setBackend('wasm'); // true
 * await tf.setBackend('abacus'); // throws Error: Backend name 'abacus' not found in registry
 */
export function setBackend(backendName: string): Promise<boolean> {
  const backend = kBackends.get(backendName);
  if (!backend) return Promise.reject(new Error(`Backend name '${backendName}' not found in registry`));
  return start(backend, backendName, ++calls.last);
}

/** Starts the device of a backend and selects the backend, for the call of setBackend() of a number. */
function start(backend: string, backendName: string, call: number): Promise<boolean> {
  if (!isLoaded()) return load().then(() => start(backend, backendName, call));
  if (backend === 'webgl') {
    if (!hasWebgl(false)) return Promise.resolve(false);
    if (!isModuleLoaded('webgl')) {
      return Promise.all([loadPart('gpu'), loadPart('webgl')]).then(() => start(backend, backendName, call));
    }
    if (!startWebgl()) return Promise.resolve(false);
  }
  if (backend === 'webgpu') return startWebgpu().then((isStarted) => isStarted && select(backend, backendName, call));
  return Promise.resolve(select(backend, backendName, call));
}

/** Makes ops run on a backend whose device has started. Returns false if the device was lost, or a later call chose another. */
function select(backend: string, backendName: string, call: number): boolean {
  if (call < calls.selected) return backendName === current;
  if (!wasm.setBackend(backend)) return false;
  calls.selected = call;
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
 * Loads the engine if needed, and resolves when ops can run, and no kernels of a model are being compiled for WebGPU. Rejects with a
 * LoadError, after which it can be called again.
 * @example
 * await tf.ready(); // where a page loads the engine itself, before the first op
 * tf.add(1, 2); // 3
 */
export async function ready(): Promise<void> {
  await load();
  await getPipelines()?.compiled();
}

/**
 * Calls `prelink`, which plans a run of a model and makes the engine create the pipelines for it, and resolves when they are
 * compiled. Does nothing on WebGL, nor on the CPU unless `plansOnCpu`. The first run reports errors, as it plans again.
 */
export async function prelinkKernels(prelink: () => void, plansOnCpu = false): Promise<void> {
  const pipelines = current === 'webgpu' ? getPipelines() : undefined;
  if (!pipelines && !(plansOnCpu && kBackends.get(current) === 'wasm')) return;
  try {
    prelink();
  } catch {
    return;
  }
  await pipelines?.compiled();
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
