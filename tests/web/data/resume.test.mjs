// Passes resumed from a snapshot yield the same elements as uninterrupted ones.
import fc from 'fast-check';
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';
import { count, kStages, numberIn, source, stages } from './random_stages.mjs';

const kRuns = Number(process.env.TENURE_PIPELINES ?? 1000);
const kSeed = Number(process.env.TENURE_SEED ?? 1);

/** Returns the numbers of the next `most` elements; the pass stays open. */
async function numbersOf(iterator, most = Infinity) {
  const numbers = [];
  while (numbers.length < most) {
    const { value, done } = await iterator.next();
    if (done) break;
    numbers.push(numberIn(value.v));
    tf.dispose(value);
  }
  return numbers;
}

const resumable = stages.map((list) => list.filter(({ kind }) => kind !== 'fail'));

test('random pipelines resume from a snapshot, also with new datasets', async () => {
  await fc.assert(
    fc.asyncProperty(
      count(0, 8),
      resumable,
      fc.option(count(1, 5)),
      count(0, 10),
      async (size, list, shuffled, after) => {
        await leavesNothingAsync(async () => {
          const caches = [];
          const make = () => {
            let dataset = source(size);
            if (shuffled) dataset = dataset.shuffle(shuffled, '5').repeat(2);
            for (const { kind, ...fields } of list) dataset = kStages[kind](fields)[0](dataset, caches);
            return dataset;
          };
          const whole = await numbersOf(await make().iterator());
          const first = await make().iterator();
          const begun = await numbersOf(first, after);
          const from = JSON.parse(JSON.stringify(first.snapshot()));
          await first.close();
          const second = await make().iterator({ from });
          const more = await numbersOf(second, 2);
          const again = second.snapshot();
          await second.close();
          const rest = await numbersOf(await make().iterator({ from: again }));
          assert.deepEqual([...begun, ...more, ...rest], whole);
          tf.dispose(caches);
          await pause();
          await pause();
        });
      },
    ),
    { numRuns: kRuns, seed: kSeed },
  );
});

test('a resumed unseeded shuffle repeats its order, also in the following passes', async () => {
  const make = () => tf.data.array([...Array(20).keys()]).shuffle(20);
  const one = make();
  await one.toArray();
  const iterator = await one.iterator();
  const begun = [(await iterator.next()).value, (await iterator.next()).value];
  const from = iterator.snapshot();
  const rest = await iterator.toArray();
  const other = make();
  assert.deepEqual(await (await other.iterator({ from })).toArray(), rest);
  assert.equal(new Set([...begun, ...rest]).size, 20);
  assert.deepEqual(await other.toArray(), await one.toArray());
});

test('windows dropped for lack of elements do not count as skipped', async () => {
  const dataset = tf.data
    .array([...Array(10).keys()])
    .window(4, { smallLast: false })
    .concatenate(tf.data.array([[100], [101]]));
  const iterator = await dataset.iterator({ from: { elements: 3, shuffles: [] } });
  assert.deepEqual(await iterator.toArray(), [[101]]);
});

test('maps do not run for skipped elements', async () => {
  const calls = [];
  const dataset = tf.data
    .array([...Array(100).keys()])
    .map((x) => (calls.push(x), x))
    .batch(10)
    .prefetch(1);
  const iterator = await dataset.iterator({ from: { elements: 9, shuffles: [] } });
  const { value } = await iterator.next();
  assert.deepEqual(value.arraySync(), [90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
  assert.equal((await iterator.next()).done, true);
  assert.deepEqual(calls, [90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
  value.dispose();
  await assert.rejects(
    async () => dataset.iterator({ from: { elements: -1 } }),
    /expected `from` to be a result of snapshot\(\)/,
  );
});
