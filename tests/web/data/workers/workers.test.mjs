// Workers that map elements: values, ownership, errors, and termination.
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assert, leavesNothingAsync, pause, tf } from '../../expect.mjs';

const maps = new URL('maps.mjs', import.meta.url);
const numbers = (count) => tf.data.array([...Array(count).keys()]);

/** Runs a test with workers, and terminates them. */
const withWorkers = (name, options, body) =>
  test(name, () =>
    leavesNothingAsync(async () => {
      const pool = tf.data.workers(maps, options);
      try {
        await body(pool);
      } finally {
        await pool.close();
      }
    }),
  );

withWorkers('elements keep their order', { workers: 2 }, async (pool) => {
  assert.equal(pool.size, 2);
  const doubled = numbers(50).mapAsync(pool);
  assert.equal(doubled.size, 50);
  assert.deepEqual(
    await doubled.toArray(),
    [...Array(50).keys()].map((x) => 2 * x),
  );
  const asReady = await numbers(20).mapAsync(pool, { deterministic: false, parallel: 3 }).toArray();
  assert.deepEqual(
    asReady.sort((a, b) => a - b),
    [...Array(20).keys()].map((x) => 2 * x),
  );
});

withWorkers(
  'typed arrays are transferred, but those of array() and cache() stay',
  { workers: 1, name: 'scaled' },
  async (pool) => {
    const mine = Float32Array.of(1, 2, 3);
    const dataset = tf.data.array([{ x: mine, n: 2 }]).mapAsync(pool);
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await dataset.toArray(), [{ x: Float32Array.of(2, 4, 6), n: 3, bytes: 12 }]);
    assert.deepEqual([...mine], [1, 2, 3]);

    const made = [];
    const make = () =>
      tf.data.generator(function* () {
        const x = new Float32Array(4).fill(1);
        made.push(x);
        yield { x: made.length % 2 ? x : new Float32Array(x.buffer, 4, 2), n: 3 };
      });
    assert.deepEqual(await make().mapAsync(pool).toArray(), [{ x: new Float32Array(4).fill(3), n: 4, bytes: 16 }]);
    assert.equal(made[0].byteLength, 0, 'it was transferred');
    assert.deepEqual(await make().mapAsync(pool).toArray(), [{ x: new Float32Array(2).fill(3), n: 4, bytes: 8 }]);
    assert.equal(made[1].byteLength, 16, 'a part of a buffer is copied');
    const cached = make().cache();
    for (let i = 0; i < 2; i++) assert.equal((await cached.mapAsync(pool).toArray())[0].bytes, 16);
    cached.dispose();

    const again = tf.data.generator(function* () {
      for (let i = 0; i < 2; i++) yield { x: made[0], n: 1 };
    });
    made[0] = new Float32Array(2);
    await assert.rejects(
      again.mapAsync(pool, { parallel: 1 }).toArray(),
      /\[workers\] cannot send an element.*transferred: give new ones/,
    );
  },
);

withWorkers(
  'arrays of array() stay where there is no structuredClone(), as in Chrome before 98',
  { workers: 1, name: 'scaled' },
  async (pool) => {
    const { structuredClone } = globalThis;
    delete globalThis.structuredClone;
    try {
      const all = Float32Array.of(0, 1, 2, 3);
      const mine = all.subarray(1);
      const dataset = tf.data.array([{ x: mine, n: 2 }]).mapAsync(pool);
      for (let i = 0; i < 2; i++)
        assert.deepEqual(await dataset.toArray(), [{ x: Float32Array.of(2, 4, 6), n: 3, bytes: 12 }]);
      assert.deepEqual([...all], [0, 1, 2, 3]);
    } finally {
      globalThis.structuredClone = structuredClone;
    }
  },
);

withWorkers('without transfer they are copied', { workers: 1, name: 'scaled', transfer: false }, async (pool) => {
  const x = Float32Array.of(1, 2);
  const dataset = tf.data
    .generator(function* () {
      for (let n = 1; n < 3; n++) yield { x, n };
    })
    .mapAsync(pool);
  assert.deepEqual(
    (await dataset.toArray()).map(({ x }) => [...x]),
    [
      [1, 2],
      [2, 4],
    ],
  );
});

withWorkers('tensors go as their values and come back as tensors', { workers: 2, name: 'doubled' }, async (pool) => {
  const tensors = numbers(6).map((i) => tf.fill([2, 2], i, 'int32'));
  const got = [];
  await tensors
    .mapAsync(pool)
    .batch(2)
    .forEachAsync(({ y }) => void got.push([y.dtype, y.shape, y.dataSync().reduce((a, b) => a + b)]));
  assert.deepEqual(got, [
    ['int32', [2, 2, 2], 8],
    ['int32', [2, 2, 2], 40],
    ['int32', [2, 2, 2], 72],
  ]);
});

