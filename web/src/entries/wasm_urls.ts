import { setWorkerScript } from '../runtime/threads.js';
import type { WasmSources } from '../runtime/wasm_files.js';

/** Returns the addresses of the wasm files beside the script, and sets that of the worker script. */
export function getWasmUrls(): WasmSources {
  const engine = { 'tenure.wasm': new URL('tenure.wasm', import.meta.url).href };
  // The debug build has one wasm file.
  return __DEBUG__ ? engine : { ...engine, ...getPartUrls() };
}

/**
 * Returns the addresses of the engine's parts beside the script, and sets that of the worker script. Each address is written
 * out, because bundlers search for this expression.
 */
export function getPartUrls(): WasmSources {
  setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
  return {
    'tenure.graph.wasm': new URL('tenure.graph.wasm', import.meta.url).href,
    'tenure.onnx.wasm': new URL('tenure.onnx.wasm', import.meta.url).href,
    'tenure.models.wasm': new URL('tenure.models.wasm', import.meta.url).href,
    'tenure.extra.wasm': new URL('tenure.extra.wasm', import.meta.url).href,
    'tenure.webgl.wasm': new URL('tenure.webgl.wasm', import.meta.url).href,
    'tenure.relaxed.wasm': new URL('tenure.relaxed.wasm', import.meta.url).href,
  };
}
