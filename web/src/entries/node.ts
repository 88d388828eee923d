// The package for require() in Node, and for import by way of it, so that both have the same one.
export * from '../index.js';
export * as node from '../node/index.js';
import { decodeImagesBy } from '../data/readers/image_folder.js';
import { decodeImage } from '../node/index.js';
import { builtIn } from '../runtime/built_in.js';
import { loadNow } from '../runtime/loader.js';
import { kBuilt, named } from '../runtime/variants.js';
import { comesFrom, type Origins } from '../runtime/wasm_files.js';

decodeImagesBy(decodeImage);
// Nothing is downloaded here.
const whole = __DEBUG__ ? 'tenure.wasm' : 'tenure.whole.wasm';
const read = (name: string) => builtIn('node:fs')!.readFileSync(`${__dirname}/${name}`);
const engines = kBuilt.map((of) => [named('tenure.wasm', of), () => read(named(whole, of))]);
comesFrom(Object.fromEntries(engines) as Origins);
loadNow();
