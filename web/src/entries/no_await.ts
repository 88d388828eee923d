// The same without top-level await: `await tf.ready()` loads it.
export * from '../index.js';
import { comesFrom } from '../runtime/loader.js';

comesFrom(new URL('tenure.wasm', import.meta.url).href);
