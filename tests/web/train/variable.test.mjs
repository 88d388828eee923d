import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, tf } from '../expect.mjs';

test('a variable outlives its scope and shares its first value', () => {
  leavesNothing(() => {
    const initial = tf.tensor([1, 2]);
    const { numTensors, numDataBuffers } = tf.memory();
    const v = tf.tidy(() => {
      const inside = tf.variable(initial, false, 'outlives');
      inside.add(1);
      return inside;
    });
    assert.deepEqual([v.name, v.trainable, v instanceof tf.Tensor], ['outlives', false, true]);
    assert.equal(tf.memory().numTensors, numTensors + 1);
    assert.equal(tf.memory().numDataBuffers, numDataBuffers);
    initial.dispose();
    assertTensor(v, [2], [1, 2]);
    v.dispose();
  });
});

test('assign() replaces the value, and earlier results stay', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const v = tf.variable(tf.tensor([1, 2]));
      const before = v.clone();
      v.assign(tf.tensor([3, 4]));
      assertTensor(v.mul(2), [2], [6, 8]);
      assertTensor(before, [2], [1, 2]);
      v.dispose();
    }),
  );
});

test('assign() refuses another dtype or shape, and a disposed tensor', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const v = tf.variable(tf.tensor([1, 2]));
      assert.throws(() => v.assign(tf.tensor([1, 2], [2], 'int32')), {
        message: 'dtype of the new value (int32) and previous value (float32) must match',
      });
      assert.throws(() => v.assign(tf.tensor([1])), {
        message: 'shape of the new value (1) and previous value (2) must match',
      });
      const gone = tf.tensor([1, 2]);
      gone.dispose();
      assert.throws(() => v.assign(gone), { name: 'DisposedError' });
      v.dispose();
      assert.throws(() => v.assign(tf.tensor([1, 2])), { name: 'DisposedError' });
    }),
  );
});

test('names are unique among live variables', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const first = tf.variable(tf.scalar(1), true, 'mine');
      assert.throws(() => tf.variable(tf.scalar(2), true, 'mine'), {
        message: 'Variable with name mine was already registered',
      });
      first.dispose();
      tf.variable(tf.scalar(2), true, 'mine').dispose();
      const [a, b] = [tf.variable(tf.scalar(1)), tf.variable(tf.scalar(1))];
      assert.notEqual(a.name, b.name);
      assert.equal(tf.engine().registeredVariables[a.name], a);
      tf.disposeVariables();
      assert.ok(a.isDisposed && b.isDisposed);
    }),
  );
});

test('a variable can have another dtype than its initial value', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const v = tf.variable(tf.tensor([1.5]), true, undefined, 'int32');
      assertTensor(v, [1], [1], 'int32');
      v.dispose();
    }),
  );
});
