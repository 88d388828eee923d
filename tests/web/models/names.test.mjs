// Names of layers' weights and of symbolic tensors: unique among the live ones, and released with their owners.
import { test } from 'node:test';
import { assert, isDebug, leavesNothingAsync, tf } from '../expect.mjs';

const modelOf = (name) => tf.sequential({ layers: [tf.layers.dense({ name, units: 2, inputShape: [2] })] });
const namesOf = (model) => model.weights.map(({ name }) => name);

test('weights with a used name are numbered, and numbering restarts when the others are disposed', () =>
  leavesNothingAsync(async () => {
    const [a, b, c] = ['fc', 'fc', 'fc'].map(modelOf);
    assert.deepEqual([a, b, c].map(namesOf), [
      ['fc/kernel', 'fc/bias'],
      ['fc/kernel_1', 'fc/bias_1'],
      ['fc/kernel_2', 'fc/bias_2'],
    ]);
    a.dispose();
    const d = modelOf('fc');
    assert.deepEqual(namesOf(d), ['fc/kernel_3', 'fc/bias_3'], 'others still bear it');
    for (const model of [b, c, d]) model.dispose();
    const e = modelOf('fc');
    assert.deepEqual(namesOf(e), ['fc/kernel', 'fc/bias']);
    e.dispose();
    const taken = tf.variable([1], true, 'fc/kernel');
    const f = modelOf('fc');
    assert.deepEqual(namesOf(f), ['fc/kernel_1', 'fc/bias']);
    f.dispose();
    taken.dispose();
    const g = modelOf('fc');
    assert.deepEqual(namesOf(g), ['fc/kernel', 'fc/bias']);
    g.dispose();
  }));

test('unreachable symbolic tensors release their names', async () => {
  const nameOf = () => tf.input({ shape: [1], name: 'given' }).name;
  assert.deepEqual([nameOf(), nameOf()], ['given', 'given_1']);
  for (let i = 0; i < 20; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(nameOf(), 'given');
});

const skip = isDebug && 'the ledger remembers the last 10,000 disposed tensors, with their names';

test('disposed models release their names', { skip }, async () => {
  let made = 0;
  const run = async (count) => {
    for (let i = 0; i < count; i++) {
      // Long names, which exceed everything else that a first call allocates.
      const model = modelOf(`${'x'.repeat(4000)}_${made++}`);
      tf.tidy(() => void model.predict(tf.ones([1, 2])));
      model.dispose();
    }
    for (let i = 0; i < 20; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await run(300);
  const perModel = ((await run(500)) - before) / 500;
  assert.ok(perModel < 1000, `${perModel.toFixed(0)} bytes for each model`);
});
