import type { Part } from '../generated/parts.js';
import createTenure, { type MainModule } from '../generated/tenure.js';
import type { LoadError } from './errors.js';
import { makeNodeGlobals } from './node_globals.js';
import { preload, setPrimaryInstance, loadPart, loadRemainingParts, createPlaceholders } from './lazy_modules.js';
import { setInstance, isLoaded, setLoadError, whenLoaded } from './runtime.js';
import { chooseSharedMemory, createMemory, getSharedMemory } from './engine_memory.js';
import { setThreadsCount, setWorkerEngine } from './threads.js';
import { allowRelaxedSimd, loadRelaxedKernels } from './relaxed_simd.js';
import { describeType } from './wasm_bytes.js';
import {
  compileFile,
  compileFileSync,
  compileWasmBinary,
  toLoadError,
  usesDefaultLocation,
  setLocateFile,
  lockWasmLocation,
} from './wasm_files.js';

/** Options of tf.init(). */
export interface InitOptions {
  /** The bytes of tenure.wasm, or the module that WebAssembly.compile() made of them. */
  wasmBinary?: BufferSource | WebAssembly.Module;
  /** Returns the address of a file, 'tenure.wasm' or one of its parts, that this build would look for in `folder`. */
  locateFile?: (name: string, folder: string) => string;
  /** Number of threads, as for setThreadsCount(). 1 loads an engine without threads. */
  threads?: number;
  /**
   * True (the default) to run kernels with relaxed SIMD where the platform supports it, once large ops have computed for 20 ms
   * or a model is loaded. They round a multiplication and an addition once (fused multiply-add).
   */
  relaxedSimd?: boolean;
  /**
   * WebGPU's entry point for the backend 'webgpu' where there is no `navigator.gpu`: in Node, what create() of the npm package
   * 'webgpu' returns.
   */
  gpu?: { requestAdapter(): Promise<unknown> };
}

let loading: Promise<void> | undefined;
let providedGpu: InitOptions['gpu'];
const requiredParts = new Map<Part, () => boolean>();

whenLoaded(makeNodeGlobals);

/** Registers a part that is loaded before the first op if `isNeeded()` returns true when the engine is loaded. */
export function requireBeforeFirstOp(part: Part, isNeeded: () => boolean): void {
  requiredParts.set(part, isNeeded);
}

/** Returns the `gpu` that init() was last called with. */
export const getProvidedGpu = (): InitOptions['gpu'] => providedGpu;

/** Loads the engine synchronously. An error is thrown by the first op; ready() tries again. */
export function loadSync(): void {
  chooseSharedMemory();
  try {
    setInstance(instantiateSync(compileFileSync('tenure.wasm')));
    lockWasmLocation();
  } catch (error) {
    // Chrome before 115 compiles at most 4 KB synchronously on the main thread: ready() is needed there.
    if (!(error instanceof RangeError)) setLoadError(toLoadError('Cannot load the engine', error));
  }
}

/** Loads the engine unless it is loaded. Rejects with a LoadError, which ops then throw too; the next call tries again. */
export function load(options: InitOptions = {}): Promise<void> {
  if (isLoaded()) return loading ?? loadRemainingParts();
  if (loading && (options.wasmBinary || options.locateFile)) return loading.catch(() => load(options));
  loading ??= fetchAndInstantiate(options).catch((error: LoadError) => {
    loading = undefined;
    if (!isLoaded()) setLoadError(error);
    throw error;
  });
  return loading;
}

/**
 * Loads the engine and what runs models: the parts that all of them need and those given, and kernels with relaxed SIMD. Rejects
 * with a LoadError.
 */
export async function loadForModels(...parts: Part[]): Promise<void> {
  await load();
  const all = new Set<Part>(['models', 'extra', ...parts]);
  await Promise.all([...Array.from(all, loadPart), loadRelaxedKernels()]);
}

/**
 * Loads the engine as ready() does, with options for its bytes, its location, threads, relaxed SIMD and WebGPU. `wasmBinary` and
 * `relaxedSimd` have no effect once the engine is loaded. Throws TypeError if `locateFile` is not a function. Rejects with a
 * LoadError.
 * @example
 * await tf.init(); // takes wasmBinary or wasmPaths, where the engine is the program's own to bring
 * tf.add(1, 2); // 3
 */
export function init(options: InitOptions = {}): Promise<void> {
  const { locateFile, threads, relaxedSimd, gpu } = options;
  if (locateFile !== undefined && typeof locateFile !== 'function') {
    throw new TypeError(`tf.init() expected locateFile to be a function, got ${describeType(locateFile)}`);
  }
  if (locateFile) setLocateFile(locateFile);
  if (threads !== undefined) setThreadsCount(threads);
  if (relaxedSimd !== undefined) allowRelaxedSimd(relaxedSimd);
  if (gpu) providedGpu = gpu;
  return load(options);
}

async function fetchAndInstantiate({ wasmBinary }: InitOptions): Promise<void> {
  chooseSharedMemory();
  const needed = [...requiredParts].filter(([, isNeeded]) => isNeeded()).map(([part]) => part);
  if (!wasmBinary && usesDefaultLocation()) needed.forEach(preload);
  const module = await (wasmBinary ? compileWasmBinary(wasmBinary) : compileFile('tenure.wasm'));
  const engine = await instantiate(module);
  if (!wasmBinary) lockWasmLocation();
  await Promise.all(needed.map(loadPart));
  setInstance(engine);
  await loadRemainingParts();
}

/** The module object for Emscripten's script, which calls instantiateWasm() with its imports and waits for the instance. */
interface ModuleOverrides {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => object): object;
}

function instantiateSync(module: WebAssembly.Module): MainModule {
  let problem: unknown;
  const engine: ModuleOverrides = {
    instantiateWasm(imports, receive) {
      try {
        return receive(linkInstance(new WebAssembly.Instance(module, { ...imports, ...createImports(module) })));
      } catch (error) {
        problem = error;
        return {};
      }
    },
  };
  // Emscripten's script writes its exports into `engine` before it returns, so its promise need not be awaited.
  void createTenure(engine);
  if (problem) throw problem as Error;
  return engine as unknown as MainModule;
}

function instantiate(module: WebAssembly.Module): Promise<MainModule> {
  return new Promise((resolve, reject) => {
    const engine: ModuleOverrides = {
      instantiateWasm(imports, receive) {
        Promise.resolve()
          .then(() => WebAssembly.instantiate(module, { ...imports, ...createImports(module) }))
          .then((instance) => receive(linkInstance(instance)))
          .catch((error: unknown) => {
            reject(toLoadError('Cannot load the engine', error));
          });
        return {};
      },
    };
    void createTenure(engine).then(resolve);
  });
}

/** Returns the imports of a module besides Emscripten's functions: stand-ins for functions of parts, and shared memory. */
function createImports(module: WebAssembly.Module): WebAssembly.Imports {
  const memory = createMemory(module);
  if (!memory) return createPlaceholders(module);
  if (getSharedMemory()) setWorkerEngine(module, memory);
  return { ...createPlaceholders(module), host: { memory } };
}

function linkInstance(instance: WebAssembly.Instance): WebAssembly.Instance {
  setPrimaryInstance(instance);
  return instance;
}
