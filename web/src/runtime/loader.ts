import createTenure, { type MainModule } from '../generated/tenure.js';
import type { LoadError } from './errors.js';
import { makeNodeGlobals } from './node_globals.js';
import { fetchAhead, fetchAnew, linkTo, loadPart, loadRest, placeholders } from './parts.js';
import { adopt, isLoaded, lack, whenLoaded } from './runtime.js';
import { memoryFor } from './shared_memory.js';
import { setThreadsCount, shareWithWorkers } from './threads.js';
import { allowRelaxedSimd } from './variants.js';
import { kindOf } from './wasm_bytes.js';
import { chooseBaseline, chooseEngine, compileFile, compileFileNow, compileGiven, failure, isAtHome, locateBy, settle, type Part } from './wasm_files.js';

/** Options of tf.init(). */
export interface InitOptions {
  /** The bytes of tenure.wasm, or the module that WebAssembly.compile() made of them. */
  wasmBinary?: BufferSource | WebAssembly.Module;
  /** Returns the address of a file, 'tenure.wasm' or one of its parts, that this build would look for in `folder`. */
  locateFile?: (name: string, folder: string) => string;
  /** Number of threads, as for setThreadsCount(). 1 loads an engine without threads. */
  threads?: number;
  /**
   * True (the default) to load an engine with relaxed SIMD where the platform supports it. It rounds a multiplication and an
   * addition once (fused multiply-add).
   */
  relaxedSimd?: boolean;
}

let loading: Promise<void> | undefined;
const firstParts = new Map<Part, () => boolean>();

whenLoaded(makeNodeGlobals);

/** Registers a part that is loaded before the first op if `isNeeded()` returns true when the engine is loaded. */
export function needsFirst(part: Part, isNeeded: () => boolean): void {
  firstParts.set(part, isNeeded);
}

/** Loads the engine synchronously. An error is thrown by the first op; ready() tries again. */
export function loadNow(): void {
  chooseEngine();
  try {
    adopt(instantiateNow(compileFileNow('tenure.wasm')));
    settle();
  } catch (error) {
    // Chrome before 115 compiles at most 4 KB synchronously on the main thread: ready() is needed there.
    if (!(error instanceof RangeError)) lack(failure('Cannot make the engine', error));
  }
}

/** Loads the engine unless it is loaded. Rejects with a LoadError, which ops then throw too; the next call tries again. */
export function load(options: InitOptions = {}): Promise<void> {
  if (isLoaded()) return loading ?? loadRest();
  if (loading && (options.wasmBinary || options.locateFile)) return loading.catch(() => load(options));
  loading ??= fetchAndAdopt(options).catch((error: LoadError) => {
    loading = undefined;
    if (!isLoaded()) lack(error);
    throw error;
  });
  return loading;
}

/** Loads the engine and some parts, for asynchronous functions that need them. Rejects with a LoadError. */
export async function loadWith(...parts: Part[]): Promise<void> {
  await load();
  await Promise.all(parts.map(loadPart));
}

/**
 * Loads the engine as ready() does, with options for its bytes, its location, threads and relaxed SIMD. `wasmBinary` and
 * `relaxedSimd` have no effect once the engine is loaded. Throws TypeError if `locateFile` is no function. Rejects with a
 * LoadError.
 * @example
 * await tf.init(); // takes wasmBinary or wasmPaths, where the engine is the program's own to bring
 * tf.add(1, 2); // 3
 */
export function init(options: InitOptions = {}): Promise<void> {
  const { locateFile, threads, relaxedSimd } = options;
  if (locateFile !== undefined && typeof locateFile !== 'function') {
    throw new TypeError(`tf.init() expected locateFile to be a function, got ${kindOf(locateFile)}`);
  }
  if (locateFile) locateBy(locateFile);
  if (threads !== undefined) setThreadsCount(threads);
  if (relaxedSimd !== undefined) allowRelaxedSimd(relaxedSimd);
  return load(options);
}

async function fetchAndAdopt({ wasmBinary }: InitOptions): Promise<void> {
  chooseEngine();
  const needed = [...firstParts].filter(([, isNeeded]) => isNeeded()).map(([part]) => part);
  if (!wasmBinary && isAtHome()) needed.forEach(fetchAhead);
  const module = await (wasmBinary ? compileGiven(wasmBinary) : compileEngine());
  const engine = await instantiate(module);
  if (!wasmBinary) settle();
  await Promise.all(needed.map(loadPart));
  adopt(engine);
  await loadRest();
}

function compileEngine(): Promise<WebAssembly.Module> {
  return compileFile('tenure.wasm').catch((error: unknown) => {
    if (!chooseBaseline()) throw error;
    fetchAnew();
    return compileFile('tenure.wasm');
  });
}

/** The module object for Emscripten's script, which calls instantiateWasm() with its imports and waits for the instance. */
interface Given {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => object): object;
}

function instantiateNow(module: WebAssembly.Module): MainModule {
  let problem: unknown;
  const engine: Given = {
    instantiateWasm(imports, receive) {
      try {
        return receive(linked(new WebAssembly.Instance(module, { ...imports, ...importsOf(module) })));
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
    const engine: Given = {
      instantiateWasm(imports, receive) {
        Promise.resolve()
          .then(() => WebAssembly.instantiate(module, { ...imports, ...importsOf(module) }))
          .then((instance) => receive(linked(instance)))
          .catch((error: unknown) => {
            reject(failure('Cannot make the engine', error));
          });
        return {};
      },
    };
    void createTenure(engine).then(resolve);
  });
}

/** Returns the imports of a module besides Emscripten's functions: stand-ins for functions of parts, and shared memory. */
function importsOf(module: WebAssembly.Module): WebAssembly.Imports {
  const memory = memoryFor(module);
  if (!memory) return placeholders(module);
  shareWithWorkers(module, memory);
  return { ...placeholders(module), shared: { memory } };
}

function linked(instance: WebAssembly.Instance): WebAssembly.Instance {
  linkTo(instance);
  return instance;
}
