// Datasets stage by stage: values, sizes, errors, and leaks.
import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const { data } = tf;
const numbers = (count) => data.array(Array.from({ length: count }, (_, i) => i));
const tensors = (count) =>
  data.generator(function* () {
    for (let i = 0; i < count; i++) yield { x: tf.fill([2, 2], i), y: i };
  });

/** Runs a test that fails if it leaves tensors, scopes or bytes. */
const clean = (name, body) => test(name, () => leavesNothingAsync(body));

async function valuesOf(dataset) {
  const values = [];
  await dataset.forEachAsync((value) => void values.push(plain(value)));
  return values;
}

function plain(value) {
  if (value instanceof tf.Tensor) return value.arraySync();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]));
}

for (const [name, make, values, size] of [
  ['array', () => numbers(3), [0, 1, 2], 3],
  ['map', () => numbers(3).map((x) => x * 10), [0, 10, 20], 3],
  ['mapAsync', () => numbers(3).mapAsync(async (x) => -x), [-0, -1, -2], 3],
  ['filter', () => numbers(5).filter((x) => x % 2 === 0), [0, 2, 4], null],
  ['filter by a promise', () => numbers(5).filter(async (x) => x > 2), [3, 4], null],
  ['take', () => numbers(5).take(2), [0, 1], 2],
  ['take of all', () => numbers(2).take(-1), [0, 1], 2],
  ['takeWhile', () => numbers(5).takeWhile((x) => x < 2), [0, 1], null],
  ['skip', () => numbers(5).skip(3), [3, 4], 2],
  ['skip of more', () => numbers(2).skip(3), [], 0],
  ['shard', () => numbers(7).shard(3, 1), [1, 4], 2],
  ['repeat', () => numbers(2).repeat(2), [0, 1, 0, 1], 4],
  ['repeat without end', () => numbers(2).repeat().take(5), [0, 1, 0, 1, 0], 5],
  ['repeat of nothing without end', () => numbers(0).repeat(), [], Infinity],
  ['concatenate', () => numbers(2).concatenate(numbers(1)), [0, 1, 0], 3],
  ['prefetch', () => numbers(3).prefetch(2), [0, 1, 2], 3],
  ['batch', () => numbers(5).batch(2), [[0, 1], [2, 3], [4]], 3],
  [
    'batch without the rest',
    () => numbers(5).batch(2, false),
    [
      [0, 1],
      [2, 3],
    ],
    2,
  ],
  ['unbatch', () => numbers(4).batch(4).unbatch(), [0, 1, 2, 3], null],
  [
    'window',
    () => numbers(4).window(2),
    [
      [0, 1],
      [2, 3],
    ],
    2,
  ],
  [
    'sliding window',
    () => numbers(4).window(2, { shift: 1, smallLast: false }),
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
    3,
  ],
  ['window with gaps', () => numbers(5).window(1, { shift: 2 }), [[0], [2], [4]], 3],
  [
    'interleave',
    () => numbers(3).interleave((x) => numbers(2).map((y) => 10 * x + y), { cycleLength: 2 }),
    [0, 10, 1, 11, 20, 21],
    null,
  ],
  [
    'zip',
    () => data.zip({ a: numbers(3), b: [numbers(2)] }),
    [
      { a: 0, b: [0] },
      { a: 1, b: [1] },
    ],
    2,
  ],
  ['generator', () => tensors(2).map(({ x, y }) => x.sum().mul(y)), [0, 4], null],
  [
    'tensors in batches',
    () => tensors(3).batch(2),
    [
      {
        x: [
          [
            [0, 0],
            [0, 0],
          ],
          [
            [1, 1],
            [1, 1],
          ],
        ],
        y: [0, 1],
      },
      {
        x: [
          [
            [2, 2],
            [2, 2],
          ],
        ],
        y: [2],
      },
    ],
    null,
  ],
  [
    'windows of tensors that overlap',
    () =>
      tensors(3)
        .map(({ y }) => tf.scalar(y))
        .window(2, { shift: 1, smallLast: false }),
    [
      [0, 1],
      [1, 2],
    ],
    null,
  ],
]) {
  clean(`${name}: values, size, and no leaks`, async () => {
    const dataset = make();
    assert.equal(dataset.size, size);
    assert.deepEqual(await valuesOf(dataset), values);
    assert.deepEqual(await valuesOf(dataset), values, 'a second pass');
  });
}

clean('a function as a source continues where the last pass stopped', async () => {
  let i = 0;
  const dataset = data.func(() => ({ value: i, done: i++ >= 3 }));
  assert.deepEqual(await valuesOf(dataset.take(2)), [0, 1]);
  assert.deepEqual(await valuesOf(dataset), [2]);
});

clean('shuffle() draws what TensorFlow.js draws from the same seed', async () => {
  const values = async (seed, reshuffle) => {
    const dataset = numbers(8).shuffle(4, seed, reshuffle);
    return [await valuesOf(dataset), await valuesOf(dataset)];
  };
  assert.deepEqual(await values('7'), await values('7'));
  const [first, second] = await values('7', false);
  assert.notDeepEqual(first, [...first].sort());
  assert.deepEqual([...first].sort(), [...second].sort());
});

clean('shuffle() of fewer elements than its buffer holds gives the order of TensorFlow.js', async () => {
  for (const [count, size, seed, ...passes] of [
    [3, 10, 'a', [0, 1, 2], [2, 0, 1]],
    [3, 1000, 7, [1, 0, 2], [1, 2, 0]],
    [8, 9, 'b', [5, 4, 7, 3, 1, 6, 2, 0], [7, 5, 3, 0, 1, 4, 6, 2]],
    [
      20,
      64,
      5,
      [15, 5, 6, 19, 7, 8, 16, 3, 13, 12, 10, 11, 14, 0, 2, 9, 18, 1, 4, 17],
      [6, 17, 11, 14, 19, 10, 16, 15, 12, 7, 4, 1, 0, 18, 5, 3, 2, 9, 8, 13],
    ],
  ]) {
    const dataset = numbers(count).shuffle(size, seed);
    for (const pass of passes) assert.deepEqual(await valuesOf(dataset), pass, `${count} of ${size}, ${seed}`);
  }
});

