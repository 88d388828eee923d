import { getPartUrls } from '../generated/part_urls.js';
import { namePublicApi } from '../public_api.js';
import { load, loadSync } from '../runtime/loader.js';
import { setWorkerScript } from '../runtime/threads.js';
import { setWasmSources, type WasmSources } from '../runtime/wasm_files.js';
import wasm from 'tenure:wasm';

/** Loads the engine, whose parts are inside the script too. */
export function startInlined(parts: WasmSources): void {
  namePublicApi();
  setWasmSources({ 'tenure.wasm': wasm, ...parts });
  loadSync();
}

/** Loads the engine, whose parts are files that are fetched in the background or when they are needed. */
export function startWithFiles(): void {
  setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
  startInlined(getPartUrls());
  // A failure is thrown by the first op that needs the part, and by ready().
  load().catch(() => {});
}
