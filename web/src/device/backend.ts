import { load, needsFirst } from '../runtime/loader.js';
import { isThere, loadPart } from '../runtime/parts.js';
import { isLoaded, wasm, whenLoaded } from '../runtime/runtime.js';
import { isBrowser } from './environment.js';
import { hasWebgl, startWebgl, webglContext } from './webgl.js';

/** What getBackend() may say, and what the engine calls it. */
const kBackends = new Map([
  ['wasm', 'wasm'],
  ['cpu', 'wasm'],
  ['webgl', 'webgl'],
]);
let current = 'wasm';
needsFirst('webgl', startsOnGpu);
whenLoaded(() => {
  if (startsOnGpu() && startWebgl() && wasm.setBackend('webgl')) current = 'webgl';
});

/**
 * Chooses where ops run from now on: 'webgl', 'wasm', or 'cpu', which is another name of that. Tensors stay where they
 * are, and move when an op needs them elsewhere. Resolves to false where there is no WebGL2; rejects for a backend that
 * does not exist.
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
    if (!isThere('webgl')) return loadPart('webgl').then(() => setBackend(backendName));
    if (!startWebgl()) return Promise.resolve(false);
  }
  if (!wasm.setBackend(backend)) return Promise.resolve(false);
  current = backendName;
  return Promise.resolve(true);
}

/**
 * The name of the backend.
 * @example
 * tf.getBackend(); // 'wasm'
 */
export function getBackend(): string {
  return current;
}

/** What setBackend() can be asked for here: Node has no GPU. */
export function backendNames(): string[] {
  return [...kBackends.keys()].filter((name) => name !== 'webgl' || isBrowser());
}

/** In a page or a worker with a GPU. */
function startsOnGpu(): boolean {
  return isBrowser() && hasWebgl(true);
}

/**
 * Resolves when ops can run, which it sees to; rejects with a LoadError, after which it can be tried again.
 * @example
 * await tf.ready(); // where a page loads the engine itself, before the first op
 * tf.add(1, 2); // 3
 */
export function ready(): Promise<void> {
  return load();
}

/** What TensorFlow.js's programs ask the backend for. */
export interface BackendInfo {
  epsilon(): number;
  floatPrecision(): 16 | 32;
  /** Distinct buffers behind tensors. */
  numDataIds(): number;
  /** The context that the engine draws with. Throws where there is none. */
  getGPGPUContext(): { gl: WebGL2RenderingContext };
}

/**
 * The backend.
 * @example
 * tf.backend().floatPrecision(); // 32
 */
export function backend(): BackendInfo {
  return {
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
 * Resolves before the page paints again; in Node, after what is waiting now.
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
