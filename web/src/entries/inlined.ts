// The package with its wasm inside, which needs no file, no address and no waiting: for bundlers, and for single files.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { loadNow } from '../runtime/loader.js';
import { comesFrom } from '../runtime/wasm_files.js';
import wasm from 'tenure:wasm';

namePublicApi();
comesFrom({ 'tenure.wasm': wasm });
loadNow();
