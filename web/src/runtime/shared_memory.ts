import { nodeBuiltin } from './node_builtins.js';

/** Custom section of threaded engines and their parts: web/wasm_file.mjs writes the initial contents of their memory there. */
const kSection = 'memory';
/** Maximum sizes of the memory in pages of 64 KB: 4 GB, and smaller ones for platforms that reserve less. */
const kMaxPages = [65536, 32768, 16384, 8192];

let reserved: WebAssembly.Memory | undefined;

/** True if threads can share memory here: in cross-origin isolated pages and in Node, not in Bun. Reserves the memory. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false) return false;
  if (typeof process === 'object' && process.versions?.['bun']) return false;
  if (typeof Worker === 'undefined' && !nodeBuiltin('node:worker_threads')) return false;
  reserved ??= reserve();
  return reserved !== undefined;
}

function reserve(): WebAssembly.Memory | undefined {
  for (const maximum of kMaxPages) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    } catch {
      // The next size is smaller.
    }
  }
  return undefined;
}

/**
 * Returns the shared memory that a threaded engine imports, with its initial contents. Returns undefined for other engines.
 * Throws if threads cannot share memory here.
 */
export function createSharedMemory(engine: WebAssembly.Module): WebAssembly.Memory | undefined {
  const [section] = WebAssembly.Module.customSections(engine, kSection);
  if (!section) return undefined;
  const memory = canShareMemory() ? reserved! : undefined;
  if (!memory) throw new Error('an engine for threads needs a page that is isolated from other origins');
  reserved = undefined;
  memory.grow(new DataView(section).getUint32(0, true) - memory.buffer.byteLength / 65536);
  initializeMemory(engine, memory);
  return memory;
}

/** Writes the initial data of a module into its shared memory. The module has no data segments, so its instances write none. */
export function initializeMemory(module: WebAssembly.Module, memory: WebAssembly.Memory): void {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  if (!section) return;
  const view = new DataView(section);
  for (let at = 4; at < section.byteLength; ) {
    const [address, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    new Uint8Array(memory.buffer, address, length).set(new Uint8Array(section, at + 8, length));
    at += 8 + length;
  }
}
