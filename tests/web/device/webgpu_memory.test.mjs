// Memory over 10,000 predictions and steps of training, on an implementation of WebGPU that computes nothing.
import { after, before, test } from 'node:test';
import { assert, tf } from '../expect.mjs';
import { createFakeGpu } from './fake_gpu.mjs';

const gpu = createFakeGpu((device) => {
  device.createComputePipelineAsync = async () => ({});
  // A list of all calls would grow, which the test takes for a leak.
  device.calls = { push() {} };
});
let device;

before(async () => {
  await tf.init({ gpu });
  await tf.setBackend('webgpu');
  tf.env().set('WEBGL_CPU_FORWARD', false);
  ({ device } = tf.backend());
});
after(() => tf.env().reset());

/** Maximum growth of JavaScript's heap: the engine keeps up to 2,048 bind groups. */
const kMaxGrowth = 2e6;

const makeModel = () =>
  tf.sequential({ layers: [tf.layers.dense({ units: 2, activation: 'softmax', inputShape: [8] })] });

/** Returns the bytes of JavaScript's heap in use. */
function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Returns what is alive in the engine and on the device, without a trim, so that the pools stay as they are. */
function memory() {
  const { numTensors, numBytes, numBytesInGPU, numBytesInGPUAllocated, detail } = tf.memory();
  const { sizes } = device;
  return {
    ...{ numTensors, numBytes, numBytesInGPU, numBytesInGPUAllocated, heapUsed: detail.heapUsed },
    ...{ buffers: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) },
  };
}

test('10,000 predictions leave the numbers of buffers and bytes unchanged', async () => {
  const model = makeModel();
  const x = tf.ones([4, 8]);
  const predict = async (count) => {
    for (let i = 0; i < count; ++i) {
      const y = model.predict(x);
      if (i % 10 === 0) await y.data();
      y.dispose();
    }
    return memory();
  };
  const before = await predict(100);
  assert.ok(before.numBytesInGPU > 0);
  const bytes = heap();
  assert.deepEqual(await predict(10_000), before);
  assert.ok(heap() - bytes < kMaxGrowth);
  tf.dispose([model, x]);
});

test('10,000 steps of training leave them unchanged', async () => {
  const model = makeModel();
  model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy' });
  const [x, y] = [tf.ones([100, 8]), tf.ones([100, 2])];
  const fit = async (epochs) => {
    await model.fit(x, y, { batchSize: 2, epochs, verbose: 0 });
    return memory();
  };
  const before = await fit(4);
  assert.ok(before.numBytesInGPU > 0);
  const bytes = heap();
  assert.deepEqual(await fit(200), before);
  assert.ok(heap() - bytes < kMaxGrowth);
  model.optimizer.dispose();
  tf.dispose([model, x, y]);
});
