// The entry for require() in Node. The entry for import re-exports it, so that both share one instance of the package.
export * from '../index.js';
export * as node from '../node/index.js';
import { setDefaultDecoder, type ImageDecoder } from '../data/readers/image_folder.js';
import { decodeImage } from '../node/index.js';
import { nodeBuiltin } from '../runtime/node_builtins.js';
import { loadSync } from '../runtime/loader.js';
import { kBuiltVariants, variantFileName } from '../runtime/variants.js';
import { setWasmSources, type WasmSources } from '../runtime/wasm_files.js';

setDefaultDecoder(((bytes, channels) => decodeImage(bytes, channels, 'int32', false)) as ImageDecoder);
// Nothing is downloaded in Node, so the engine is not split into parts.
const whole = __DEBUG__ ? 'tenure.wasm' : 'tenure.whole.wasm';
const read = (name: string) => nodeBuiltin('node:fs')!.readFileSync(`${__dirname}/${name}`);
const engines = kBuiltVariants.map((of) => [
  variantFileName('tenure.wasm', of),
  () => read(variantFileName(whole, of)),
]);
setWasmSources(Object.fromEntries(engines) as WasmSources);
loadSync();
