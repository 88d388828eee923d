// Models of one weight and one bias, whose training can be computed by hand.
import { leavesNothingAsync, tf } from '../expect.mjs';

const dense = (name, config) => ({ class_name: 'Dense', config: { name, ...config } });

/** Returns a model of layers with given weights, each a list of numbers. */
async function modelOf(layers, weights) {
  const weightSpecs = weights.map(([name, shape]) => ({ name, shape, dtype: 'float32' }));
  const weightData = Float32Array.from(weights.flatMap(([, , values]) => values)).buffer;
  const modelTopology = { class_name: 'Sequential', config: { name: 'm', layers } };
  return tf.loadLayersModel(tf.io.fromMemory({ modelTopology, weightSpecs, weightData }));
}
/** Returns y = w x + b with w = 2, b = 1. */
export const line = (config = {}) =>
  modelOf(
    [dense('d', { units: 1, batch_input_shape: [null, 1], ...config })],
    [
      ['d/kernel', [1, 1], [2]],
      ['d/bias', [1], [1]],
    ],
  );

export const weightsOf = (model) => model.getWeights().flatMap((weight) => Array.from(weight.dataSync()));

/** Runs `body` with a model, x = 1..4 and y = 0, and disposes everything. */
export async function withLine(config, body) {
  await leavesNothingAsync(async () => {
    const model = await line(config);
    const x = tf.tensor([1, 2, 3, 4], [4, 1]);
    const y = tf.zeros([4, 1]);
    try {
      await body(model, x, y);
    } finally {
      tf.dispose([x, y]);
      model.dispose();
    }
  });
}
