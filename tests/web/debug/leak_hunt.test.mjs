import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assert } from './expect.mjs';

const kFolder = 'examples/leak_hunt';
const root = new URL('../../../', import.meta.url);

/** Returns the "file:line:column" of a call in the program, in which it must occur once. */
function placeOf(call) {
  const lines = readFileSync(new URL(`${kFolder}/watcher.mjs`, root), 'utf8').split('\n');
  const rows = lines.flatMap((line, i) => (line.includes(call) ? [i] : []));
  assert.equal(rows.length, 1, call);
  return `${kFolder}/watcher.mjs:${rows[0] + 1}:${lines[rows[0]].indexOf(call) + 1}`;
}

const places = {
  resizeBilinear: placeOf('resizeBilinear('),
  add: placeOf('add(small'),
  log1p: placeOf('log1p('),
  maximum: placeOf('maximum('),
};

test('the leak hunt finds the line of each of the four leaks, and no other', () => {
  const output = execFileSync('node', [`${kFolder}/main.mjs`], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [table, perFrame] = output.split('\n\n');
  assert.deepEqual(
    perFrame.trim().split('\n').slice(1),
    Object.entries(places).map(([op, place]) => `  1 x ${op} at ${place}`),
  );
  for (const [op, place] of Object.entries(places)) {
    assert.match(table, new RegExp(`^ +51 .*${op} at ${place.replaceAll('.', '\\.')}: float32`, 'm'));
  }
  // The history is still referenced, so its tensors are not lost.
  assert.doesNotMatch(table, /log1p.*collected/);
  assert.match(table, /maximum at .*\(50 collected without dispose\)/);
});
