import { setUp } from './shared_memory.js';
import { sharedMemory, sharePart } from './threads.js';
import { canCompileNow, compileFile, compileFileNow, failure, hasOwn, isRemote, type Part } from './wasm_files.js';

/** What most pages come to need: it arrives while they start. The others are for asynchronous functions, which fetch them. */
const kSoon: readonly Part[] = ['models', 'more'];

/** Parts of the engine that are not there yet. */
const missing = new Set<Part>();
const ahead = new Map<Part, Promise<WebAssembly.Module>>();
const arriving = new Map<Part, Promise<void>>();
/** What the engine gives to its parts. */
let exported: WebAssembly.Exports = {};

const fileOf = (part: Part) => `tenure.${part}.wasm` as const;

/** What stands in the table where functions of parts belong: each loads its part, which takes its places, and goes on. */
export function placeholders(engine: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  missing.clear();
  for (const { module, name } of WebAssembly.Module.imports(engine)) {
    // Such a function has its place for a name.
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

/** Said once, of the engine that placeholders() were made for. */
export function linkTo(instance: WebAssembly.Instance): void {
  exported = instance.exports;
}

/** Forgets what was fetched for another engine. */
export function fetchAnew(): void {
  ahead.clear();
}

/** Fetches a part while the engine itself arrives. What goes wrong is told when it is loaded. */
export function fetchAhead(part: Part): void {
  if (!hasOwn(fileOf(part))) return;
  const module = compileFile(fileOf(part));
  module.catch(() => ahead.delete(part));
  ahead.set(part, module);
}

/** Whether functions of a part run without waiting. */
export const isThere = (part: Part): boolean => !missing.has(part);

/** Loads a part unless it is there. Rejects with a LoadError, and the next call tries again. */
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

/** What is to be loaded once ops can run; resolves when they can go on without waiting. */
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
    // On the main thread browsers before Chrome 115 do no more than 4 KB at once.
    if (!(error instanceof RangeError)) throw failure(`Cannot link ${fileOf(part)}`, error);
    prepare(module);
    await WebAssembly.instantiate(module, { engine: exported });
    arrived(part, module);
  }
}

/** Its own code puts its functions into their places. */
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
