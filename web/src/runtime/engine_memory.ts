import { nodeBuiltin, nodeProcess } from './node_builtins.js';
import { getPlannedThreads } from './thread_count.js';

/** Custom section of an engine and its parts: web/wasm_file.mjs writes the initial contents of their memory there. */
const kSection = 'memory';
const kPageBytes = 65536;
/** Maximum sizes of the memory in pages: 4 GB, and smaller ones for platforms that reserve less. */
const kMaxPages = [65536, 32768, 16384, 8192];

let reserved: WebAssembly.Memory | undefined;
let memory: WebAssembly.Memory | undefined;
let isShared = false;

/** True if threads can share memory here: in cross-origin isolated pages and in Node, not in Bun. Reserves the memory. */
export function canShareMemory(): boolean {
  if (__DEBUG__) return false;
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false) return false;
  if (nodeProcess?.versions['bun']) return false;
  if (typeof Worker === 'undefined' && !nodeBuiltin('node:worker_threads')) return false;
  reserved ??= reserve(true);
  return reserved !== undefined;
}

/** Chooses shared memory for the engine that is to be loaded, if several threads are to compute and can. */
export function chooseSharedMemory(): void {
  isShared = getPlannedThreads() > 1 && canShareMemory();
}

/** Chooses a memory that is not shared. */
export function chooseOwnMemory(): void {
  isShared = false;
}

/** True if modules are to import a shared memory. */
export const usesSharedMemory = (): boolean => isShared;

/** Returns the memory of the engine's instance, for its workers; undefined unless it is shared. */
export const getSharedMemory = (): WebAssembly.Memory | undefined => (isShared ? memory : undefined);

function reserve(shared: boolean): WebAssembly.Memory | undefined {
  for (const maximum of kMaxPages) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared });
    } catch {
      // The next size is smaller.
    }
  }
  return undefined;
}

/**
 * Makes the memory that an engine imports, with its initial contents. Returns undefined for an engine that has a memory of its
 * own. Throws RangeError if the platform does not have enough memory.
 */
export function createMemory(engine: WebAssembly.Module): WebAssembly.Memory | undefined {
  memory = undefined;
  const [section] = WebAssembly.Module.customSections(engine, kSection);
  if (!section) return undefined;
  memory = isShared ? reserved : reserve(false);
  if (!memory) throw new RangeError('not enough memory');
  reserved = undefined;
  memory.grow(new DataView(section).getUint32(0, true) - memory.buffer.byteLength / kPageBytes);
  initializeMemory(engine);
  return memory;
}

/** Writes the initial data of a module into the engine's memory. The module has no data segments: its instances write none. */
export function initializeMemory(module: WebAssembly.Module): void {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  if (!section || !memory) return;
  const view = new DataView(section);
  for (let at = 4; at < section.byteLength; ) {
    const [address, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    new Uint8Array(memory.buffer, address, length).set(new Uint8Array(section, at + 8, length));
    at += 8 + length;
  }
}
