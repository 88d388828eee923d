import { LoadError } from './errors.js';
import { builtIn } from './built_in.js';
import { chooseVariant, kVariants, named, setVariant, variant, type Variant } from './variants.js';
import { allowsLargeModules } from './sync_compile.js';
import { bytesIn, kindOf, tagOf } from './wasm_bytes.js';

/** The files of the engine: what every program needs, and parts that are loaded when a program comes to need them. */
export const kFiles = ['tenure.wasm', 'tenure.graph.wasm', 'tenure.models.wasm', 'tenure.more.wasm', 'tenure.webgl.wasm'] as const;
export type WasmFile = (typeof kFiles)[number];
export type Part = WasmFile extends infer File ? (File extends `tenure.${infer Name}.wasm` ? Name : never) : never;

/** An address, or the bytes at once. */
export type Origin = string | (() => BufferSource);

/** Of each file: web/build.mjs writes there what build it is, and which variant. */
const kSection = 'tenure';

/** By the names of files as variants have them. */
export type Origins = Readonly<Record<string, Origin | undefined>>;

let origins: Origins = {};
let locate: ((name: string, folder: string) => string | undefined) | undefined;
let isLocated: (name: string) => boolean = () => true;
let isSettled = false;

/** Said once, by the entry of a build. A part that is not named is inside the engine. */
export function comesFrom(where: Origins): void {
  origins = where;
}

/** From now on files are where `find` says, and where it says nothing beside this build. It may know but some by their names. */
export function locateBy(find: typeof locate, knows: typeof isLocated = () => true): void {
  if (isSettled) return;
  locate = find;
  isLocated = knows;
}

/** From now on parts come from where the engine came from: programs name folders of TensorFlow.js's files at any time. */
export function settle(): void {
  isSettled = true;
}

/** Chooses the engine that suits the platform, of those that there are files of. */
export function chooseEngine(): void {
  const isThere = (name: string) => origins[name] !== undefined && isLocated(name);
  chooseVariant((of) => isThere(named('tenure.wasm', of)));
}

/** Chooses the engine that needs nothing but SIMD, where another was chosen: programs may have copied it alone. */
export function chooseBaseline(): boolean {
  const wasOther = variant() !== '';
  setVariant('');
  return wasOther;
}

/** Whether this build has such a file. */
export const hasOwn = (file: WasmFile): boolean => origins[named(file)] !== undefined;

/** Whether all files lie where this build has its own. */
export const isAtHome = (): boolean => !locate;

/** From now on tenure.wasm and its parts are loaded from this folder, or from the addresses that are given for their names. */
export function setWasmPaths(folderOrFiles: string | Record<string, string>): void {
  if (typeof folderOrFiles === 'string') locateBy((name) => folderOrFiles + name);
  else locateBy((name) => folderOrFiles[name], (name) => folderOrFiles[name] !== undefined);
}

/** From now on tenure.wasm is loaded from this address, whichever variant is there, and its parts from beside it. */
export function setWasmPath(address: string): void {
  const isEngine = (name: string) => name === 'tenure.wasm';
  locateBy((name) => (isEngine(name) ? address : folderOf(address) + name), isEngine);
}

/** Fetches and compiles a file; rejects with a LoadError, which names the address, what is wrong and the cure. */
export async function compileFile(file: WasmFile): Promise<WebAssembly.Module> {
  const origin = origins[named(file)];
  if (typeof origin === 'function' && !locate) return checked(await compile(ownBytes(file, origin), `this build's own ${file}`, file), file);
  const address = addressOf(file);
  const fs = nodeFiles(address);
  if (fs) return checked(await compile(await reached(file, address, fs.promises.readFile(new URL(address))), address, file), file);

  const response = await reached(file, address, fetch(address, { credentials: 'same-origin' }));
  if (!response.ok) throw new LoadError(`Cannot load ${address}: HTTP ${response.status} ${response.statusText}. ${cureFor(file)}`);
  // While it arrives; servers that do not know the type make it wait for the last byte.
  if (WebAssembly.compileStreaming && /^application\/wasm/.test(response.headers.get('Content-Type') ?? '')) {
    return checked(await explained(WebAssembly.compileStreaming(response), address), file);
  }
  return checked(await compile(await reached(file, address, response.arrayBuffer()), address, file), file);
}

function reached<T>(file: WasmFile, address: string, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw failure(`Cannot load ${address}`, error, cureFor(file));
  });
}

/** The same at once, where that can be. */
export function compileFileNow(file: WasmFile): WebAssembly.Module {
  const origin = origins[named(file)];
  const bytes = typeof origin === 'function' && !locate ? ownBytes(file, origin) : bytesNow(file);
  return checked(new WebAssembly.Module(bytes), file);
}

/**
 * True if compileFileNow() can do it. It cannot in a service worker, which fetches nothing synchronously, nor on the main
 * thread of browsers before Chrome 115, which compile no more than 4 KB there.
 */
