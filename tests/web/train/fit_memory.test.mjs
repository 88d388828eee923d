import { test } from 'node:test';
import { held } from '../common.mjs';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';
import { line, weightsOf, withLine } from './line_model.mjs';

test('a model that is disposed while it trains ends the training', async () => {
  await leavesNothingAsync(async () => {
    const model = await line();
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const x = tf.ones([4, 1]);
    await assert.rejects(
      model.fit(x, x, {
        epochs: 3,
        verbose: 0,
        validationSplit: 0.5,
        callbacks: { onEpochEnd: () => model.dispose() },
      }),
      /is already disposed/,
    );
    x.dispose();
  });
});

test('a training that hangs is freed with its model', async () => {
  const never = () => new Promise(() => {});
  /** Starts a training, and resolves when it hangs in a callback. */
  const hang = (begin) => new Promise((resolve) => void begin({ onBatchEnd: () => (resolve(), never()) }));
  await leavesNothingAsync(async () => {
    const [first, second] = await Promise.all([line(), line()]);
    for (const model of [first, second]) model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const [x, y] = [tf.ones([8]), tf.zeros([8])];
    await hang((callbacks) =>
      first.fit(x, y, { batchSize: 2, verbose: 0, classWeight: { 0: 2 }, validationData: [x, y], callbacks }),
    );
    const dataset = tf.data
      .array([1, 2, 3, 4])
      .map((v) => ({ xs: tf.tensor1d([v]), ys: tf.tensor1d([v]) }))
      .batch(2)
      .prefetch(2);
    await hang((callbacks) => second.fitDataset(dataset, { epochs: 2, verbose: 0, callbacks }));
    tf.dispose([x, y, first, second]);
    await pause();
  });
});

test('two models train concurrently', async () => {
  await leavesNothingAsync(async () => {
    const [first, second] = await Promise.all([line(), line()]);
    const x = tf.ones([8, 1]);
    for (const model of [first, second]) model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    await Promise.all(
      [first, second].map((model) =>
        model.fit(x, x, { epochs: 5, batchSize: 2, verbose: 0, yieldEvery: 'batch', shuffle: false }),
      ),
    );
    assert.deepEqual(weightsOf(first), weightsOf(second));
    x.dispose();
    first.dispose();
    second.dispose();
  });
});

test('an optimizer given by name is disposed with the model, a given instance is not', async () => {
  const before = held(tf);
  const x = tf.ones([4, 1]);
  const own = tf.train.adam(0.1);
  const model = await line();
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  await model.fit(x, x, { verbose: 0 });
  model.compile({ optimizer: own, loss: 'meanSquaredError' });
  await model.fit(x, x, { verbose: 0 });
  model.dispose();
  x.dispose();
  assert.equal(tf.memory().numTensors, before.numTensors + 4, 'two slots for each of two weights');
  own.dispose();
  assert.deepEqual(held(tf), before);
});

test('an optimizer of several models frees the slots of disposed ones', async () => {
  const before = held(tf);
  const x = tf.ones([4, 1]);
  const own = tf.train.adam(0.1);
  const counts = [];
  for (let i = 0; i < 5; i++) {
    const model = await line();
    model.compile({ optimizer: own, loss: 'meanSquaredError' });
    await model.fit(x, x, { verbose: 0 });
    model.dispose();
    counts.push(tf.memory().numTensors - before.numTensors);
  }
  assert.deepEqual(counts, [5, 5, 5, 5, 5], 'x, and two slots for each of two weights');
  tf.dispose([x, own]);
  assert.deepEqual(held(tf), before);
});

test('the numbers of tensors and bytes are constant over training steps', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae', 'mse'] });
    await model.fit(x, y, { epochs: 2, batchSize: 2, verbose: 0 });
    const before = held(tf);
    await model.fit(x, y, { epochs: 200, batchSize: 2, verbose: 0, validationSplit: 0.25 });
    tf.dispose(model.evaluate(x, y, { batchSize: 3 }));
    assert.deepEqual(held(tf), before);
  });
});
