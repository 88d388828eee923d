// Elements that a dataset holds ahead of its consumer: prefetch(), mapAsync() and caches.
import { assert, tf } from '../expect.mjs';
import { clean, numbers, tensors, valuesOf } from './datasets.mjs';

const { data } = tf;

clean('prefetched elements keep their order when stages drop elements concurrently', async () => {
  const sums = tensors(4)
    .window(3, { shift: 1 })
    .map((rows) => tf.scalar(rows.length))
    .prefetch(2);
  const got = [];
  await sums.forEachAsync(async (x) => {
    got.push(x.dataSync()[0]);
    await new Promise((resolve) => setImmediate(resolve));
  });
  assert.deepEqual(got, [3, 3, 2, 1]);
});

clean('prefetched bytes stay within their bound, and the pass continues', async () => {
  const made = () =>
    data.generator(function* () {
      for (let i = 0; i < 40; i++) yield tf.fill([250], i);
    });
  for (const dataset of [
    made().prefetch({ elements: 16, maxBytes: 3000 }),
    made()
      .mapAsync(async (x) => x.add(1), { parallel: 8 })
      .withOptions({ maxBytes: 3000 }),
  ]) {
    const iterator = await dataset.iterator();
    for (let i = 0; i < 40; i++) {
      tf.dispose((await iterator.next()).value);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await iterator.next()).done, true);
    const { elements, peakBytesAhead, bytesAhead } = iterator.stats();
    assert.deepEqual([elements, bytesAhead], [40, 0]);
    assert.ok(peakBytesAhead <= 3000 && peakBytesAhead >= 2000, `${peakBytesAhead}`);
  }
});

clean('prefetch() with only a byte bound reads as far ahead as it allows', async () => {
  const made = data.generator(function* () {
    for (let i = 0; i < 40; i++) yield tf.fill([250], i);
  });
  const iterator = await made.prefetch({ maxBytes: 3000 }).iterator();
  for (let i = 0; i < 40; i++) {
    tf.dispose((await iterator.next()).value);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { peakBytesAhead } = iterator.stats();
  assert.ok(peakBytesAhead <= 3000 && peakBytesAhead >= 2000, `${peakBytesAhead}`);
  assert.deepEqual((await iterator.next()).done, true);
  // Elements without tensors have no bytes, so that a bound in bytes alone would not bound an infinite stream.
  let asked = 0;
  const endless = data.generator(function* () {
    for (;;) yield asked++;
  });
  assert.deepEqual(await valuesOf(endless.prefetch({ maxBytes: 100 }).take(3)), [0, 1, 2]);
  assert.ok(asked <= 1100, `${asked}`);
});

clean('prefetch() of more elements than exist allocates memory for those that exist', async () => {
  assert.deepEqual(
    await valuesOf(
      numbers(3)
        .map((i) => tf.scalar(i))
        .prefetch(1e9),
    ),
    [0, 1, 2],
  );
  assert.deepEqual(await valuesOf(numbers(3).mapAsync(async (x) => x + 1, { parallel: 1e9 })), [1, 2, 3]);
});

clean('prefetch() refuses arguments without a bound', async () => {
  for (const [given, message] of [
    [{}, '[prefetch] expected {elements} or {maxBytes}, got neither'],
    [{ elements: 0, maxBytes: 5 }, '[prefetch] expected elements to be an integer of at least 1, got 0'],
    [{ maxBytes: -1 }, '[prefetch] expected maxBytes to be a number above 0, got -1'],
    [{ maxBytes: NaN }, '[prefetch] expected maxBytes to be a number above 0, got NaN'],
    [1.5, '[prefetch] expected bufferSize to be an integer of at least 1, got 1.5'],
  ]) {
    assert.throws(() => numbers(3).prefetch(given), { message });
  }
});

clean('a cache owns the elements of the first complete pass until it is disposed', async () => {
  let passes = 0;
  const cached = data
    .generator(function* () {
      passes++;
      for (let i = 0; i < 3; i++) yield tf.scalar(i);
    })
    .cache();
  assert.deepEqual(await valuesOf(cached.take(1)), [0]);
  assert.deepEqual(await valuesOf(cached), [0, 1, 2]);
  assert.deepEqual(await valuesOf(cached), [0, 1, 2]);
  assert.equal(passes, 2);
  assert.equal(tf.memory().numTensors, 3);
  tf.dispose(cached);
  await assert.rejects(
    tensors(3).cache({ maxBytes: 20 }).toArray(),
    /\[cache\] the elements need more than the 20 bytes allowed/,
  );
});

clean('mapAsync() maps several elements concurrently, in order or as they complete', async () => {
  const slow = async (x) => {
    await new Promise((resolve) => setTimeout(resolve, x === 0 ? 40 : 1));
    return x;
  };
  assert.deepEqual(await valuesOf(numbers(4).mapAsync(slow, { parallel: 4 })), [0, 1, 2, 3]);
  const asReady = await valuesOf(numbers(4).mapAsync(slow, { parallel: 4, deterministic: false }));
  assert.equal(asReady.at(-1), 0);
  assert.deepEqual([...asReady].sort(), [0, 1, 2, 3]);
});

clean('mapAsync() maps no more elements concurrently than requested, however many are awaited', async () => {
  for (const parallel of [1, 3]) {
    let working = 0;
    let most = 0;
    const mapped = numbers(12).mapAsync(
      async (x) => {
        most = Math.max(most, ++working);
        await new Promise((resolve) => setImmediate(resolve));
        working--;
        return x;
      },
      { parallel },
    );
    const iterator = await mapped.iterator();
    const got = await Promise.all(Array.from({ length: 13 }, () => iterator.next()));
    assert.deepEqual(
      got.map(({ value }) => value),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, null],
    );
    assert.equal(most, parallel);
  }
});

