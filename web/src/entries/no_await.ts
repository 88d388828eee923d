// The same without top-level await: `await tf.ready()` loads it.
export * from '../index.js';
import { namePublicApi } from '../public_api.js';
import { comesFrom } from '../runtime/wasm_files.js';
import { besideThis } from './beside.js';

namePublicApi();
try {
  comesFrom(besideThis());
} catch {
  // Some bundlers make a script of it that does not know where it is: the program says where the wasm is.
}
