import { builtIn } from './built_in.js';

/** Of engines for threads, and of their parts: web/shared.mjs writes there what their memory begins with. */
const kSection = 'memory';
/** Of 64 KB: 4 GB, or as much as the platform sets aside. */
const kMostPages = [65536, 32768, 16384, 8192];

let reserved: WebAssembly.Memory | undefined;

/** Whether threads can share memory here, which is then set aside: in pages that are isolated from other origins, and in Node. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false) return false;
  if (typeof process === 'object' && process.versions?.['bun']) return false;
  if (typeof Worker === 'undefined' && !builtIn('node:worker_threads')) return false;
  reserved ??= reserve();
  return reserved !== undefined;
}

function reserve(): WebAssembly.Memory | undefined {
  for (const maximum of kMostPages) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    } catch {
      // A smaller one, then.
    }
  }
  return undefined;
}

/** The memory that an engine for threads asks for, with what it begins with; undefined for other engines. */
export function memoryFor(engine: WebAssembly.Module): WebAssembly.Memory | undefined {
  const [section] = WebAssembly.Module.customSections(engine, kSection);
  if (!section) return undefined;
  const memory = canShareMemory() ? reserved! : undefined;
  if (!memory) throw new Error('an engine for threads needs a page that is isolated from other origins');
  reserved = undefined;
  memory.grow(new DataView(section).getUint32(0, true) - memory.buffer.byteLength / 65536);
  setUp(engine, memory);
  return memory;
}

/** Writes what a module has for the memory that it shares: the first of its instances does without. */
export function setUp(module: WebAssembly.Module, memory: WebAssembly.Memory): void {
  const [section] = WebAssembly.Module.customSections(module, kSection);
  if (!section) return;
  const view = new DataView(section);
  for (let at = 4; at < section.byteLength; ) {
    const [address, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    new Uint8Array(memory.buffer, address, length).set(new Uint8Array(section, at + 8, length));
    at += 8 + length;
  }
}
