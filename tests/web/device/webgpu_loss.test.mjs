// A device that is lost at any call of a step, on an implementation of WebGPU that computes nothing.
import { after, before, test } from 'node:test';
import { counts } from '../common.mjs';
import { assert, tf } from '../expect.mjs';
import { createFakeGpu } from './fake_gpu.mjs';

const gpu = createFakeGpu((device) => {
  device.createComputePipelineAsync = async () => ({});
});

before(async () => {
  await tf.init({ gpu });
  await tf.setBackend('webgpu');
  tf.env().set('WEBGL_CPU_FORWARD', false);
});
after(() => tf.env().reset());

function makeModel() {
  const model = tf.sequential({
    layers: [
      tf.layers.conv2d({ filters: 4, kernelSize: 3, activation: 'relu', inputShape: [6, 6, 3] }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 2, activation: 'softmax' }),
    ],
  });
  model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  return model;
}

/** Calls `body` with a model, and disposes of it and its optimizer. */
async function withModel(body) {
  const model = makeModel();
  const [x, y] = [tf.ones([4, 6, 6, 3]), tf.ones([4, 2])];
  try {
    await body(model, x, y);
  } finally {
    model.optimizer.dispose();
    tf.dispose([model, x, y]);
  }
}

/** Steps of a program. Each frees what it makes, whatever it throws. */
const kSteps = {
  async 'a prediction'() {
    await withModel(async (model, x) => {
      const result = model.predict(x);
      await result.data().finally(() => result.dispose());
    });
  },
  async 'a step of training'() {
    await withModel(async (model, x, y) => void (await model.trainOnBatch(x, y)));
  },
  async 'an epoch of fit()'() {
    await withModel((model, x, y) => model.fit(x, y, { batchSize: 2, epochs: 1, validationSplit: 0.5 }));
  },
  async 'a step of an optimizer'() {
    await tf.scopeAsync(async () => {
      const w = tf.variable(tf.ones([8, 8]));
      const optimizer = tf.train.momentum(0.1, 0.9);
      try {
        const loss = optimizer.minimize(() => w.matMul(w).square().mean(), true, [w]);
        await Promise.all([loss.data(), w.data()]);
      } finally {
        tf.dispose([w, optimizer]);
      }
    });
  },
  async 'reads, some of disposed tensors'() {
    await tf.scopeAsync(async () => {
      const x = tf.cumsum(tf.tensor(new Float32Array(5000)));
      const y = x.sin();
      const reads = [x.data(), y.data(), y.array()];
      x.dispose();
      const results = await Promise.allSettled(reads);
      for (const { reason } of results) if (reason) throw reason;
    });
  },
  async 'a buffer for the program'() {
    await tf.scopeAsync(async () => {
      const { tensorRef } = tf.ones([64]).square().dataToGPU();
      await tensorRef.data();
    });
  },
  async 'a profile'() {
    await tf.profile(async () => {
      const y = tf.tidy(() => tf.softmax(tf.ones([20, 30])));
      await y.data().finally(() => y.dispose());
    });
  },
};

/**
 * Runs a step, and destroys the device before its call of number `at`; never for undefined. Returns the number of calls and the
 * name of the error or 'none'.
 */
async function run(step, at) {
  const { device } = tf.backend();
  let calls = 0;
  device.onCall = () => {
    if (calls++ === at) device.destroy();
  };
  const error = await step().then(
    () => 'none',
    ({ name, stack }) => (name === 'ContextLostError' ? name : stack),
  );
  device.onCall = () => {};
  return { calls, error };
}

/** Waits until the engine runs on a device that is not lost. */
async function restored(lost) {
  for (let turn = 0; turn < 100; ++turn) {
    const { device } = tf.backend();
    if (device && device !== lost) return;
    await tf.nextFrame();
  }
  assert.fail('no device was opened');
}

for (const [name, step] of Object.entries(kSteps)) {
  test(`a device that is lost at any call of a step is replaced: ${name}`, async () => {
    await run(step);
    const start = counts(tf);
    const { calls, error } = await run(step);
    assert.equal(error, 'none');
    const errors = new Set();
    for (let at = 0; at < calls; ++at) {
      const { device } = tf.backend();
      errors.add((await run(step, at)).error);
      assert.ok(device.isDestroyed, `call ${at} was not reached`);
      await restored(device);
      assert.deepEqual(counts(tf), start, `call ${at}`);
    }
    errors.delete('none');
    assert.deepEqual([...errors], ['ContextLostError']);
    assert.deepEqual((await run(step)).error, 'none');
    assert.equal(gpu.devices.filter(({ isDestroyed }) => !isDestroyed).length, 1);
  });
}
