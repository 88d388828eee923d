// Datasets stage by stage: values, sizes, errors, and leaks.
import { assert, tf } from '../expect.mjs';
import { clean, numbers, tensors, valuesOf } from './datasets.mjs';

const { data } = tf;

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

clean('wrong arguments are named', () => {
  assert.throws(() => numbers(3).batch(0), /batchSize needs to be positive/);
  assert.throws(() => numbers(3).prefetch(), /requires bufferSize to be specified/);
  assert.throws(() => numbers(3).shuffle(), /requires bufferSize to be specified.*3 elements/);
  assert.throws(() => numbers(3).shard(2, 2), /\[shard\] expected an index below 2, got 2/);
  assert.throws(() => numbers(3).window(1.5), /\[window\] expected size to be an integer of at least 1, got 1.5/);
  assert.throws(() => data.zip([1]), /must be Datasets, not primitives/);
});
