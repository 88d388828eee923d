// A disposed handle stays invalid, whatever is created after it.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from 'tenure';
import { held } from '../common.mjs';

test('a stale tensor never reads or frees another one', () => {
  const before = held(tf);
  const stale = tf.scalar(1);
  stale.dispose();
  for (let i = 0; i < 2_200_000; i++) {
    const other = tf.scalar(2);
    if (!stale.isDisposed) assert.fail(`alive again after ${i} others`);
    other.dispose();
  }
  assert.throws(() => stale.dataSync(), tf.DisposedError);
  assert.throws(() => stale.add(1), tf.DisposedError);
  assert.deepEqual(held(tf), before);
});

test('a stale scope never refers to another one', () => {
  const before = held(tf);
  const stale = tf.scope('stale');
  stale.close();
  for (let i = 0; i < 2_200_000; i++) {
    tf.engine().startScope();
    if (!stale.closed) assert.fail(`open again after ${i} others`);
    tf.engine().endScope();
  }
  assert.throws(() => stale.run(() => {}), /scope 'stale' is closed/);
  assert.deepEqual(held(tf), before);
});

test('more than 2^20 tensors may be alive at once, each with its own handle', () => {
  const { numTensors } = tf.memory();
  const count = 2 ** 20 + 1000;
  const source = tf.tensor1d([1, 2, 3]);
  const scope = tf.scope('many');
  const { first, last } = scope.run(() => {
    const first = source.clone();
    for (let i = 2; i < count; i++) source.clone();
    return { first, last: source.add(1) };
  });
  assert.equal(tf.memory().numTensors, numTensors + count + 1);
  assert.equal(scope.numTensors, count);
  assert.deepEqual([...first.dataSync()], [1, 2, 3]);
  assert.deepEqual([...last.dataSync()], [2, 3, 4]);
  scope.close();
  source.dispose();
  assert.ok(first.isDisposed && last.isDisposed);
  assert.equal(tf.memory().numTensors, numTensors);
});
