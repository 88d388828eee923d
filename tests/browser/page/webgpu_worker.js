import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';

const chosen = await tf.setBackend('webgpu');
const before = held(tf);
const x = tf.tidy(() => tf.fill([256, 256], 3).square());
const onGpu = tf.memory().numBytesInGPU > 0;
const [value] = await x.data();
x.dispose();
postMessage({ chosen, onGpu, value, before, after: held(tf) });
