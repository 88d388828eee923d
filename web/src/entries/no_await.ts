// The same without top-level await: `await tf.ready()` loads it.
export * from '../index.js';
import { comesFrom } from '../runtime/loader.js';

try {
  comesFrom(new URL('tenure.wasm', import.meta.url).href);
} catch {
  // Some bundlers make a script of it that does not know where it is: the program says where the wasm is.
}
