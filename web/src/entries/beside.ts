import type { Origin, WasmFile } from '../runtime/wasm_files.js';

/** The files beside the script, each written out, as bundlers look for such addresses; the debug build is in one file. */
export function besideThis(): Partial<Record<WasmFile, Origin>> {
  const engine = { 'tenure.wasm': new URL('tenure.wasm', import.meta.url).href };
  if (__DEBUG__) return engine;
  return {
    ...engine,
    'tenure.graph.wasm': new URL('tenure.graph.wasm', import.meta.url).href,
    'tenure.models.wasm': new URL('tenure.models.wasm', import.meta.url).href,
    'tenure.more.wasm': new URL('tenure.more.wasm', import.meta.url).href,
    'tenure.webgl.wasm': new URL('tenure.webgl.wasm', import.meta.url).href,
  };
}
