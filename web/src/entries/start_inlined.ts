import { namePublicApi } from '../public_api.js';
import { inflate } from '../runtime/inflate.js';
import { loadSync } from '../runtime/loader.js';
import { setWasmSources, type WasmSources } from '../runtime/wasm_files.js';
import wasm from 'tenure:wasm';

/** Loads the engine, whose parts are inside the script too. */
export function startInlined(parts: WasmSources): void {
  namePublicApi();
  setWasmSources({ 'tenure.wasm': __DEBUG__ ? () => inflate(wasm()) : wasm, ...parts });
  loadSync();
}
