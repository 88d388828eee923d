// `node --import ./tests/builds/lazy.mjs ...`: results of every size are deferred until they are read.
import * as tf from '../../dist/index.js';

tf.env().set('WASM_LAZY_SIZE_THRESHOLD', 1);
