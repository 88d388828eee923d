import { setWorkerScript } from '../runtime/threads.js';
import type { WasmSources } from '../runtime/wasm_files.js';

/**
 * Returns the addresses of the wasm files beside the script, and sets that of the worker script. Each address is written out,
 * because bundlers search for this expression. The debug build has one wasm file.
 */
export function getWasmUrls(): WasmSources {
  const engine = { 'tenure.wasm': new URL('tenure.wasm', import.meta.url).href };
  if (__DEBUG__) return engine;
  setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
  return {
    ...engine,
    'tenure.graph.wasm': new URL('tenure.graph.wasm', import.meta.url).href,
    'tenure.models.wasm': new URL('tenure.models.wasm', import.meta.url).href,
    'tenure.extra.wasm': new URL('tenure.extra.wasm', import.meta.url).href,
    'tenure.webgl.wasm': new URL('tenure.webgl.wasm', import.meta.url).href,
    'tenure.relaxed.wasm': new URL('tenure.relaxed.wasm', import.meta.url).href,
    'tenure.relaxed.graph.wasm': new URL('tenure.relaxed.graph.wasm', import.meta.url).href,
    'tenure.relaxed.models.wasm': new URL('tenure.relaxed.models.wasm', import.meta.url).href,
    'tenure.relaxed.extra.wasm': new URL('tenure.relaxed.extra.wasm', import.meta.url).href,
    'tenure.relaxed.webgl.wasm': new URL('tenure.relaxed.webgl.wasm', import.meta.url).href,
    'tenure.threads.wasm': new URL('tenure.threads.wasm', import.meta.url).href,
    'tenure.threads.graph.wasm': new URL('tenure.threads.graph.wasm', import.meta.url).href,
    'tenure.threads.models.wasm': new URL('tenure.threads.models.wasm', import.meta.url).href,
    'tenure.threads.extra.wasm': new URL('tenure.threads.extra.wasm', import.meta.url).href,
    'tenure.threads.webgl.wasm': new URL('tenure.threads.webgl.wasm', import.meta.url).href,
    'tenure.relaxed-threads.wasm': new URL('tenure.relaxed-threads.wasm', import.meta.url).href,
    'tenure.relaxed-threads.graph.wasm': new URL('tenure.relaxed-threads.graph.wasm', import.meta.url).href,
    'tenure.relaxed-threads.models.wasm': new URL('tenure.relaxed-threads.models.wasm', import.meta.url).href,
    'tenure.relaxed-threads.extra.wasm': new URL('tenure.relaxed-threads.extra.wasm', import.meta.url).href,
    'tenure.relaxed-threads.webgl.wasm': new URL('tenure.relaxed-threads.webgl.wasm', import.meta.url).href,
  };
}
