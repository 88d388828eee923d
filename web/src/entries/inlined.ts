// The entry with the wasm inlined, for single files: it needs no file, no address and no waiting.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { loadSync } from '../runtime/loader.js';
import { setWasmSources } from '../runtime/wasm_files.js';
import parts from 'tenure:parts';
import wasm from 'tenure:wasm';

namePublicApi();
setWasmSources({ 'tenure.wasm': wasm, ...parts });
loadSync();
