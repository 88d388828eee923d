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

/** How a program brings the engine itself. */
export interface InitOptions {
  /** The bytes of tenure.wasm, or what WebAssembly.compile() made of them. */
  wasmBinary?: BufferSource | WebAssembly.Module;
  /** Gives the address of a file, 'tenure.wasm' or one of its parts, that this build would look for in `folder`. */
  locateFile?: (name: string, folder: string) => string;
  /** How many threads are to compute, as setThreadsCount() says it; 1 loads an engine without threads. */
  threads?: number;
  /** Whether an engine with relaxed SIMD is loaded where it can run, which it is by default: it rounds products and sums once. */
  relaxedSimd?: boolean;
}

let loading: Promise<void> | undefined;
const firstParts = new Map<Part, () => boolean>();

whenLoaded(makeNodeGlobals);

/** From now on a part is there before the first op where `isNeeded` says so. */
export function needsFirst(part: Part, isNeeded: () => boolean): void {
  firstParts.set(part, isNeeded);
}

/** Loads the engine before anything else runs. What fails is thrown by the first op, and by ready(), which tries again. */
export function loadNow(): void {
  chooseEngine();
  try {
    adopt(instantiateNow(compileFileNow('tenure.wasm')));
    settle();
  } catch (error) {
    // On the main thread browsers before Chrome 115 compile no more than 4 KB at once.
    if (!(error instanceof RangeError)) lack(failure('Cannot make the engine', error));
  }
}

/** Loads the engine unless it is there. Rejects with a LoadError, which ops throw too, and the next call tries again. */
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

/** The same with parts, for functions that need them and wait anyway. */
export async function loadWith(...parts: Part[]): Promise<void> {
  await load();
  await Promise.all(parts.map(loadPart));
}

/**
 * ready(), with the engine or its place given by the program; where it is loaded already, nothing is left to do.
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

/** What Emscripten's code calls with what the module imports; given its instance, it goes on. */
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
  // It writes into what it is given, and its promise has nothing to wait for.
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

/** What a module imports besides Emscripten's functions. */
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