withWorkers(
  'an error has the stack of the worker, and the workers go on',
  { workers: 2, name: 'failsAt3' },
  async (pool) => {
    const failing = numbers(9)
      .map((x) => x)
      .mapAsync(pool)
      .prefetch(2);
    await assert.rejects(failing.toArray(), (error) => {
      assert.equal(`${error.name}: ${error.message}`, 'RangeError: three is too many');
      assert.match(error.stack, /at failsAt3 \(.*maps\.mjs:\d+:\d+\)[^]*in a worker of file:.*maps\.mjs$/);
      return true;
    });
    assert.equal(await pool.map(4), 4);
  },
);

withWorkers('a worker that ends is told of, and replaced', { workers: 1, name: 'ends' }, async (pool) => {
  await assert.rejects(
    numbers(5).mapAsync(pool).toArray(),
    /\[workers\] file:.*maps\.mjs: the worker ended with code 7/,
  );
  assert.deepEqual(await numbers(2).mapAsync(pool).toArray(), [0, 1]);
});

withWorkers('what a worker cannot give or get is an error', { workers: 1, name: 'gives' }, async (pool) => {
  await assert.rejects(pool.map(1), /could not be cloned/);
  await assert.rejects(
    pool.map(() => 1),
    /\[workers\] cannot send an element to a worker: .*could not be cloned/,
  );
  await assert.rejects(pool.map(1), /could not be cloned/);
});

withWorkers('of a part of a buffer, only that is sent back', { workers: 1, name: 'part' }, async (pool) => {
  assert.equal((await pool.map(0)).buffer.byteLength, 8);
});

withWorkers(
  'every view of a part of a buffer arrives with what it shows',
  { workers: 1, name: 'parts' },
  async (pool) => {
    const { data, floats, clamped, big, whole, empty, buffer } = await pool.map(0);
    const bytesOf = ({ buffer, byteOffset, byteLength }) => [...new Uint8Array(buffer, byteOffset, byteLength)];
    const kinds = [data, floats, clamped, big, whole, empty, buffer].map((view) => view.constructor.name);
    assert.deepEqual(kinds, [
      'DataView',
      'Uint16Array',
      'Uint8ClampedArray',
      'BigInt64Array',
      'DataView',
      'DataView',
      'Uint8Array',
    ]);
    for (const view of [data, floats, clamped, buffer]) assert.deepEqual(bytesOf(view), [4, 5, 6, 7]);
    assert.deepEqual([bytesOf(big), bytesOf(whole), bytesOf(empty)], [Array(8).fill(0), [0, 1, 2, 3, 4, 5, 6, 7], []]);
  },
);

test('an error names a missing module or function', () =>
  leavesNothingAsync(async () => {
    for (const [module, name, message] of [
      [maps, 'missing', /maps\.mjs exports no function "missing"/],
      ['./tests/none.mjs', undefined, /Cannot find module .*tests\/none\.mjs/],
    ]) {
      const pool = tf.data.workers(module, { workers: 1, name });
      await assert.rejects(pool.map(1), message);
      await assert.rejects(pool.map(1), message);
      await pool.close();
    }
    assert.throws(() => tf.data.workers(maps, { workers: 0 }), /\[workers\] expected an integer of at least 1, got 0/);
  }));

withWorkers('a pass that ends does not wait for its workers', { workers: 2, name: 'stays' }, async (pool) => {
  const controller = new AbortController();
  const stuck = numbers(9)
    .map((i) => tf.fill([3], i))
    .mapAsync(pool)
    .iterator({ signal: controller.signal });
  const waiting = (await stuck).next();
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await assert.rejects(waiting, /enough/);
  const left = assert.rejects(numbers(3).mapAsync(pool).toArray(), /the workers were closed/);
  await pause();
  await pool.close();
  await left;
  await assert.rejects(pool.map(1), /the workers were closed/);
  await pause();
});

test('unclosed workers keep no program alive', () => {
  const program = `
    import * as tf from 'tenure';
    const pool = tf.data.workers(${JSON.stringify(String(maps))}, { workers: 2 });
    console.log((await tf.data.array([1, 2, 3]).mapAsync(pool).toArray()).join());`;
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  assert.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
    }),
    '2,4,6\n',
  );
});
