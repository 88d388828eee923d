import * as tf from './tenure/dist/inlined.js';

onconnect = ({ ports: [port] }) => {
  port.postMessage(`${tf.tidy(() => tf.tensor1d([1, 2, 3, 4]).sum().dataSync()[0])} ${tf.memory().numTensors}`);
};
