// Times kernels on the npm package 'webgpu', whose folder is the argument, and prints the times: the program of
// webgpu_timing.test.mjs.
import { createRequire } from 'node:module';
import { held } from '../common.mjs';
import { tf } from '../expect.mjs';
import { restartDevice } from './webgpu_device.mjs';

const kFeature = 'timestamp-query';
const { create } = createRequire(import.meta.url)(process.argv[2]);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
let hidesFeature = false;
let isSlow = () => false;
const requested = [];
const opened = [];
const gpu = {
  async requestAdapter(options) {
    if (isSlow()) for (let frame = 0; frame < 20; ++frame) await tf.nextFrame();
    const adapter = await globalThis.gpu.requestAdapter(options);
    const has = (name) => adapter.features.has(name) && !(hidesFeature && name === kFeature);
    const requestDevice = async (descriptor) => {
      requested.push(descriptor.requiredFeatures.includes(kFeature));
      const device = await adapter.requestDevice(descriptor);
      opened.push(device);
      return device;
    };
    return { features: { has }, limits: adapter.limits, info: adapter.info, requestDevice };
  },
};
await tf.init({ gpu });
tf.env().set('WEBGL_CPU_FORWARD', false);

/** Counts the query sets of a device that are not destroyed, and its timed passes. */
function watch(device) {
  const counts = { live: 0, made: 0 };
  const own = device.createQuerySet;
  device.createQuerySet = (options) => {
    const set = own.call(device, options);
    const destroy = set.destroy;
    set.destroy = () => (--counts.live, destroy.call(set));
    ++counts.made;
    ++counts.live;
    return set;
  };
  return counts;
}

const chain = (x, length) => {
  for (let i = 0; i < length; ++i) x = tf.matMul(x, x).clipByValue(-1, 1);
  return x;
};
const sumOf = (kernels) => kernels.reduce((sum, { kernelTimeMs }) => sum + kernelTimeMs, 0);

async function measure() {
  await tf.setBackend('webgpu');
  const counts = watch(tf.backend().device);
  const before = held(tf);
  const [small, large] = [tf.fill([32, 32], 0.01), tf.fill([256, 256], 0.01)];
  const warm = tf.tidy(() => [chain(small, 1), chain(large, 1)]);
  await warm[1].data();
  tf.dispose(warm);
  const times = [];
  for (const x of [small, large]) times.push(await tf.time(() => tf.tidy(() => void chain(x, 4))));
  const many = await tf.profile(() => tf.tidy(() => void chain(small, 200)));
  let inner;
  const outer = await tf.profile(async () => {
    tf.tidy(() => void chain(small, 1));
    inner = await tf.profile(() => tf.tidy(() => void chain(large, 1)));
    tf.tidy(() => void chain(small, 1));
  });
  const error = await tf.time(() => tf.tidy(() => (chain(small, 1), tf.matMul(small, large)))).catch((error) => error);
  const idle = await tf.time(() => {});
  const cpu = await tf.time(() => tf.tidy(() => void tf.tensor1d([1, 2]).add(1)));
  const after = tf.tidy(() => chain(large, 1).sum());
  const [sum] = await after.data();
  tf.dispose([small, large, after]);
  const kernels = (list) => list.map(({ name, kernelTimeMs }) => ({ name, ms: kernelTimeMs }));
  return {
    ...{ times, idle, cpu, sum, error: error.message, counts: { ...counts }, before, after: held(tf) },
    ...{ many: kernels(many.kernels), inner: kernels(inner.kernels), outer: kernels(outer.kernels) },
    total: sumOf(many.kernels),
  };
}

/** Loses the device while a profile runs. */
async function lose() {
  // On the CPU, too, where it is not lost.
  const x = tf.tensor(new Float32Array(64 * 64), [64, 64]);
  const found = await tf.profile(async () => {
    tf.tidy(() => void chain(x, 1));
    await restartDevice();
    tf.tidy(() => void chain(x, 1));
  });
  x.dispose();
  return found.kernels.map(({ kernelTimeMs }) => kernelTimeMs);
}

/** Calls setBackend(), whose device comes late, while the engine opens another by itself. Returns what is then there. */
async function startTwice() {
  const { device } = tf.backend();
  const before = opened.length;
  let requests = 0;
  isSlow = () => ++requests === 2;
  device.destroy();
  await device.lost;
  const isStarted = await tf.setBackend('webgpu');
  isSlow = () => false;
  const lost = [];
  for (const [i, one] of opened.slice(before).entries()) void one.lost.then(() => lost.push(i));
  const running = opened.indexOf(tf.backend().device) - before;
  for (let frame = 0; frame < 5; ++frame) await tf.nextFrame();
  return { isStarted, opened: opened.length - before, running, lost: [...lost] };
}

const offered = await measure();
const lost = await lose();
const twice = await startTwice();
hidesFeature = true;
await restartDevice();
const hidden = await measure();
console.log(JSON.stringify({ offered, hidden, lost, twice, requested }));
