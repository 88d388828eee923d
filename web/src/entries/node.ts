// The entry for require() in Node. The entry for import re-exports it, so that both share one instance of the package.
export * from '../index.js';
export * as node from '../node/index.js';
import { decodeImagesBy } from '../data/readers/image_folder.js';
import { decodeImage } from '../node/index.js';
import { builtIn } from '../runtime/built_in.js';
import { loadNow } from '../runtime/loader.js';
import { kBuilt, named } from '../runtime/variants.js';
import { comesFrom, type Origins } from '../runtime/wasm_files.js';

decodeImagesBy(decodeImage);
// Nothing is downloaded in Node, so the engine is not split into parts.
const whole = __DEBUG__ ? 'tenure.wasm' : 'tenure.whole.wasm';
const read = (name: string) => builtIn('node:fs')!.readFileSync(`${__dirname}/${name}`);
const engines = kBuilt.map((of) => [named('tenure.wasm', of), () => read(named(whole, of))]);
comesFrom(Object.fromEntries(engines) as Origins);
loadNow();
