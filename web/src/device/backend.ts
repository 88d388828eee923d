import { checkValues } from '../debug/ledger.js';
import { wasm } from '../runtime/runtime.js';
import { startWebgl, webglContext } from './webgl.js';

/** What getBackend() may say, and what the engine calls it. */
const kBackends = new Map([
  ['wasm', 'wasm'],
  ['cpu', 'wasm'],
  ['webgl', 'webgl'],
]);
let current = startsOnGpu() ? 'webgl' : 'wasm';
wasm.setBackend(current);

/**
 * Chooses where ops run from now on: 'webgl', 'wasm', or 'cpu', which is another name of that. Tensors stay where they
 * are, and move when an op needs them elsewhere. Resolves to false where there is no WebGL2; rejects for a backend that
 * does not exist.
 */
export function setBackend(backendName: string): Promise<boolean> {
  const backend = kBackends.get(backendName);
  if (!backend) return Promise.reject(new Error(`Backend name '${backendName}' not found in registry`));
  if (backend === 'webgl' && !startWebgl(false)) return Promise.resolve(false);
  if (!wasm.setBackend(backend)) return Promise.resolve(false);
  current = backendName;
  return Promise.resolve(true);
}

/** The name of the backend. */
export function getBackend(): string {
  return current;
}

/** In a page or a worker with a GPU; Node has none. */
function startsOnGpu(): boolean {
  const isPage = typeof window !== 'undefined' || 'WorkerGlobalScope' in globalThis;
  return isPage && startWebgl(true);
}

/** Resolves when ops can run. */
export function ready(): Promise<void> {
  return Promise.resolve();
}

/** What TensorFlow.js's programs ask the backend for. */
export interface BackendInfo {
  epsilon(): number;
  floatPrecision(): 16 | 32;
  /** The context that the engine draws with. Throws where there is none. */
  getGPGPUContext(): { gl: WebGL2RenderingContext };
}

/** The backend. */
export function backend(): BackendInfo {
  return {
    epsilon: () => 1e-7,
    floatPrecision: () => 32,
    getGPGPUContext() {
      const gl = webglContext();
      if (!gl) throw new Error(`The backend '${current}' has no WebGL context`);
      return { gl };
    },
  };
}

type Flag = number | boolean | string;
const flags = new Map<string, Flag>([
  ['DEBUG', false],
  ['PROD', false],
  ['IS_BROWSER', typeof window !== 'undefined' && typeof window.document !== 'undefined'],
  ['IS_NODE', typeof process !== 'undefined' && typeof process.versions?.node !== 'undefined'],
  ['HAS_WEBGL', typeof WebGL2RenderingContext !== 'undefined'],
  ['WEBGL_VERSION', 2],
  ['WEBGL_CPU_FORWARD', true],
  ['WEBGL_FORCE_F16_TEXTURES', false],
  ['WEBGL_CPU_HANDOFF_SIZE_THRESHOLD', wasm.leastForDevice()],
]);

/** What the engine does when a flag is set. */
const effects = new Map([
  ['WEBGL_CPU_FORWARD', placeSmallWork],
  ['WEBGL_FORCE_F16_TEXTURES', () => wasm.glPreferHalf(environment.getBool('WEBGL_FORCE_F16_TEXTURES'))],
  ['WEBGL_CPU_HANDOFF_SIZE_THRESHOLD', placeSmallWork],
]);

function placeSmallWork(): void {
  const threshold = environment.getNumber('WEBGL_CPU_HANDOFF_SIZE_THRESHOLD');
  wasm.setLeastForDevice(environment.getBool('WEBGL_CPU_FORWARD') ? threshold : 0);
}

/**
 * The settings that programs may read and write. With 'webgl', ops of fewer elements than
 * WEBGL_CPU_HANDOFF_SIZE_THRESHOLD, and models for which the CPU needs less time than a round trip, run on the CPU
 * unless WEBGL_CPU_FORWARD is false. WEBGL_FORCE_F16_TEXTURES keeps floats on the GPU in half the memory, and less
 * precise, as happens by itself where a GPU cannot draw into float32.
 */
export interface Environment {
  /** Throws for a flag that nobody has set. */
  get(flag: string): Flag;
  getBool(flag: string): boolean;
  getNumber(flag: string): number;
  set(flag: string, value: Flag): void;
  getFlags(): Record<string, Flag>;
}

const environment: Environment = {
  get(flag) {
    const value = flags.get(flag);
    if (value === undefined) throw new Error(`Cannot evaluate flag '${flag}': no evaluation function found.`);
    return value;
  },
  getBool: (flag) => environment.get(flag) as boolean,
  getNumber: (flag) => environment.get(flag) as number,
  set(flag, value) {
    flags.set(flag, value);
    effects.get(flag)?.();
  },
  getFlags: () => Object.fromEntries(flags),
};

/** The one environment. */
export function env(): Environment {
  return environment;
}

/** Does nothing: a release build has no checks to leave out. */
export function enableProdMode(): void {
  flags.set('PROD', true);
}

/**
 * In the debug build, `tenure/debug`: from now on every result is searched for NaN and infinite values, and the op and the
 * place that made them are reported. Elsewhere it does nothing but set the flag.
 */
export function enableDebugMode(): void {
  if (__DEBUG__) checkValues(true);
  flags.set('DEBUG', true);
}

/** Resolves before the page paints again; in Node, after what is waiting now. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'undefined') setTimeout(resolve, 0);
    else requestAnimationFrame(() => resolve());
  });
}