clean('shuffle() allocates memory for its elements, not for its buffer size', async () => {
  for (const size of [1e6, 1e9, Number.MAX_SAFE_INTEGER]) {
    const dataset = numbers(3)
      .map((i) => tf.scalar(i))
      .shuffle(size, 'seed');
    const values = await valuesOf(dataset);
    assert.deepEqual([...values].sort(), [0, 1, 2]);
    assert.deepEqual(await valuesOf(numbers(0).shuffle(size)), []);
  }
  const orders = new Set();
  const dataset = numbers(3).shuffle(1e9, 'seed');
  for (let i = 0; i < 60; i++) orders.add((await valuesOf(dataset)).join());
  assert.equal(orders.size, 6);
});

clean('tensors of an array keep their owner', async () => {
  const x = tf.tensor1d([1, 2]);
  await data.array([x, x]).forEachAsync((one) => assert.notEqual(one.id, x.id));
  assert.deepEqual([...x.dataSync()], [1, 2]);
  x.dispose();
});

clean('an outer tensor that map() returns keeps its owner', async () => {
  const k = tf.scalar(5);
  const v = tf.tidy(() => tf.variable(tf.scalar(6)));
  assert.deepEqual(await valuesOf(numbers(2).map((x) => ({ x, k, v }))), [
    { x: 0, k: 5, v: 6 },
    { x: 1, k: 5, v: 6 },
  ]);
  assert.equal(k.dataSync()[0] + v.dataSync()[0], 11);
  tf.dispose([k, v]);
});

clean('next() gives tensors to the caller, or to the current scope', async () => {
  const iterator = await tensors(3).iterator();
  const { value } = await iterator.next();
  assert.deepEqual(value.x.arraySync(), [
    [0, 0],
    [0, 0],
  ]);
  value.x.dispose();
  await tf.scopeAsync(async (scope) => {
    await scope.run(() => iterator.next());
    assert.equal(scope.numTensors, 1);
  });
  await iterator.close();
  assert.deepEqual(await iterator.next(), { value: null, done: true });
});

clean('for await disposes each element before the next, and leaving the loop ends the pass', async () => {
  let ended = false;
  const dataset = data.generator(async function* () {
    try {
      for (let i = 0; ; i++) yield tf.scalar(i);
    } finally {
      ended = true;
    }
  });
  let before;
  let kept;
  for await (const x of dataset.prefetch(3)) {
    assert.ok(!before || before.isDisposed);
    before = x;
    if (x.dataSync()[0] === 2) {
      kept = tf.keep(x);
      break;
    }
  }
  assert.ok(ended);
  assert.equal(kept.dataSync()[0], 2);
  kept.dispose();
});

clean('tensors that a callback of forEachAsync() returns stay alive', async () => {
  let last;
  await tensors(2).forEachAsync(({ x, y }) => (y === 1 ? (last = x) : undefined));
  assert.deepEqual(last.arraySync(), [
    [1, 1],
    [1, 1],
  ]);
  tf.dispose(last);
});

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

clean('a column of text may have cells that read like numbers, and empty ones', async () => {
  const bytes = new TextEncoder().encode('name,n\nab,1\n12,2\n,3\ntrue,4\n');
  const rows = await valuesOf(new data.CSVDataset(new data.FileDataSource(bytes)).batch(4));
  assert.deepEqual(rows, [{ name: ['ab', '12', '', 'true'], n: [1, 2, 3, 4] }]);
  await assert.rejects(
    data
      .array(['a', ['b']])
      .batch(2)
      .toArray(),
  );
});

clean('a byte order mark is removed, wherever chunks end', async () => {
  for (const chunkSize of [1, 2, 1000]) {
    const source = new data.FileDataSource(new TextEncoder().encode('\uFEFFa,b\r\n1,x\uFEFF\r\n'), { chunkSize });
    assert.deepEqual(await valuesOf(new data.CSVDataset(source)), [{ a: 1, b: 'x\uFEFF' }]);
    assert.deepEqual(await valuesOf(new data.TextLineDataset(source)), ['a,b', '1,x\uFEFF']);
  }
});

clean('elements with a different structure are refused by name', async () => {
  const mixed = data.array([{ a: 1 }]).concatenate(data.array([2]));
  await assert.rejects(mixed.batch(2).toArray(), /element 1 has no 'a', which the first one has/);
  await assert.rejects(
    data
      .array([1, 2, { a: 3 }])
      .batch(3)
      .toArray(),
    /element 2 holds values by name, and the first is one value/,
  );
  await assert.rejects(
    data
      .array([{ a: [1, 2] }, { a: [1] }])
      .batch(2)
      .toArray(),
    /should have 2 elements, but has 1/,
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

clean('wrong arguments are named', () => {
  assert.throws(() => numbers(3).batch(0), /batchSize needs to be positive/);
  assert.throws(() => numbers(3).prefetch(), /requires bufferSize to be specified/);
  assert.throws(() => numbers(3).shuffle(), /requires bufferSize to be specified.*3 elements/);
  assert.throws(() => numbers(3).shard(2, 2), /\[shard\] expected an index below 2, got 2/);
  assert.throws(() => numbers(3).window(1.5), /\[window\] expected size to be an integer of at least 1, got 1.5/);
  assert.throws(() => data.zip([1]), /must be Datasets, not primitives/);
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
