import { test } from 'node:test';
import { assert, leavesNothing, tf } from './expect.mjs';

test('wasm is the backend, and cpu another name of it', async () => {
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

test('time() measures, nextFrame() waits', async () => {
  const { wallMs } = await tf.time(() => leavesNothing(() => tf.tidy(() => tf.ones([100, 100]).sum())?.dispose()));
  assert.ok(wallMs >= 0);
  await tf.nextFrame();
});
