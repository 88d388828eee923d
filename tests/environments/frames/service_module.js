import * as tf from './tenure/dist/inlined.js';

addEventListener('message', ({ source }) => {
  source.postMessage(`${tf.tidy(() => tf.tensor1d([1, 2, 3, 4]).sum().dataSync()[0])} ${tf.memory().numTensors}`);
});
