// The entry for browsers without top-level await: `await tf.ready()` loads the wasm from beside the script.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { setWasmSources } from '../runtime/wasm_files.js';
import { getWasmUrls } from './wasm_urls.js';

namePublicApi();
try {
  setWasmSources(getWasmUrls());
} catch {
  // Some bundlers make a script of it in which import.meta.url is undefined. The program then sets the location of the wasm.
}
