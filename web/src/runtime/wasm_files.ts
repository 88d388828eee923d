import type { WasmFile } from '../generated/parts.js';
import { LoadError } from './errors.js';
import { nodeBuiltin } from './node_builtins.js';
import { chooseOwnMemory, usesSharedMemory } from './engine_memory.js';
import { allowsLargeModules } from './sync_compile.js';
import { shareMemory } from './wasm_module.js';
import { toBytes, describeType, getClassName } from './wasm_bytes.js';

/** The source of a file: an address, or a function that returns the bytes synchronously. */
export type WasmSource = string | (() => Uint8Array<ArrayBuffer>);

/** Custom section of each file, in which web/build.mjs writes the build's id. */
const kSection = 'tenure';

/** The sources of files, by their names. */
export type WasmSources = Readonly<Record<string, WasmSource | undefined>>;

let wasmSources: WasmSources = {};
let locate: ((name: string, folder: string) => string | undefined) | undefined;
let isLocationLocked = false;

/** Sets the sources of this build's files. For the entries of builds. A part without a source is inside the engine. */
export function setWasmSources(where: WasmSources): void {
  wasmSources = where;
}

/**
 * Sets a function that returns the address of a file; undefined stands for the default address. Has no effect after
 * lockWasmLocation().
 */
export function setLocateFile(find: typeof locate): void {
  if (!isLocationLocked) locate = find;
}

/**
 * Locks the locations of files, so that parts come from where the engine came from. Programs may call setWasmPaths() with a
 * folder of TensorFlow.js's files at any time.
 */
export function lockWasmLocation(): void {
  isLocationLocked = true;
}

/** True if this build has the file. */
export const hasWasmFile = (file: WasmFile): boolean => wasmSources[file] !== undefined;

/** True if files are loaded from this build's default addresses. */
export const usesDefaultLocation = (): boolean => !locate;

/**
 * Sets the location of tenure.wasm and its parts: the address of a folder, which ends in a slash, or the address of each file
 * by its name. Call it before the engine is loaded.
 */
export function setWasmPaths(folderOrFiles: string | Record<string, string>): void {
  setLocateFile((name) => (typeof folderOrFiles === 'string' ? folderOrFiles + name : folderOrFiles[name]));
}

/**
 * Sets the address of tenure.wasm. Its parts are loaded from the same folder. Call it before the engine is loaded.
 */
export function setWasmPath(address: string): void {
  setLocateFile((name) => (name === 'tenure.wasm' ? address : parentFolder(address) + name));
}

/** Fetches and compiles a file. Rejects with a LoadError that names the address, the cause and the remedy. */
export async function compileFile(file: WasmFile): Promise<WebAssembly.Module> {
  const origin = wasmSources[file];
  if (typeof origin === 'function' && !locate) {
    return compile(forMemory(readOwnBytes(file, origin), file), `this build's own ${file}`, file);
  }
  const address = requireAddress(file);
  const fs = nodeFs(address);
  if (fs) {
    const bytes = await withLoadError(file, address, fs.promises.readFile(new URL(address)));
    return compile(forMemory(bytes, file), address, file);
  }
  const response = await withLoadError(file, address, fetch(address, { credentials: 'same-origin' }));
  if (!response.ok) {
    throw new LoadError(`Cannot load ${address}: HTTP ${response.status} ${response.statusText}. ${remedyFor(file)}`);
  }
  // Streaming compilation requires the MIME type application/wasm, which some servers do not send.
  const isTyped = /^application\/wasm/.test(response.headers.get('Content-Type') ?? '');
  if (isTyped && !usesSharedMemory() && WebAssembly.compileStreaming) {
    return checkBuild(await withCompileError(WebAssembly.compileStreaming(response), address), file);
  }
  const bytes = new Uint8Array(await withLoadError(file, address, response.arrayBuffer()));
  return compile(forMemory(bytes, file), address, file);
}

/** Returns the promise `answer`, whose rejection becomes a LoadError with the file's address and a remedy. */
function withLoadError<T>(file: WasmFile, address: string, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw toLoadError(`Cannot load ${address}`, error, remedyFor(file));
  });
}

/** Reads and compiles a file synchronously. Throws LoadError if it cannot be read, and what WebAssembly.Module() throws. */
export function compileFileSync(file: WasmFile): WebAssembly.Module {
  const origin = wasmSources[file];
  const bytes = typeof origin === 'function' && !locate ? readOwnBytes(file, origin) : readBytesSync(file);
  return checkBuild(new WebAssembly.Module(forMemory(bytes, file)), file);
}

/**
 * Returns the bytes of a module, which import a shared memory where threads are to share it. The engine's memory is not shared
 * if its module has one of its own. Changes bytes that are this build's.
 */
function forMemory(bytes: Uint8Array<ArrayBuffer>, file: WasmFile): Uint8Array<ArrayBuffer> {
  if (usesSharedMemory() && !shareMemory(bytes) && file === 'tenure.wasm') chooseOwnMemory();
  return bytes;
}

/**
 * True if compileFileSync() can compile the file. It cannot in a service worker, which has no synchronous fetch, and on the main
 * thread of Chrome before 115, which compiles at most 4 KB synchronously.
 */
