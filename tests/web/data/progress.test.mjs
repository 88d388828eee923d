// The progress line of a pass.
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';

/** Returns the lines that a pass writes. */
async function linesOf(dataset, label, columns) {
  const texts = [];
  const to = { write: (text) => texts.push(text), columns };
  await dataset.forEachAsync(pause, { progress: { label, to } });
  assert.equal(texts.at(-1), '\n');
  return texts.slice(0, -1).map((text) => /^\r(.*)\x1b\[K$/s.exec(text)[1]);
}

test('shows a bar if the size is known, otherwise a count', async () => {
  await leavesNothingAsync(async () => {
    const numbers = tf.data.array([...Array(50).keys()]);
    const lines = await linesOf(numbers, 'train');
    assert.match(lines[0], /^train 1\/50 \[=* +\] [\d.e+]+\/s(, \d+ s left)?, \d+ % waiting for data$/);
    assert.match(lines.at(-1), /^train 50\/50 \[=+\] .*\/s/);
    const tensors = numbers.map((x) => tf.fill([100_000], x)).filter(() => true);
    assert.match((await linesOf(tensors)).at(-1), /^50 [\d.]+\/s, \d+ % waiting for data, 0.4 MB ahead$/);
    for (const line of await linesOf(numbers, 'narrow', 30)) assert.ok(line.length < 30, line);
  });
});

test('reports a resumed pass and an early end', async () => {
  const numbers = tf.data.array([...Array(50).keys()]);
  const texts = [];
  const to = { write: (text) => texts.push(text) };
  const iterator = await numbers.iterator({ from: { elements: 40, shuffles: [] }, progress: { to } });
  await iterator.next();
  await iterator.close();
  await iterator.close();
  assert.match(texts[0], /^\r41\/50 /);
  assert.equal(texts.filter((text) => text === '\n').length, 1);
  // Nothing is written to a stream that is no terminal.
  await numbers.forEachAsync(() => {}, { progress: true });
});
