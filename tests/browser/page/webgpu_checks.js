import { held } from './common.mjs';
import { change } from './webgl_checks.js';

const kLarge = [256, 256];

/** The devices that were requested in this page, the last of which the engine runs on. */
export const devices = [];
const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (...args) {
  const device = await requestDevice.apply(this, args);
  devices.push(device);
  return device;
};

/**
 * Reads tensors synchronously, of sizes around those of the canvases that are used for it. Returns the number of wrong values by
 * size; each of the values has other bits, NaN among them.
 */
export function blockingReads(tf) {
  return Object.fromEntries(
    [1, 3, 64, 255, 256, 257, 1000, 65_536, 65_537, 140_001].map((size) => {
      const words = Uint32Array.from({ length: size }, (_, i) => Math.imul(i + 1, 2_654_435_761));
      const x = tf.tensor(new Int32Array(words.buffer), [size], 'int32');
      const y = tf.neg(x);
      const got = y.dataSync();
      const wrong = x.dataSync().filter((value, i) => got[i] !== (-value | 0)).length;
      tf.dispose([x, y]);
      return [size, wrong];
    }),
  );
}

/** Fits a small model. Returns its first and last loss, and the memory before, in the middle and at the end. */
export async function training(tf) {
  const before = held(tf);
  const model = tf.sequential();
  model.add(tf.layers.dense({ inputShape: [8], units: 16, activation: 'relu' }));
  model.add(tf.layers.dense({ units: 1 }));
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  const x = tf.tensor(
    Float32Array.from({ length: 512 }, (_, i) => Math.sin(i * 12.9898)),
    [64, 8],
  );
  const y = tf.tidy(() => x.sum(1, true));
  const fit = async (epochs) => (await model.fit(x, y, { batchSize: 16, epochs })).history.loss;
  const [first] = await fit(20);
  const middle = held(tf);
  const last = (await fit(60)).at(-1);
  const after = held(tf);
  model.optimizer.dispose();
  tf.dispose([model, x, y]);
  return { first, last, middle, after, before, end: held(tf) };
}

/** Loads a model and predicts. Returns the numbers of pipelines that were compiled until each. */
export async function compiledAhead(tf) {
  const before = held(tf);
  const counts = { sync: 0, async: 0 };
  const { createComputePipeline, createComputePipelineAsync } = GPUDevice.prototype;
  GPUDevice.prototype.createComputePipeline = function (options) {
    ++counts.sync;
    return createComputePipeline.call(this, options);
  };
  GPUDevice.prototype.createComputePipelineAsync = function (options) {
    ++counts.async;
    return createComputePipelineAsync.call(this, options);
  };
  // An activation that no other check has in a layer, for pipelines that are not compiled yet.
  const model = tf.sequential({ layers: [tf.layers.dense({ units: 5, activation: 'selu', inputShape: [7] })] });
  let artifacts;
  await model.save(tf.io.withSaveHandler(async (given) => ((artifacts = given), {})));
  model.dispose();
  const loaded = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
  const atLoad = { ...counts };
  const y = tf.tidy(() => loaded.predict(tf.tensor([[1, 2, 3, 4, 5, 6, 7]])));
  await y.data();
  tf.dispose([y, loaded]);
  Object.assign(GPUDevice.prototype, { createComputePipeline, createComputePipelineAsync });
  return { atLoad, atFirst: counts, before, after: held(tf) };
}

/** Times a product of matrices. */
export async function timing(tf) {
  const x = tf.fill([256, 256], 0.01);
  const multiply = () => tf.tidy(() => void tf.matMul(x, x));
  await tf.time(multiply);
  const times = await tf.time(multiply);
  x.dispose();
  return { ...times, hasTimestamps: tf.backend().device.features.has('timestamp-query') };
}

/** Runs in a worker, which has no document. */
export function worker() {
  const thread = new Worker('./webgpu_worker.js', { type: 'module' });
  return new Promise((resolve, reject) => {
    thread.onmessage = ({ data }) => resolve(data);
    thread.onerror = ({ message }) => reject(new Error(message));
  });
}

/** Loses the device in the middle of a read: values on it are lost, and ops go on, on the CPU and then on another device. */
export async function deviceLoss(tf) {
  const nameOfError = async (body) => {
    try {
      await body();
      return 'none';
    } catch ({ name }) {
      return name;
    }
  };
  const events = [];
  const stop = tf.onContextChange((event) => events.push(event));
  // Values on the CPU, of which the device gets a copy.
  const kept = tf.tensor(new Float32Array(kLarge[0] * kLarge[1]).fill(1), kLarge);
  const there = tf.square(kept);

  const next = change(tf);
  const read = nameOfError(() => there.data());
  devices.at(-1).destroy();
  // Before the engine is notified.
  const readAtOnce = nameOfError(() => there.dataSync());
  await next;
  const sum = tf.add(kept, 1);
  const whileLost = [(await sum.data())[0], tf.memory().numBytesInGPU ?? 0];
  const errors = await Promise.all([read, readAtOnce, nameOfError(() => there.data())]);
  if (events.length === 1) await change(tf);
  const again = tf.add(kept, 2);
  const [value] = await again.data();
  const onGpu = tf.memory().numBytesInGPU > 0;
  tf.dispose([kept, there, sum, again]);
  stop();
  return { events, whileLost, errors, value, onGpu };
}
