// Runs small models on the npm package 'webgpu' whose weights or inputs are only on the GPU, where nothing can be read at once.
// Prints the messages of their errors. The argument is the folder of the npm package.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tf } from '../expect.mjs';

const { create } = await import(pathToFileURL(path.join(process.argv[2], 'index.js')).href);
await tf.init({ gpu: create([]) });
await tf.setBackend('webgpu');

const kSequence = { inputShape: [6, 5] };
// More steps than are unrolled.
const kLong = { inputShape: [200, 5] };
// Their initial weights are computed on the GPU, being large, and the models are small enough for the CPU.
const kLayers = {
  lstm: () => tf.layers.lstm({ units: 64, ...kSequence }),
  gru: () => tf.layers.gru({ units: 64, ...kSequence }),
  simpleRNN: () => tf.layers.simpleRNN({ units: 64, ...kSequence }),
  'a long lstm': () => tf.layers.lstm({ units: 64, ...kLong }),
  'a long gru with all outputs': () => tf.layers.gru({ units: 64, returnSequences: true, goBackwards: true, ...kLong }),
  bidirectional: () => tf.layers.bidirectional({ layer: tf.layers.lstm({ units: 64 }), ...kSequence }),
  separableConv2d: () => tf.layers.separableConv2d({ filters: 64, kernelSize: 3, inputShape: [6, 6, 64] }),
};

const errors = {};
/** Predicts on the GPU, again, and on the CPU once the values `only` are there, too. Notes an error, or that the results differ. */
async function check(name, model, x, only) {
  try {
    const results = [];
    for (const backend of ['webgpu', 'webgpu', 'wasm']) {
      if (backend === 'wasm') await Promise.all(only.map((value) => value.data()));
      await tf.setBackend(backend);
      const y = model.predict(x);
      results.push(await y.data());
      y.dispose();
    }
    const differs = (values) => values.some((value, i) => !(Math.abs(value - results[0][i]) < 1e-4));
    if (results.some(differs)) errors[name] = 'the results differ';
  } catch (error) {
    errors[name] = error.message;
  }
  await tf.setBackend('webgpu');
}

const held = () => [tf.memory().numTensors, tf.memory().numBytes];
const before = held();
for (const [name, make] of Object.entries(kLayers)) {
  const model = tf.sequential({ layers: [make()] });
  const x = tf.ones([1, ...model.inputs[0].shape.slice(1)]);
  await check(name, model, x, model.getWeights());
  x.dispose();
  model.dispose();
}
// Weights that were trained on the GPU, of layers that are folded into others.
const trained = tf.sequential({
  layers: [
    tf.layers.conv2d({ filters: 32, kernelSize: 3, inputShape: [8, 8, 32], useBias: false }),
    tf.layers.batchNormalization(),
    tf.layers.activation({ activation: 'relu' }),
    tf.layers.flatten(),
    tf.layers.dense({ units: 4 }),
  ],
});
trained.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
const [images, targets] = [tf.randomUniform([4, 8, 8, 32]), tf.ones([4, 4])];
await trained.trainOnBatch(images, targets);
await check('a trained model', trained, images, [...trained.getWeights(), images]);
tf.dispose([images, targets]);
trained.dispose();
const dense = tf.sequential({ layers: [tf.layers.dense({ units: 3, inputShape: [8], useBias: false })] });
const large = tf.tidy(() => tf.square(tf.fill([512, 64], 2)));
const x = tf.tidy(() => large.reshape([-1]).slice([0], [8]).reshape([1, 8]));
await check('an input of the GPU', dense, x, [x]);
tf.dispose([x, large]);
dense.dispose();
const long = tf.sequential({ layers: [tf.layers.simpleRNN({ units: 3, ...kLong })] });
const sequence = tf.tidy(() => tf.sin(tf.range(0, 5000)).slice([0], [1000]).reshape([1, 200, 5]));
await check('a long sequence of the GPU', long, sequence, [sequence]);
sequence.dispose();
long.dispose();
console.log(JSON.stringify({ errors, before, after: held() }));
