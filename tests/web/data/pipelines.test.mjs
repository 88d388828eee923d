// Random pipelines against plain arrays: values, and no leaks after ends, breaks, aborts and throws.
import fc from 'fast-check';
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';
import { count, kStages, numberIn, source, stages } from './random_stages.mjs';

const kRuns = Number(process.env.TENURE_PIPELINES ?? 5000);
const kSeed = Number(process.env.TENURE_SEED ?? 1);
const ending = fc.record({
  how: fc.constantFrom('forEachAsync', 'for await', 'next', 'toArray', 'break', 'abort', 'dispose', 'throw'),
  after: count(0, 6),
  turns: count(0, 2),
});

/** Consumes a dataset in one of several ways; returns the numbers it got, and the error if there was one. */
async function consume(dataset, { how, after, turns }) {
  const got = [];
  const take = async ({ v }) => {
    got.push(numberIn(v));
    for (let i = 0; i < turns; i++) await pause();
  };
  const controller = new AbortController();
  const iterator = await dataset.iterator({ signal: controller.signal });
  try {
    if (how === 'forEachAsync') await iterator.forEachAsync(take);
    else if (how === 'throw') {
      await iterator.forEachAsync(async (x) => {
        if (got.length >= after) throw new Error('failed on purpose');
        await take(x);
      });
    } else if (how === 'toArray') {
      const all = await iterator.toArray();
      for (const x of all) await take(x);
      tf.dispose(all);
    } else if (how === 'for await' || how === 'break') {
      for await (const x of iterator) {
        if (how === 'break' && got.length >= after) break;
        await take(x);
      }
    } else {
      for (;;) {
        if (got.length >= after && how === 'abort') controller.abort(new Error('failed on purpose'));
        if (got.length >= after && how === 'dispose') tf.dispose(iterator);
        const { value, done } = await iterator.next();
        if (done) break;
        await take(value);
        tf.dispose(value);
      }
    }
  } catch (error) {
    if (error.message !== 'failed on purpose') throw error;
  }
  return got;
}

test('random pipelines match arrays, and leak nothing however they end', async () => {
  await fc.assert(
    fc.asyncProperty(count(0, 8), stages, ending, async (size, list, end) => {
      await leavesNothingAsync(async () => {
        const caches = [];
        let dataset = source(size);
        let expected = Array.from({ length: size }, (_, i) => i);
        for (const { kind, ...fields } of list) {
          const [onDataset, onArray] = kStages[kind](fields);
          dataset = onDataset(dataset, caches);
          // After an error, only the elements before it are known.
          expected = expected.some((x) => x instanceof Error) ? expected : onArray(expected);
        }
        const failed = expected.some((x) => x instanceof Error);
        const got = await consume(dataset, end);
        tf.dispose(caches);
        if (!failed && !list.some(({ kind }) => kind === 'fail')) {
          const whole = ['forEachAsync', 'for await', 'next', 'toArray'].includes(end.how);
          assert.deepEqual(got, whole ? expected : expected.slice(0, end.after));
        }
        await pause();
        await pause();
        await pause();
      });
    }),
    { numRuns: kRuns, seed: kSeed },
  );
});
