// The debug build warns once of a page that waits for the GPU.
import * as tf from '/tenure/dist/debug/index.js';
import { show } from './show.js';

const warnings = [];
console.warn = (text) => warnings.push(text);
await tf.setBackend('webgl');
const values = tf.tidy(() => {
  const x = tf.fill([256, 256], 3);
  return [x.square().dataSync()[0], x.add(1).dataSync()[0]];
});
show({ values, warnings });
