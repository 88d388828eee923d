// The entry for require() in Node. The entry for import re-exports it, so that both share one instance of the package.
export * from '../index.js';
export * as node from '../node/index.js';
import { setDefaultDecoder, type ImageDecoder } from '../data/readers/image_folder.js';
import { kFiles } from '../generated/parts.js';
import { decodeImage } from '../node/index.js';
import { nodeBuiltin } from '../runtime/node_builtins.js';
import { loadSync } from '../runtime/loader.js';
import { setWasmSources } from '../runtime/wasm_files.js';

setDefaultDecoder(((bytes, channels) => decodeImage(bytes, channels, 'int32', false)) as ImageDecoder);
// The debug build has one file.
const files = __DEBUG__ ? kFiles.slice(0, 1) : kFiles;
const fs = nodeBuiltin('node:fs');
if (!fs) throw new Error(`Tenure needs Node 20.16 or newer (22.3 of Node 22): this is ${process.version}`);
const read = (name: string) => new Uint8Array(fs.readFileSync(`${__dirname}/${name}`));
setWasmSources(Object.fromEntries(files.map((name) => [name, () => read(name)])));
loadSync();