export function canCompileNow(file: WasmFile): boolean {
  if (!allowsLargeModules()) return false;
  return typeof origins[named(file)] === 'function' || isFetchedNow() || nodeFiles(whereIs(file)) !== undefined;
}

/** Whether a file comes by the network; false where nobody said from where. */
export function isRemote(file: WasmFile): boolean {
  const address = typeof origins[named(file)] === 'function' ? '' : whereIs(file);
  return address !== '' && !nodeFiles(address);
}

/** Compiles what a program brings in the place of tenure.wasm. */
export async function compileGiven(source: BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> {
  const isCompiled = tagOf(source) === 'WebAssembly.Module';
  const module = isCompiled ? source : await compile(source as BufferSource, 'the wasmBinary given to tf.init()', 'tenure.wasm');
  return checked(module, 'tenure.wasm');
}

/** The error for what went wrong, with a cure. */
export function failure(what: string, error: unknown, cure?: string): LoadError {
  if (error instanceof LoadError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  cure ??= /Content.Security.Policy|unsafe-eval/i.test(reason)
    ? "The page's Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src"
    : 'It is no WebAssembly, or not all of it, or it needs SIMD and exceptions: Chrome and Edge 95, Firefox 100, Safari 16.4, Node 20, or newer';
  return new LoadError(`${what}: ${reason}. ${cure}`, { cause: error });
}

function whereIs(file: WasmFile): string {
  const name = named(file);
  const origin = origins[name];
  const own = typeof origin === 'string' ? origin : '';
  const address: unknown = locate?.(name, folderOf(own)) ?? own;
  if (typeof address === 'string' || address instanceof URL) return String(address);
  throw new LoadError(`locateFile gave ${kindOf(address)} for ${name}, where an address is expected`);
}

function addressOf(file: WasmFile): string {
  const address = whereIs(file);
  if (!address) throw new LoadError(`This script does not know where it is from. ${cureFor(file)}`);
  return address;
}

function folderOf(address: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

function cureFor(file: WasmFile): string {
  const bring = file === 'tenure.wasm' ? ', or bring it with tf.init({ wasmBinary }); then `await tf.ready()`' : '';
  const name = named(file);
  return `Serve ${name} (in the package: dist/${name}) there, or say where it is with tf.setWasmPaths() or tf.init({ locateFile })${bring}`;
}

function nodeFiles(address: string) {
  return address.startsWith('file:') ? builtIn('node:fs') : undefined;
}

function ownBytes(file: WasmFile, read: () => BufferSource): BufferSource {
  try {
    return read();
  } catch (error) {
    throw failure(`Cannot read this build's own ${file}`, error, cureFor(file));
  }
}

const isFetchedNow = (): boolean => typeof XMLHttpRequest !== 'undefined';

function bytesNow(file: WasmFile): BufferSource {
  const address = addressOf(file);
  const fs = nodeFiles(address);
  if (fs) return fs.readFileSync(new URL(address));
  if (!isFetchedNow()) throw new LoadError(`${file} is not loaded yet: \`await tf.ready()\` before the first op`);
  const request = new XMLHttpRequest();
  try {
    request.open('GET', address, false);
    // A page that does not wait gets text alone: here a character for each byte.
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
  } catch (error) {
    throw failure(`Cannot load ${address}`, error, cureFor(file));
  }
  if (request.status !== 200) throw new LoadError(`Cannot load ${address}: HTTP ${request.status} ${request.statusText}. ${cureFor(file)}`);
  const text = request.responseText;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function compile(source: BufferSource, name: string, file: WasmFile): Promise<WebAssembly.Module> {
  const bytes = bytesIn(source);
  const isWasm = [0, 0x61, 0x73, 0x6d].every((byte, i) => bytes[i] === byte);
  if (!isWasm) {
    const start = JSON.stringify(String.fromCharCode(...bytes.subarray(0, 4)));
    const what = bytes.length === 0 ? 'is empty' : `begins with ${start}`;
    throw new LoadError(`Cannot load ${name}: it ${what}, and is no WebAssembly. ${cureFor(file)}`);
  }
  return explained(WebAssembly.compile(bytes), name);
}

function explained(module: Promise<WebAssembly.Module>, name: string): Promise<WebAssembly.Module> {
  return module.catch((error: unknown) => {
    throw failure(`Cannot compile ${name}`, error);
  });
}

/** Scripts and wasm of two versions, or of the release build and the debug build, can meet in caches and in options. */
function checked(module: WebAssembly.Module, file: WasmFile): WebAssembly.Module {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  const found = section && String.fromCharCode(...new Uint8Array(section));
  const [build, of = ''] = (found ?? '').split(' ') as [string, Variant?];
  if (build === __BUILD__) {
    // Whoever says where the engine is may give any.
    if (file === 'tenure.wasm' && kVariants.includes(of)) setVariant(of);
    if (variant() === of) return module;
  }
  const what = file === 'tenure.wasm' ? 'The wasm' : named(file);
  const told = found ? `of build ${found}` : 'not one that the package brings';
  throw new LoadError(`${what} is ${told}, and the script of build ${__BUILD__}: take both from one folder of one version`);
}
