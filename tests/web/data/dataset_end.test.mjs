// The end of a pass over a dataset: by an error, an AbortSignal, or close().
import { assert, tf } from '../expect.mjs';
import { clean, tensors } from './datasets.mjs';

const { data } = tf;

clean('an error ends the pass, frees everything and is reported once', async () => {
  const failing = tensors(9).mapAsync(async ({ x, y }) => {
    if (y === 3) throw new Error('three');
    return x.add(1);
  });
  const iterator = await failing.prefetch(4).iterator();
  const got = [];
  await assert.rejects(async () => {
    for (;;) got.push((await iterator.next()).value);
  }, /^Error: three$/);
  assert.deepEqual(await iterator.next(), { value: null, done: true });
  tf.dispose(got);
  await assert.rejects(failing.toArray(), /three/);
  await assert.rejects(
    data
      .func(() => {
        throw new Error('none');
      })
      .toArray(),
    /Error thrown while iterating through a dataset: none/,
  );
});

clean('an AbortSignal ends a waiting pass, and frees everything', async () => {
  const controller = new AbortController();
  let settle;
  const stuck = new Promise((resolve) => (settle = resolve));
  const dataset = tensors(5).mapAsync(({ y, x }) => (y < 2 ? x : stuck));
  const iterator = await dataset.prefetch(3).iterator({ signal: controller.signal });
  for (let i = 0; i < 2; i++) tf.dispose((await iterator.next()).value);
  const before = tf.memory().numTensors;
  const waiting = iterator.next();
  setImmediate(() => controller.abort(new Error('enough')));
  await assert.rejects(waiting, /enough/);
  assert.ok(before > 0 && tf.memory().numTensors === 0, 'tensors are freed while a function still works');
  settle(tf.scalar(1));
  await new Promise((resolve) => setImmediate(resolve));
});

clean('a closed pass frees prefetched elements at once', async () => {
  const iterator = await tensors(100).prefetch(8).iterator();
  tf.dispose((await iterator.next()).value);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(tf.memory().numTensors > 0);
  void iterator.close();
});

clean('close() waits until a source has closed', async () => {
  let closed = false;
  const slow = data.generator(async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      await new Promise((resolve) => setTimeout(resolve, 30));
      closed = true;
    }
  });
  for (const end of [
    async (iterator) => iterator.close(),
    async (iterator) => {
      for await (const value of iterator) if (value === 2) break;
    },
  ]) {
    closed = false;
    const iterator = await slow.iterator();
    await iterator.next();
    await end(iterator);
    assert.ok(closed);
  }
});

clean('close() rejects with the error that a source throws while it closes', async () => {
  const failing = data.generator(async function* () {
    try {
      yield 1;
    } finally {
      await new Promise((resolve) => setTimeout(resolve, 10));
      throw new Error('the file is gone');
    }
  });
  const iterator = await failing.iterator();
  await iterator.next();
  await assert.rejects(iterator.close(), /the file is gone/);
});

clean('close() does not wait for a source that never gives its next element', async () => {
  const stuck = data.generator(async function* () {
    yield 1;
    await new Promise(() => {});
  });
  const iterator = await stuck.prefetch(2).iterator();
  await iterator.next();
  await iterator.close();
  assert.equal((await iterator.next()).done, true);
});
