import { getPartUrls } from '../generated/part_urls.js';
import { setWorkerScript } from '../runtime/threads.js';
import type { WasmSources } from '../runtime/wasm_files.js';

/** Returns the addresses of the wasm files beside the script, and sets that of the worker script. */
export function getWasmUrls(): WasmSources {
  setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
  const engine = { 'tenure.wasm': new URL('tenure.wasm', import.meta.url).href };
  // The debug build has one wasm file.
  return __DEBUG__ ? engine : { ...engine, ...getPartUrls() };
}
