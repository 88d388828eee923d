import { setUp } from './shared_memory.js';
import { sharedMemory, sharePart } from './threads.js';
import { canCompileNow, compileFile, compileFileNow, failure, hasOwn, isRemote, type Part } from './wasm_files.js';

/** Parts that most pages need, fetched while they start. Other parts are fetched by the asynchronous functions that use them. */
const kSoon: readonly Part[] = ['models', 'more'];

/** Parts of the engine that are not loaded yet. */
const missing = new Set<Part>();
const ahead = new Map<Part, Promise<WebAssembly.Module>>();
const arriving = new Map<Part, Promise<void>>();
/** The exports of the engine, which its parts import. */
let exported: WebAssembly.Exports = {};

const fileOf = (part: Part) => `tenure.${part}.wasm` as const;

/**
 * Returns the imports that stand in the function table for functions of parts. Each loads its part, which overwrites the
 * table's elements, and calls the function. Marks all parts of the engine as not loaded.
 */
export function placeholders(engine: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  missing.clear();
  for (const { module, name } of WebAssembly.Module.imports(engine)) {
    // wasm-split names a placeholder by its index in the table.
    if (!/^\d+$/.test(name)) continue;
    missing.add(module as Part);
    (imports[module] ??= {})[name] = (...args: unknown[]) => {
      loadPartNow(module as Part);
      const table = exported['__indirect_function_table'] as WebAssembly.Table;
      return (table.get(Number(name)) as (...args: unknown[]) => unknown)(...args);
    };
  }
  return imports;
}

/** Sets the engine's instance that parts are linked with. Its module is the one last given to placeholders(). */
export function linkTo(instance: WebAssembly.Instance): void {
  exported = instance.exports;
}

/** Drops the parts that fetchAhead() has fetched for another engine. */
export function fetchAnew(): void {
  ahead.clear();
}

/** Starts to fetch and compile a part while the engine itself is fetched. Errors are reported when the part is loaded. */
export function fetchAhead(part: Part): void {
  if (!hasOwn(fileOf(part))) return;
  const module = compileFile(fileOf(part));
  module.catch(() => ahead.delete(part));
  ahead.set(part, module);
}

/** True if a part is loaded. */
export const isThere = (part: Part): boolean => !missing.has(part);

/** Loads a part unless it is loaded. Rejects with a LoadError; the next call tries again. */
export function loadPart(part: Part): Promise<void> {
  if (isThere(part)) return Promise.resolve();
  let loading = arriving.get(part);
  if (!loading) {
    loading = (ahead.get(part) ?? compileFile(fileOf(part)))
      .then((module) => link(part, module))
      .finally(() => arriving.delete(part));
    arriving.set(part, loading);
  }
  return loading;
}

/**
 * Starts to load the parts that most pages need. Resolves once all remote parts are loaded that a synchronous op could not
 * load itself.
 */
export async function loadRest(): Promise<void> {
  const rest = [...missing].filter((part) => isRemote(fileOf(part)));
  const needed = rest.filter((part) => !canCompileNow(fileOf(part)));
  for (const part of kSoon) if (rest.includes(part)) loadPart(part).catch(() => {});
  await Promise.all(needed.map(loadPart));
}

function loadPartNow(part: Part): void {
  if (isThere(part)) return;
  try {
    instantiate(part, compileFileNow(fileOf(part)));
  } catch (error) {
    throw failure(`Cannot load ${fileOf(part)} at once`, error, '`await tf.ready()` and the next task before the first op that needs it');
  }
}

async function link(part: Part, module: WebAssembly.Module): Promise<void> {
  try {
    instantiate(part, module);
  } catch (error) {
    // Chrome before 115 instantiates at most 4 KB synchronously on the main thread.
    if (!(error instanceof RangeError)) throw failure(`Cannot link ${fileOf(part)}`, error);
    prepare(module);
    await WebAssembly.instantiate(module, { engine: exported });
    arrived(part, module);
  }
}

/** Instantiates a part. Its element segments write its functions into the engine's table. */
function instantiate(part: Part, module: WebAssembly.Module): void {
  if (isThere(part)) return;
  prepare(module);
  new WebAssembly.Instance(module, { engine: exported });
  arrived(part, module);
}

function prepare(module: WebAssembly.Module): void {
  const memory = sharedMemory();
  if (memory) setUp(module, memory);
}

function arrived(part: Part, module: WebAssembly.Module): void {
  missing.delete(part);
  sharePart(module);
}
