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

/** The name of the backend. */
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

/** Resolves when ops can run, which it sees to; rejects with a LoadError, after which it can be tried again. */
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

/** The backend. */
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

/** Resolves before the page paints again; in Node, after what is waiting now. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'undefined') setTimeout(resolve, 0);
    else requestAnimationFrame(() => resolve());
  });
}
