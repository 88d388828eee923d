// The entry for browsers: the wasm lies beside the script, and importing waits for it by top-level await.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { load } from '../runtime/loader.js';
import { setWasmSources } from '../runtime/wasm_files.js';
import { getWasmUrls } from './wasm_urls.js';

namePublicApi();
setWasmSources(getWasmUrls());
// A failure is thrown by the first op and by ready(), where a program can catch it.
await load().catch(() => {});
