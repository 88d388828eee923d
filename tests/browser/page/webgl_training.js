// Trains models on the GPU and on the CPU, small work included, and counts the live tensors during and after it.
import * as tf from '/tenure/dist/index.js';
import { difference, filesOf, models, optimizers, trainFiles } from '/conformance/training.mjs';
import { held } from './common.mjs';
import { show } from './show.js';
import { change } from './webgl_checks.js';

const kSteps = 25;
/** Models that train with each optimizer; the others train with one. */
const kThorough = ['MLP', 'CNN with batch norm', 'LSTM and GRU'];

tf.env().set('WEBGL_CPU_FORWARD', false);
const before = held(tf);
const trained = [];
for (const row of models) {
  await tf.setBackend('wasm');
  const files = await filesOf(tf, row);
  const names = kThorough.includes(row.name) ? Object.keys(optimizers) : ['sgd'];
  for (const name of names)
    trained.push({ name: `${row.name} with ${name}`, ...(await compare(row, files, optimizers[name])) });
}
await tf.setBackend('webgl');
show({ trained, digits: await digits(), contextLoss: await contextLoss(), before, after: held(tf) });

/** Returns the difference between training on the GPU and on the CPU, and the tensors that each leaves. */
async function compare(row, files, optimizer) {
  try {
    const train = async (backend) => {
      await tf.setBackend(backend);
      const result = await trainFiles(tf, files, row, optimizer, kSteps);
      return { result, left: held(tf) };
    };
    const [cpu, gpu] = [await train('wasm'), await train('webgl')];
    return { by: difference(gpu.result, cpu.result), left: [cpu.left, gpu.left] };
  } catch (error) {
    return { failed: error.stack };
  }
}

/** Returns an image classifier, and eighty images with their classes. */
function pictures() {
  const { layers, initializers } = tf;
  const kernelInitializer = (seed) => initializers.glorotNormal({ seed });
  const model = tf.sequential({
    layers: [
      layers.conv2d({
        filters: 8,
        kernelSize: 3,
        inputShape: [16, 16, 1],
        activation: 'relu',
        kernelInitializer: kernelInitializer(1),
      }),
      layers.batchNormalization(),
      layers.maxPooling2d({ poolSize: 2 }),
      layers.conv2d({ filters: 16, kernelSize: 3, activation: 'relu', kernelInitializer: kernelInitializer(2) }),
      layers.flatten(),
      layers.dropout({ rate: 0.25, seed: 3 }),
      layers.dense({ units: 10, activation: 'softmax', kernelInitializer: kernelInitializer(4) }),
    ],
  });
  model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  const x = tf.randomUniform([80, 16, 16, 1], 0, 1, 'float32', 5);
  const y = tf.oneHot(
    Int32Array.from({ length: 80 }, (_, i) => i % 10),
    10,
  );
  return { model, x, y };
}

/** Counts the live tensors after some epochs, after many, and after disposal. */
async function digits() {
  const start = held(tf);
  const { model, x, y } = pictures();
  const fit = async (epochs) => {
    const { history } = await model.fit(x, y, { epochs, batchSize: 16, validationSplit: 0.2, verbose: 0 });
    // Without a trim, so that the pools stay unchanged.
    const { numTensors, numBytes, numBytesInGPU, numBytesInGPUAllocated, detail } = tf.memory();
    return {
      losses: history.loss,
      counts: { numTensors, numBytes, numBytesInGPU, numBytesInGPUAllocated, heapUsed: detail.heapUsed },
    };
  };
  const few = await fit(3);
  const many = await fit(9);
  tf.dispose([x, y, model]);
  return { start, few, many, end: held(tf) };
}

/** A lost context loses the weights; with new weights and a new optimizer the model continues. */
async function contextLoss() {
  const start = held(tf);
  const { model, x, y } = pictures();
  const weights = model.getWeights().map((weight) => [weight.shape, weight.dataSync()]);
  const { gl } = tf.backend().getGPGPUContext();
  const extension = gl.getExtension('WEBGL_lose_context');
  const fit = (callbacks) => model.fit(x, y, { epochs: 2, batchSize: 16, verbose: 0, callbacks });
  const lose = async () => {
    const lost = change(tf);
    extension.loseContext();
    await lost;
  };
  const error = await fit({ onEpochEnd: (epoch) => (epoch === 0 ? lose() : undefined) }).catch(({ name }) => name);
  const back = change(tf);
  setTimeout(() => extension.restoreContext(), 50);
  await back;
  const again = await fit().catch(({ name }) => name);
  tf.tidy(() => model.setWeights(weights.map(([shape, values]) => tf.tensor(values, shape))));
  tf.dispose([x, y]);
  const { model: other, ...fresh } = pictures();
  other.dispose();
  model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy' });
  const { history } = await model.fit(fresh.x, fresh.y, { batchSize: 16, verbose: 0 });
  tf.dispose([fresh, model]);
  return { error, again, loss: history.loss[0], start, end: held(tf) };
}
