// Random calls on Tenure and on TensorFlow.js: tests/conformance/random/run.mjs runs any number of them.
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { table } from '../conformance/random/differences.mjs';
import { loadPeer } from '../conformance/random/peer.mjs';
import { calls } from '../conformance/random/calls.mjs';
import { Session } from '../conformance/random/session.mjs';
import { uncompared } from '../conformance/random/uncompared.mjs';
import { assert, tf } from './expect.mjs';

const kSeed = 1;
const kCount = 20_000;

test('random calls match TensorFlow.js, or differ by a rule', async () => {
  await tf.ready();
  const session = new Session(tf, await loadPeer());
  const found = [];
  for (let place = 0; place < kCount; place++) {
    const one = await session.run(kSeed, place);
    if (one) found.push(`--seed ${kSeed} --only ${place}  ${one.words}\n    ${one.call}`);
  }
  assert.equal(found.length, 0, `${found.length} of ${kCount} calls differ:\n${found.slice(0, 20).join('\n')}`);
});

test('docs/differences.md has the rules', () => {
  const file = new URL('../../docs/differences.md', import.meta.url);
  assert.equal(readFileSync(file, 'utf8'), table(), 'run `node tests/conformance/random/run.mjs --table`');
});

test('every function and method is called or listed as an exception', () => {
  const functions = (owner, prefix) =>
    Object.entries(owner).flatMap(([name, value]) => (typeof value === 'function' ? [`${prefix}${name}`] : []));
  const methods = Object.getOwnPropertyNames(tf.Tensor.prototype).filter((name) => name !== 'constructor');
  const all = [
    ...functions(tf, ''),
    ...functions(tf.fused, 'fused.'),
    ...functions(tf.image, 'image.'),
    ...functions(tf.util, 'util.'),
    ...methods.map((name) => `.${name}`),
  ];
  const isCalled = (name) =>
    name in calls || (name.startsWith('.') && (name.slice(1) in calls || `image.${name.slice(1)}` in calls));
  const left = all.filter((name) => !isCalled(name) && !uncompared.has(name));
  assert.deepEqual(left, [], 'without random calls; add them to tests/conformance/random/calls, or to uncompared.mjs');
});
