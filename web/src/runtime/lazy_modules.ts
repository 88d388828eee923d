import { kFiles, kNeeds, kOptionalPart, kPreloadedParts, type Part } from '../generated/parts.js';
import { initializeMemory } from './engine_memory.js';
import { sendPartToWorkers } from './threads.js';
import { canCompileSync, compileFile, compileFileSync, toLoadError, hasWasmFile, isRemote } from './wasm_files.js';

/** Parts of the engine that are not loaded yet. */
const unloadedParts = new Set<Part>();
let hasOptionalPart = false;
/** Parts that are being fetched and compiled, or that wait for those they need. */
const pendingModules = new Map<Part, Promise<WebAssembly.Module>>();
const pendingLinks = new Map<Part, Promise<void>>();
/** The exports of the engine, which its parts import. */
let primaryExports: WebAssembly.Exports = {};

const fileOf = (part: Part) => `tenure.${part}.wasm` as const;

/**
 * Returns the imports that stand in the function table for functions of parts. Each loads its part, which overwrites the
 * table's elements, and calls the function. Marks all parts of the engine as not loaded.
 */
export function createPlaceholders(engine: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  unloadedParts.clear();
  for (const { module, name } of WebAssembly.Module.imports(engine)) {
    // The build names a placeholder by the number of its part's file and its index in the table, both in base 36.
    const part = kFiles[parseInt(module, 36)]?.slice('tenure.'.length, -'.wasm'.length) as Part | undefined;
    if (!part) continue;
    unloadedParts.add(part);
    (imports[module] ??= {})[name] = (...args: unknown[]) => {
      loadPartSync(part);
      const table = primaryExports['__indirect_function_table'] as WebAssembly.Table;
      return (table.get(parseInt(name, 36)) as (...args: unknown[]) => unknown)(...args);
    };
  }
  // An engine in one piece has no parts.
  hasOptionalPart = unloadedParts.size > 0 && hasWasmFile(fileOf(kOptionalPart));
  if (hasOptionalPart) unloadedParts.add(kOptionalPart);
  return imports;
}

/** Sets the engine's instance that parts are linked with. Its module is the one last given to createPlaceholders(). */
export function setPrimaryInstance(instance: WebAssembly.Instance): void {
  primaryExports = instance.exports;
}

/** Starts to fetch and compile a part while the engine itself is fetched. Errors are reported when the part is loaded. */
export function preload(part: Part): void {
  if (hasWasmFile(fileOf(part))) void getModule(part);
}

function getModule(part: Part): Promise<WebAssembly.Module> {
  let module = pendingModules.get(part);
  if (!module) {
    module = compileFile(fileOf(part));
    module.catch(() => pendingModules.delete(part));
    pendingModules.set(part, module);
  }
  return module;
}

/** True if the engine has kernels with relaxed SIMD, in a part that may not be loaded yet. */
export const hasRelaxedPart = (): boolean => hasOptionalPart;

/** True if a part is loaded. */
export const isModuleLoaded = (part: Part): boolean => !unloadedParts.has(part);

/** Returns the parts that are loaded before a part, because its functions read their data. */
const needsOf = (part: Part): readonly Part[] => kNeeds[part] ?? [];

/** Loads a part and those it needs, unless they are loaded. Rejects with a LoadError; the next call tries again. */
export async function loadPart(part: Part): Promise<void> {
  if (isModuleLoaded(part)) return;
  // The promise of a load is not kept: its part could not be retried at once after one that it needs has failed.
  const [module] = await Promise.all([getModule(part), ...needsOf(part).map(loadPart)]);
  let linking = pendingLinks.get(part);
  if (!linking) {
    linking = link(part, module).finally(() => pendingLinks.delete(part));
    pendingLinks.set(part, linking);
  }
  await linking;
}

/**
 * Starts to load the parts that most pages need. Resolves once all remote parts are loaded that a synchronous op could not
 * load itself.
 */
export async function loadRemainingParts(): Promise<void> {
  const rest = [...unloadedParts].filter((part) => isRemote(fileOf(part)));
  const needed = rest.filter((part) => part !== kOptionalPart && !canCompileSync(fileOf(part)));
  for (const part of kPreloadedParts) if (rest.includes(part)) loadPart(part).catch(() => {});
  await Promise.all(needed.map(loadPart));
}

/** Loads a part and those it needs synchronously, unless they are loaded. Throws LoadError. */
export function loadPartSync(part: Part): void {
  if (isModuleLoaded(part)) return;
  needsOf(part).forEach(loadPartSync);
  try {
    instantiate(part, compileFileSync(fileOf(part)));
  } catch (error) {
    throw toLoadError(
      `Cannot load ${fileOf(part)} at once`,
      error,
      '`await tf.ready()` and the next task before the first op that needs it',
    );
  }
}

async function link(part: Part, module: WebAssembly.Module): Promise<void> {
  try {
    instantiate(part, module);
  } catch (error) {
    // Chrome before 115 instantiates at most 4 KB synchronously on the main thread.
    if (!(error instanceof RangeError)) {
      pendingModules.delete(part);
      throw toLoadError(`Cannot link ${fileOf(part)}`, error);
    }
    initializeMemory(module);
    await WebAssembly.instantiate(module, { engine: primaryExports });
    markLoaded(part, module);
  }
}

/** Instantiates a part. Its element segments write its functions into the engine's table. */
function instantiate(part: Part, module: WebAssembly.Module): void {
  if (isModuleLoaded(part)) return;
  initializeMemory(module);
  new WebAssembly.Instance(module, { engine: primaryExports });
  markLoaded(part, module);
}

function markLoaded(part: Part, module: WebAssembly.Module): void {
  unloadedParts.delete(part);
  pendingModules.delete(part);
  sendPartToWorkers(module);
}
