import { inflate } from '../runtime/inflate.js';
import type { WasmSources } from '../runtime/wasm_files.js';

/** Returns functions that decompress the parts, each when it is called. */
export function inflateParts(parts: Readonly<Record<string, () => Uint8Array>>): WasmSources {
  return Object.fromEntries(Object.entries(parts).map(([file, read]) => [file, () => inflate(read())]));
}