clean('disposing a dataset empties its caches, which fill again', async () => {
  const cached = tensors(3)
    .map(({ x }) => x)
    .cache();
  const all = data
    .zip([
      cached.concatenate(
        tensors(1)
          .map(({ x }) => x)
          .cache(),
      ),
      cached.map((x) => x.add(1)),
    ])
    .batch(4);
  await all.forEachAsync(() => {});
  assert.equal(tf.memory().numTensors, 4);
  all.dispose();
  assert.equal(tf.memory().numTensors, 0);
  assert.equal((await valuesOf(cached)).length, 3);
  await cached[Symbol.asyncDispose]();
});

clean('memory().detail counts prefetched elements until the consumer gets them', async () => {
  const kParts = ['tensorBytes', 'views', 'pipelines', 'pinned', 'tape', 'weights', 'scratch', 'cpuPool'];
  const look = () => {
    const { detail } = tf.memory();
    assert.equal(
      kParts.reduce((sum, part) => sum + detail[part], 0),
      detail.heapUsed,
    );
    return detail;
  };
  const mine = tf.zeros([1000]);
  const { tensorBytes } = look();
  const dataset = data.array([...Array(9).keys()]).map(() => ({ x: tf.ones([1000]), mine }));
  const iterator = await dataset.prefetch(4).iterator();
  const { value } = await iterator.next();
  await new Promise((resolve) => setImmediate(resolve));
  const ahead = look();
  assert.ok(ahead.pipelines >= 4 * 4000 && ahead.pipelines < 4 * 6000, String(ahead.pipelines));
  assert.equal(ahead.tensorBytes, tensorBytes, 'the caller has one that was ahead, and shares one with the pass');
  assert.ok(ahead.views >= 4000);
  tf.dispose(value);
  await iterator.close();
  assert.deepEqual([look().pipelines, look().tensorBytes, look().views], [0, tensorBytes, 0]);
  mine.dispose();
});
