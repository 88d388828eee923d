// Device loss during reads, loads, training and uploads, and concurrent starts, on WebGPU.
import * as tf from '/tenure/dist/index.js';
import { held } from './common.mjs';
import { show } from './show.js';
import { change } from './webgl_checks.js';
import { devices } from './webgpu_checks.js';
import { secondEngine, startsAtOnce } from './webgpu_starts.js';

const kLarge = [64, 64];
const kValues = Float32Array.from({ length: kLarge[0] * kLarge[1] }, (_, i) => Math.sin(i));

/** Returns the name of the error that `body` throws or rejects with, or 'none'. */
async function nameOfError(body) {
  try {
    await body();
    return 'none';
  } catch ({ name, message }) {
    return name === 'Error' ? message : name;
  }
}

/** Calls `body` with a function that destroys the device, and returns its result and the memory before and after it. */
async function losing(body) {
  const before = held(tf);
  const { device } = tf.backend();
  // Both events of this loss, or none is left for the next.
  const events = [];
  const stop = tf.onContextChange((event) => events.push(event));
  const result = await body(() => device.destroy());
  while (events.length < 2) await change(tf);
  stop();
  return { result, events, before, after: held(tf) };
}

const reads = (lose) =>
  tf.scopeAsync(async () => {
    const x = tf.tensor(kValues, kLarge);
    const products = [tf.matMul(x, x), tf.matMul(x, x), tf.matMul(x, x)];
    const started = products[0].data();
    lose();
    const errors = [
      nameOfError(() => started),
      nameOfError(() => products[1].dataSync()),
      nameOfError(() => products[2].array()),
    ];
    return Promise.all(errors);
  });

/** Trains a layers model; the device is destroyed after a batch of fit(), and then within a step. */
async function training(lose) {
  const model = tf.sequential({
    layers: [tf.layers.dense({ units: 64, activation: 'tanh', inputShape: [64] }), tf.layers.dense({ units: 1 })],
  });
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  const x = tf.tensor(kValues, kLarge);
  const y = tf.ones([64, 1]);
  const fitting = nameOfError(() =>
    model.fit(x, y, { epochs: 2, batchSize: 16, callbacks: { onBatchEnd: (batch) => void (batch === 1 && lose()) } }),
  );
  const errors = [await fitting];
  errors.push(await nameOfError(() => model.predict(x).data()));
  model.optimizer.dispose();
  tf.dispose([model, x, y]);
  return errors;
}

/** Computes gradients of variables while the device is destroyed. */
const step = (lose) =>
  tf.scopeAsync(async () => {
    const x = tf.tensor(kValues, kLarge);
    const w = tf.variable(x);
    const optimizer = tf.train.sgd(0.1);
    const loss = optimizer.minimize(
      () => {
        const product = tf.matMul(x, w);
        lose();
        return product.square().mean();
      },
      true,
      [w],
    );
    const errors = [await nameOfError(() => loss.data()), await nameOfError(() => w.data())];
    tf.dispose([w, optimizer]);
    return errors;
  });

/** Loads a model. The device is destroyed while its pipelines are compiled. */
async function loading(lose) {
  const model = tf.sequential({ layers: [tf.layers.dense({ units: 64, activation: 'softsign', inputShape: [64] })] });
  let artifacts;
  await model.save(tf.io.withSaveHandler(async (given) => ((artifacts = given), {})));
  // On the CPU, so that no pipeline is compiled yet.
  await tf.setBackend('wasm');
  const expected = tf.tidy(
    () =>
      model
        .predict(tf.ones([1, 64]))
        .sum()
        .dataSync()[0],
  );
  await tf.setBackend('webgpu');
  model.dispose();
  const { createComputePipelineAsync } = GPUDevice.prototype;
  let pending = 0;
  GPUDevice.prototype.createComputePipelineAsync = function (options) {
    ++pending;
    const compiled = createComputePipelineAsync.call(this, options);
    lose();
    return compiled;
  };
  const loaded = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
  Object.assign(GPUDevice.prototype, { createComputePipelineAsync });
  const sum = tf.tidy(() => loaded.predict(tf.ones([1, 64])).sum());
  const [value] = await sum.data();
  tf.dispose([loaded, sum]);
  return { pending: pending > 0, difference: Math.abs(value - expected) };
}

/** Uploads a tensor for an op, before and after the loss of the device in the same task. */
const uploads = (lose) =>
  tf.scopeAsync(async (scope) => {
    const x = tf.tensor(kValues, kLarge);
    const first = tf.matMul(x, x);
    lose();
    const later = tf.tensor(kValues, kLarge);
    const second = tf.matMul(later, later);
    const errors = [await nameOfError(() => first.data()), await nameOfError(() => second.data())];
    const again = scope.run(() => tf.matMul(x, later));
    return [...errors, (await again.data()).length, (await x.data())[1] === kValues[1]];
  });

await tf.setBackend('webgpu');
tf.env().set('WEBGL_CPU_FORWARD', false);
const found = {
  reads: await losing(reads),
  loading: await losing(loading),
  training: await losing(training),
  step: await losing(step),
  uploads: await losing(uploads),
};
const opened = devices.length;
show({ ...found, opened, starts: await startsAtOnce(), second: await secondEngine(tf) });
