// Runs on the npm package 'webgpu', whose folder is the argument, and prints what it found: the program of webgpu.test.mjs, in a
// process of its own, as Vulkan's loader has to be found when a process starts.
import { createRequire } from 'node:module';
import { held, isClose } from '../common.mjs';
import { cases } from '../ops/cases.mjs';
import { tf } from '../expect.mjs';
import { sharedBuffers } from './shared_buffers.mjs';

const kTolerance = 2e-5;
const kLarge = [256, 256];
const { create } = createRequire(import.meta.url)(process.argv[2]);

/** Calls each op, and reads its result. Returns what is wrong, and the ops that would have to wait for the device. */
async function runCases() {
  const wrong = [];
  const waiting = [];
  for (const [name, call, , values] of cases) {
    try {
      const actual = tf.tidy(call);
      const got = await actual.data();
      actual.dispose();
      if (!values.every((value, i) => isClose(got[i], Number(value), kTolerance))) wrong.push(`${name}: ${got}`);
    } catch (error) {
      if (/await tensor\.data\(\)/.test(error.message)) waiting.push(name);
      else wrong.push(`${name}: ${error.stack}`);
    }
  }
  return { wrong, waiting };
}

/**
 * Trains two models from the same weights on the backend: one whose steps run in the engine, and one with a loss in JavaScript.
 * Returns their losses and metrics, and the tensors that are left.
 */
async function train(backend) {
  await tf.setBackend(backend);
  const before = held(tf);
  const [x, y] = tf.tidy(() => [tf.linspace(-1, 1, 96 * 32).reshape([96, 32]), tf.linspace(0, 1, 96).reshape([96, 1])]);
  const squares = (actual, predicted) => tf.tidy(() => tf.sub(actual, predicted).square());
  const found = [];
  for (const loss of ['meanSquaredError', squares]) {
    const kernelInitializer = tf.initializers.constant({ value: 0.02 });
    const layers = [
      tf.layers.dense({ units: 64, activation: 'tanh', inputShape: [32], kernelInitializer }),
      tf.layers.dense({ units: 1, kernelInitializer }),
    ];
    const model = tf.sequential({ layers });
    model.compile({ optimizer: 'sgd', loss, metrics: ['mae'] });
    const { history } = await model.fit(x, y, {
      ...{ epochs: 3, batchSize: 20, shuffle: false, validationSplit: 0.25, verbose: 0 },
    });
    const data = tf.data.generator(() => [{ xs: x.clone(), ys: y.clone() }].values());
    await model.fitDataset(data, { epochs: 1, verbose: 0 });
    const scores = [model.evaluate(x, y, { batchSize: 40 }), await model.evaluateDataset(data, {})].flat();
    found.push(Object.values(history), await Promise.all(scores.map((score) => score.data().then(([value]) => value))));
    found.push(await model.trainOnBatch(x, y));
    tf.dispose([scores, model]);
  }
  tf.dispose([x, y]);
  return { values: found.flat(Infinity), before, after: held(tf) };
}

/** Returns what is on the GPU before a chain of ops, before its result is read, and after; and what its use later throws. */
async function chain() {
  const bytes = () => tf.memory().numBytesInGPU;
  const x = tf.tidy(() => tf.neg(tf.fill(kLarge, 2)));
  await x.data();
  const before = [tf.memory().numTensors, bytes()];
  const y = tf.tidy(() => tf.relu(tf.mul(x, x).add(x)).sub(1));
  const pending = [tf.memory().numTensors, bytes()];
  const values = await y.data();
  const computed = bytes();
  const unread = tf.tidy(() => tf.square(y).add(1));
  tf.dispose([x, y]);
  const freed = bytes();
  const disposed = messageOf(() => tf.add(y, 1));
  const later = (await unread.data())[0];
  unread.dispose();
  return { before, pending, computed, freed, disposed, values: [values[0], later] };
}

const messageOf = (body) => {
  try {
    body();
    return 'none';
  } catch ({ message }) {
    return message;
  }
};

const warnings = [];
console.warn = (text) => warnings.push(text);
const without = await tf.setBackend('webgpu');
const notStarted = messageOf(() => tf.scalar(1).dataToGPU());
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
const chosen = await tf.setBackend('webgpu');
const before = held(tf);
const shared = await sharedBuffers(tf);
const small = await runCases();

const x = tf.fill(kLarge, 2);
const sum = tf.tidy(() => tf.add(x, 1).square());
const onGpu = tf.memory().numBytesInGPU;
const blocking = messageOf(() => sum.dataSync());
const fallback = messageOf(() => tf.tidy(() => tf.unique(sum.flatten())));
/** Returns the kernels that an op without a WebGPU kernel runs on values that are on the CPU, too, with their transfers. */
async function profileFallback() {
  const image = tf.tidy(() => tf.fill([1, 80, 80, 1], 2).square());
  await image.data();
  const { kernels } = await tf.profile(() =>
    tf.tidy(() => void tf.image.transform(image, tf.tensor2d([[1, 0, 0, 0, 1, 0, 0, 0]]))),
  );
  image.dispose();
  return kernels.map(({ name, extraInfo }) => [name, extraInfo]);
}

const profiled = await profileFallback();
const disposed = sum.clone();
const reading = disposed.data();
disposed.dispose();
const [value] = await reading;
const top = tf.tidy(() => tf.topk(sum, 1).values.dataSync()[0]);
tf.dispose([x, sum]);

tf.env().set('WEBGL_CPU_FORWARD', false);
const all = await runCases();
const lazySize = tf.env().get('WASM_LAZY_SIZE_THRESHOLD');
tf.env().set('WASM_LAZY_SIZE_THRESHOLD', 1);
const deferred = { cases: await runCases(), ...(await chain()) };
tf.env().set('WASM_LAZY_SIZE_THRESHOLD', lazySize);
const backend = tf.getBackend();
/** Computes a value on the GPU, and lets the device report that it has no memory. Returns what follows. */
async function outOfMemory() {
  await tf.setBackend('webgpu');
  const before = held(tf);
  const [kept, there] = [
    tf.tensor(new Float32Array(kLarge[0] * kLarge[1]).fill(1), kLarge),
    tf.tidy(() => tf.square(tf.fill(kLarge, 3))),
  ];
  class GPUOutOfMemoryError extends Error {}
  tf.backend().device.onuncapturederror({ error: new GPUOutOfMemoryError('no memory for a buffer') });
  const error = await there.data().catch((error) => error);
  const again = await tf.setBackend('webgpu');
  const sum = tf.add(kept, 1);
  const [value] = await sum.data();
  const { name, message } = error;
  const isOurs = error instanceof tf.OutOfMemoryError;
  tf.dispose([kept, there, sum]);
  return { name, message, isOurs, again, value, before, after: held(tf) };
}

const memory = await outOfMemory();
const training = { webgpu: await train('webgpu'), wasm: await train('wasm') };
console.log(
  JSON.stringify({
    ...{
      memory,
      training,
      shared,
      notStarted,
      without,
      warnings,
      chosen,
      backend,
      small,
      onGpu,
      blocking,
      fallback,
      profiled,
      value,
      top,
      all,
      deferred,
    },
    ...{ before, after: held(tf) },
  }),
);