export function canCompileSync(file: WasmFile): boolean {
  if (!allowsLargeModules()) return false;
  return typeof wasmSources[file] === 'function' || hasSyncFetch() || nodeFs(resolveAddress(file)) !== undefined;
}

/** True if a file is loaded over the network; false if its address is unknown. */
export function isRemote(file: WasmFile): boolean {
  const address = typeof wasmSources[file] === 'function' ? '' : resolveAddress(file);
  return address !== '' && !nodeFs(address);
}

/** Compiles the wasmBinary that a program passes instead of tenure.wasm. Rejects with a LoadError. */
export function compileWasmBinary(source: BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (getClassName(source) === 'WebAssembly.Module') {
    chooseOwnMemory();
    return Promise.resolve(source).then((module) => checkBuild(module, 'tenure.wasm'));
  }
  // A copy, because the bytes are the program's.
  const bytes = toBytes(source).slice();
  return compile(forMemory(bytes, 'tenure.wasm'), 'the wasmBinary given to tf.init()', 'tenure.wasm');
}

/** Returns a LoadError with the cause and a remedy, or `error` itself if it is a LoadError. */
export function toLoadError(what: string, error: unknown, cure?: string): LoadError {
  if (error instanceof LoadError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  cure ??= /Content.Security.Policy|unsafe-eval/i.test(reason)
    ? "The page's Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src"
    : 'It is not WebAssembly, is incomplete, or needs SIMD and exceptions: Chrome and Edge 95, Firefox 100, Safari 16.4, Node 20.16, or newer';
  return new LoadError(`${what}: ${reason}. ${cure}`, { cause: error });
}

function resolveAddress(file: WasmFile): string {
  const origin = wasmSources[file];
  const own = typeof origin === 'string' ? origin : '';
  const address: unknown = locate?.(file, parentFolder(own)) ?? own;
  if (typeof address === 'string' || address instanceof URL) return String(address);
  throw new LoadError(`locateFile returned ${describeType(address)} for ${file}, expected a URL`);
}

function requireAddress(file: WasmFile): string {
  const address = resolveAddress(file);
  if (!address) throw new LoadError(`The URL of this script is unknown. ${remedyFor(file)}`);
  return address;
}

function parentFolder(address: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

function remedyFor(file: WasmFile): string {
  const pass = file === 'tenure.wasm' ? ', or pass it to tf.init({ wasmBinary }); then `await tf.ready()`' : '';
  return `Serve ${file} (in the package: dist/${file}) there, or set its URL with tf.setWasmPaths() or tf.init({ locateFile })${pass}`;
}

function nodeFs(address: string) {
  return address.startsWith('file:') ? nodeBuiltin('node:fs') : undefined;
}

function readOwnBytes(file: WasmFile, read: () => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    return read();
  } catch (error) {
    throw toLoadError(`Cannot read this build's own ${file}`, error, remedyFor(file));
  }
}

const hasSyncFetch = (): boolean => typeof XMLHttpRequest !== 'undefined';

function readBytesSync(file: WasmFile): Uint8Array<ArrayBuffer> {
  const address = requireAddress(file);
  const fs = nodeFs(address);
  if (fs) return fs.readFileSync(new URL(address));
  if (!hasSyncFetch()) throw new LoadError(`${file} is not loaded yet: \`await tf.ready()\` before the first op`);
  const request = new XMLHttpRequest();
  try {
    request.open('GET', address, false);
    // Synchronous requests of a page return text only. This charset has a character for each byte, which its low 8 bits hold.
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
  } catch (error) {
    throw toLoadError(`Cannot load ${address}`, error, remedyFor(file));
  }
  if (request.status !== 200)
    throw new LoadError(`Cannot load ${address}: HTTP ${request.status} ${request.statusText}. ${remedyFor(file)}`);
  const text = request.responseText;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function compile(bytes: Uint8Array<ArrayBuffer>, name: string, file: WasmFile): Promise<WebAssembly.Module> {
  const isWasm = [0, 0x61, 0x73, 0x6d].every((byte, i) => bytes[i] === byte);
  if (!isWasm) {
    const start = JSON.stringify(String.fromCharCode(...bytes.subarray(0, 4)));
    const what = bytes.length === 0 ? 'is empty' : `begins with ${start}`;
    throw new LoadError(`Cannot load ${name}: it ${what}, so it is not WebAssembly. ${remedyFor(file)}`);
  }
  return checkBuild(await withCompileError(WebAssembly.compile(bytes), name), file);
}

function withCompileError(module: Promise<WebAssembly.Module>, name: string): Promise<WebAssembly.Module> {
  return module.catch((error: unknown) => {
    throw toLoadError(`Cannot compile ${name}`, error);
  });
}

/**
 * Returns the module if it belongs to this script, else throws LoadError. Caches and options can combine scripts and wasm of two
 * versions, or of the release build and the debug build.
 */
function checkBuild(module: WebAssembly.Module, file: WasmFile): WebAssembly.Module {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  const found = section && String.fromCharCode(...new Uint8Array(section));
  if (found === __BUILD__) return module;
  const what = file === 'tenure.wasm' ? 'The wasm' : file;
  const kind = found ? `of build ${found}` : 'not part of the package';
  throw new LoadError(
    `${what} is ${kind}, but the script is of build ${__BUILD__}: take both from one folder of one version`,
  );
}
