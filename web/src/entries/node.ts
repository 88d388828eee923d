// The package for require() in Node, and for import by way of it, so that both have the same one.
export * from '../index.js';
export * as node from '../node/index.js';
import { decodeImagesBy } from '../data/readers/image_folder.js';
import { decodeImage } from '../node/index.js';
import { builtIn } from '../runtime/built_in.js';
import { loadNow } from '../runtime/loader.js';
import { comesFrom } from '../runtime/wasm_files.js';

decodeImagesBy(decodeImage);
// Nothing is downloaded here.
const file = __DEBUG__ ? 'tenure.wasm' : 'tenure.whole.wasm';
comesFrom({ 'tenure.wasm': () => builtIn('node:fs')!.readFileSync(`${__dirname}/${file}`) });
loadNow();
