// The package for require() in Node, and for import by way of it, so that both have the same one.
export * from '../index.js';
export * as node from '../node/index.js';
import { decodeImagesBy } from '../data/readers/image_folder.js';
import { decodeImage } from '../node/index.js';
import { builtIn } from '../runtime/built_in.js';
import { comesFrom, loadNow } from '../runtime/loader.js';

decodeImagesBy(decodeImage);
comesFrom(() => builtIn('node:fs')!.readFileSync(`${__dirname}/tenure.wasm`));
loadNow();
