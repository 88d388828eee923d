// Misuse by consumers and sources: several loops over one pass, values that are no data, and nothing at all.
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';

const { data } = tf;
const clean = (name, body) => test(name, () => leavesNothingAsync(body));
const tensors = (count) =>
  data.generator(function* () {
    for (let i = 0; i < count; i++) yield tf.scalar(i);
  });

for (const [name, loop] of Object.entries({
  forEachAsync: (iterator, take) => iterator.forEachAsync(take),
  async 'for await'(iterator, take) {
    for await (const x of iterator) await take(x);
  },
})) {
  clean(`${name}: several loops share a pass, and each owns its element until its next one`, async () => {
    const iterator = await tensors(7).prefetch(2).iterator();
    const got = [];
    const consumer = (turns) =>
      loop(iterator, async (x) => {
        for (let i = 0; i < turns; i++) await pause();
        got.push(x.dataSync()[0]);
      });
    await Promise.all([consumer(1), consumer(3), consumer(9)]);
    assert.deepEqual(got.sort(), [0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await iterator.next(), { value: null, done: true });
  });

  clean(`${name}: an error in one of several loops ends the pass for all`, async () => {
    const iterator = await tensors(9).iterator();
    const steady = loop(iterator, pause);
    await assert.rejects(
      loop(iterator, () => {
        throw new Error('enough');
      }),
      /^Error: enough$/,
    );
    await steady;
    assert.equal(tf.memory().numTensors, 0);
  });
}

clean('objects with more than their entries pass through unchanged', async () => {
  const mine = tf.scalar(5);
  const [copy] = await data
    .array([0])
    .map(() => ({ map: new Map([['k', mine]]) }))
    .toArray();
  assert.deepEqual(copy.map.get('k').dataSync(), mine.dataSync());
  tf.dispose(copy);
  const values = { inner: tensors(2), map: new Map([['k', 1]]), set: new Set([2]), date: new Date(3), pattern: /x/ };
  await data
    .array([0])
    .map(() => ({ ...values, mine }))
    .forEachAsync(async ({ inner, map, set, date, pattern }) => {
      const all = await inner.toArray();
      assert.equal(all.length, 2);
      tf.dispose(all);
      assert.deepEqual([map.get('k'), set.has(2), date.getTime(), pattern.test('x')], [1, true, 3, true]);
    });
  mine.dispose();
  await assert.rejects(
    data
      .array([tensors(1), tensors(1)])
      .batch(2)
      .toArray(),
    /Can't recurse into non-iterable type/,
  );
});

clean('a zip of nothing has no elements', async () => {
  assert.deepEqual(await data.zip([]).toArray(), []);
  assert.deepEqual(await data.zip({ a: [] }).toArray(), []);
});

clean('invalid sources are named', async () => {
  assert.throws(() => data.func(5), /^Error: The argument to func\(\) must be a function, got 5$/);
  assert.throws(() => data.generator(tensors(1)), /^Error: The argument to generator\(\) must be a function/);
  await assert.rejects(
    data.generator(() => [1]).toArray(),
    /expected an iterator of the generator's function, got object$/,
  );
  for (const given of [undefined, 5]) {
    await assert.rejects(
      data.func(() => given).toArray(),
      new RegExp(`expected a source to return {value, done}, got ${given}$`),
    );
  }
});

clean('a finished source is not called again, however many consumers wait', async () => {
  let asked = 0;
  const iterator = await data.func(() => ({ value: 1, done: ++asked > 2 })).iterator();
  const got = await Promise.all(Array.from({ length: 6 }, () => iterator.next()));
  assert.deepEqual(
    got.map(({ done }) => done),
    [false, false, true, true, true, true],
  );
  assert.equal(asked, 3);
});

clean('an error with a read-only message is reported unchanged', async () => {
  const error = Object.freeze(new Error('cold'));
  await assert.rejects(
    data
      .func(() => {
        throw error;
      })
      .toArray(),
    (thrown) => thrown === error,
  );
});
