// The entry for production bundles: the engine's first file is inlined, so that ops run at once; its parts are files, which
// bundlers copy, and which are fetched in the background or when they are needed.
export * from '../index.js';
import { getPartUrls } from '../generated/part_urls.js';
import { namePublicApi } from '../public_api.js';
import { load, loadSync } from '../runtime/loader.js';
import { setWorkerScript } from '../runtime/threads.js';
import { setWasmSources } from '../runtime/wasm_files.js';
import wasm from 'tenure:wasm';

namePublicApi();
setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
setWasmSources({ 'tenure.wasm': wasm, ...getPartUrls() });
loadSync();
// A failure is thrown by the first op that needs the part, and by ready().
load().catch(() => {});
