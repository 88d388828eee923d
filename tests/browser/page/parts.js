// Ops that a page runs before the engine's lazy modules have arrived: no task lies between the start and these calls.
import * as tf from '/tenure/dist/index.js';
import { show } from './show.js';

const said = (error) => `${error.name}: ${error.message}`;
function attempt(body) {
  try {
    return tf.tidy(() => [...body().dataSync()]);
  } catch (error) {
    return said(error);
  }
}

const x = tf.tensor2d([
  [1, 2],
  [3, 4],
]);
const { numTensors } = tf.memory();
const sum = attempt(() => x.matMul(x).sum());
const gradient = attempt(() => tf.grad((y) => y.square().sum())(x));
const layer = attempt(() => tf.layers.dense({ units: -4 }).apply(x));
const left = tf.memory().numTensors - numTensors;
const graph = await tf.loadGraphModel(tf.io.fromMemory({ modelTopology: {} })).catch(said);
show({ sum, gradient, layer, left, graph });
