import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';

test('the backend is wasm, and cpu is an alias', async () => {
  await tf.ready();
  assert.equal(tf.getBackend(), 'wasm');
  assert.equal(await tf.setBackend('cpu'), true);
  assert.equal(tf.getBackend(), 'cpu');
  assert.equal(await tf.setBackend('wasm'), true);
  await assert.rejects(tf.setBackend('quantum'), { message: "Backend name 'quantum' not found in registry" });
  await assert.rejects(tf.setBackend('constructor'), /not found in registry/);
  assert.equal(tf.getBackend(), 'wasm');
  assert.equal(tf.backend().epsilon(), 1e-7);
});

test('env() reads and writes flags', () => {
  assert.equal(tf.env().getBool('IS_NODE'), true);
  tf.env().set('MINE', 3);
  tf.env().set('toString', true);
  assert.equal(tf.env().getNumber('MINE'), 3);
  assert.throws(() => tf.env().get('NOBODYS'), /Cannot evaluate flag 'NOBODYS'/);
});

test('time() measures everything that it calls', async () => {
  const kBusy = 20;
  const { wallMs } = await tf.time(() => {
    const start = performance.now();
    while (performance.now() - start < kBusy) tf.tidy(() => void tf.ones([100, 100]).sum());
  });
  assert.ok(wallMs >= kBusy, String(wallMs));
});

test('nextFrame() yields to pending callbacks', async () => {
  const order = [];
  setTimeout(() => order.push('due'), 0);
  const frame = tf.nextFrame().then(() => order.push('frame'));
  order.push('at once');
  await Promise.resolve();
  assert.deepEqual(order, ['at once']);
  await frame;
  assert.deepEqual(order, ['at once', 'due', 'frame']);
});
