// Saves a model in training in each way that a page has, and continues training from what was loaded.
import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';
import { show } from './show.js';

const xs = Array.from({ length: 30 }, (_, i) => Math.sin(i));
const ys = Array.from({ length: 20 }, (_, i) => Math.cos(i));

await tf.ready();
const before = held(tf);
const kernelInitializer = (seed) => tf.initializers.glorotNormal({ seed });
const model = tf.sequential({
  layers: [
    tf.layers.dense({ units: 4, inputShape: [3], activation: 'tanh', kernelInitializer: kernelInitializer(1) }),
    tf.layers.dense({ units: 2, kernelInitializer: kernelInitializer(2) }),
  ],
});
model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'] });
await steps(model);

const downloads = [];
const createObjectURL = URL.createObjectURL;
URL.createObjectURL = (blob) => (downloads.push(blob), createObjectURL.call(URL, blob));
HTMLAnchorElement.prototype.dispatchEvent = () => true;
const ways = {
  localstorage: () => roundTrip('localstorage://line'),
  indexeddb: () => roundTrip('indexeddb://line'),
  'downloads and files': async () => {
    await model.save('downloads://line', { includeOptimizer: true });
    const [json, weights] = [
      downloads.find(({ type }) => type === 'application/json'),
      downloads.find(({ type }) => type !== 'application/json'),
    ];
    return tf.loadLayersModel(
      tf.io.browserFiles([new File([json], 'line.json'), new File([weights], 'line.weights.bin')]),
    );
  },
};
const loaded = {};
for (const [name, way] of Object.entries(ways)) loaded[name] = await way().catch((error) => ({ failed: error.stack }));
const models = Object.keys(await tf.io.listModels()).sort();
for (const url of models) await tf.io.removeModel(url);
const expected = await steps(model);
const found = {};
for (const [name, one] of Object.entries(loaded)) {
  found[name] = one.failed ?? { iterations: one.optimizer.iterations, numbers: await steps(one) };
  one.dispose?.();
}
model.dispose();
show({ models, left: Object.keys(await tf.io.listModels()), expected, found, before, after: held(tf) });

async function roundTrip(url) {
  await model.save(url, { includeOptimizer: true });
  return tf.loadLayersModel(url);
}

/** Returns the numbers of three steps. */
async function steps(one) {
  const [x, y] = [tf.tensor(xs, [10, 3]), tf.tensor(ys, [10, 2])];
  const numbers = [];
  for (let i = 0; i < 3; i++) numbers.push(await one.trainOnBatch(x, y));
  tf.dispose([x, y]);
  return numbers;
}
