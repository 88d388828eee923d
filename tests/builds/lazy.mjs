// `node --import ./tests/builds/lazy.mjs ...`: results of every size wait to be read.
import * as tf from '../../dist/index.js';

tf.env().set('WASM_LAZY_SIZE_THRESHOLD', 1);
