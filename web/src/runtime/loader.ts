import createTenure, { type MainModule } from '../generated/tenure.js';
import { LoadError } from './errors.js';
import { builtIn } from './built_in.js';
import { adopt, isLoaded, lack } from './runtime.js';

/** How a program brings the engine itself. */
export interface InitOptions {
  /** The bytes of tenure.wasm, or what WebAssembly.compile() made of them. */
  wasmBinary?: BufferSource | WebAssembly.Module;
  /** Gives the address of a file, here 'tenure.wasm', that this build would look for in `folder`. */
  locateFile?: (name: string, folder: string) => string;
}

const kFile = 'tenure.wasm';
/** Of the wasm: web/build.mjs writes there what build it is. */
const kSection = 'tenure';
const kCure =
  `Serve ${kFile} (in the package: dist/${kFile}) there, or say where it is with tf.setWasmPaths() or ` +
  'tf.init({ locateFile }), or bring it with tf.init({ wasmBinary }); then `await tf.ready()`';

/** Where this build has its wasm: an address, or the bytes at once. */
let origin: string | (() => BufferSource) = '';
let locate: InitOptions['locateFile'];
let loading: Promise<void> | undefined;

/** Said once, by the entry of a build. */
export function comesFrom(where: typeof origin): void {
  origin = where;
}

/** Loads the engine before anything else runs. What fails is thrown by the first op, and by ready(), which tries again. */
export function loadNow(): void {
  try {
    adopt(instantiateNow(new WebAssembly.Module(ownBytes(origin as () => BufferSource))));
  } catch (error) {
    // On the main thread browsers before Chrome 115 compile no more than 4 KB at once.
    if (!(error instanceof RangeError)) lack(failure('Cannot make the engine', error));
  }
}

/** Loads the engine unless it is there. Rejects with a LoadError, which ops throw too, and the next call tries again. */
export function load(options: InitOptions = {}): Promise<void> {
  if (isLoaded()) return Promise.resolve();
  loading ??= fetchAndAdopt(options).catch((error: LoadError) => {
    loading = undefined;
    lack(error);
    throw error;
  });
  return loading;
}

/** ready(), with the engine or its place given by the program; where it is loaded already, nothing is left to do. */
export function init(options: InitOptions = {}): Promise<void> {
  if (options.locateFile) locate = options.locateFile;
  return load(options);
}

/** From now on tenure.wasm is loaded from this folder, or from the address that is given for its name. */
export function setWasmPaths(folderOrFiles: string | Record<string, string>): void {
  locate = (name, folder) => {
    if (typeof folderOrFiles === 'string') return folderOrFiles + name;
    return folderOrFiles[name] ?? folder + name;
  };
}

/** From now on tenure.wasm is loaded from this address. */
export function setWasmPath(address: string): void {
  setWasmPaths({ [kFile]: address });
}

async function fetchAndAdopt({ wasmBinary }: InitOptions): Promise<void> {
  const module = wasmBinary ? await compile(wasmBinary, 'the wasmBinary given to tf.init()') : await compileOrigin();
  checkBuild(module);
  adopt(await instantiate(module));
}

async function compileOrigin(): Promise<WebAssembly.Module> {
  if (typeof origin !== 'string' && !locate) return compile(ownBytes(origin), `this build's own ${kFile}`);
  const own = typeof origin === 'string' ? origin : '';
  const address = locate ? locate(kFile, own.slice(0, own.lastIndexOf('/') + 1)) : own;
  if (!address) throw new LoadError(`This script does not know where it is from. ${kCure}`);
  const fs = address.startsWith('file:') ? builtIn('node:fs') : undefined;
  if (fs) return compile(fs.readFileSync(new URL(address)), address);

  let response: Response;
  try {
    response = await fetch(address, { credentials: 'same-origin' });
  } catch (error) {
    throw failure(`Cannot load ${address}`, error, kCure);
  }
  if (!response.ok) throw new LoadError(`Cannot load ${address}: HTTP ${response.status} ${response.statusText}. ${kCure}`);
  // While it arrives; servers that do not know the type make it wait for the last byte.
  if (WebAssembly.compileStreaming && /^application\/wasm/.test(response.headers.get('Content-Type') ?? '')) {
    return explained(WebAssembly.compileStreaming(response), address);
  }
  return compile(await response.arrayBuffer(), address);
}

function ownBytes(read: () => BufferSource): BufferSource {
  try {
    return read();
  } catch (error) {
    throw failure(`Cannot read this build's own ${kFile}`, error, kCure);
  }
}

async function compile(source: BufferSource | WebAssembly.Module, name: string): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, 4) : new Uint8Array(source, 0, 4);
  const isWasm = [0, 0x61, 0x73, 0x6d].every((byte, i) => bytes[i] === byte);
  if (!isWasm) {
    const start = JSON.stringify(String.fromCharCode(...bytes));
    throw new LoadError(`Cannot load ${name}: it begins with ${start}, and is no WebAssembly. ${kCure}`);
  }
  return explained(WebAssembly.compile(source), name);
}

function explained(module: Promise<WebAssembly.Module>, name: string): Promise<WebAssembly.Module> {
  return module.catch((error: unknown) => {
    throw failure(`Cannot compile ${name}`, error);
  });
}

function failure(what: string, error: unknown, cure?: string): LoadError {
  if (error instanceof LoadError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  cure ??= /Content.Security.Policy|unsafe-eval/i.test(reason)
    ? "The page's Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src"
    : 'It needs SIMD and exceptions in WebAssembly: Chrome and Edge 95, Firefox 100, Safari 16.4, Node 20, or newer';
  return new LoadError(`${what}: ${reason}. ${cure}`, { cause: error });
}

/** What Emscripten's code calls with what the module imports; given its instance, it goes on. */
interface Given {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => object): object;
}

/** Scripts and wasm of two versions, or of the release build and the debug build, can meet in caches and in options. */
function checkBuild(module: WebAssembly.Module): void {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  const found = section && String.fromCharCode(...new Uint8Array(section));
  if (found === __BUILD__) return;
  const told = found ? `of build ${found}` : 'not one that the package brings';
  throw new LoadError(`The wasm is ${told}, and the script of build ${__BUILD__}: take both from one folder of one version`);
}

function instantiateNow(module: WebAssembly.Module): MainModule {
  checkBuild(module);
  let problem: unknown;
  const engine: Given = {
    instantiateWasm(imports, receive) {
      try {
        return receive(new WebAssembly.Instance(module, imports));
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
        WebAssembly.instantiate(module, imports).then(receive).catch((error: unknown) => {
          reject(failure('Cannot make the engine', error));
        });
        return {};
      },
    };
    void createTenure(engine).then(resolve);
  });
}
