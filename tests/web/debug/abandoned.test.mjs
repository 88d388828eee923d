// Passes over datasets that were not closed are reported with the line that started them.
import { test } from 'node:test';
import { assert, pause, placesIn, tf } from './expect.mjs';

const place = placesIn(import.meta.url);
const tensors = () =>
  tf.data.generator(function* () {
    for (;;) yield tf.ones([10]);
  });

async function abandon() {
  const iterator = await tensors().prefetch(3).iterator(); // abandoned
  tf.dispose((await iterator.next()).value);
  await pause();
}

async function closeAll() {
  for await (const x of tensors().prefetch(3)) {
    if (x.size > 0) break;
  }
  const iterator = await tensors().iterator();
  tf.dispose((await iterator.next()).value);
  tf.dispose(iterator);
  await tensors()
    .take(3)
    .forEachAsync(() => {});
  await tensors()
    .map(() => {
      throw new Error('on purpose');
    })
    .forEachAsync(() => {})
    .catch(() => {});
}

test('an abandoned pass is reported once it is collected, and no other', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  await closeAll();
  await abandon();
  for (let i = 0; i < 20 && warn.mock.callCount() === 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc();
  }
  const site = place('tensors().prefetch(3).iterator(); // abandoned').replace(/:\d+$/, '');
  const [line, ...others] = warn.mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(others, []);
  assert.ok(line.startsWith(`A dataset iterator, created at ${site}`), line);
  assert.match(line, /was abandoned and never closed: it still holds 3 tensors \(120 B\)$/);
});
