// The loops of a tutorial on memory, with the counts that it promises.
import { test } from 'node:test';
import { assert, leavesNothing, tf } from './expect.mjs';

const grown = (body) => {
  const before = tf.memory();
  const result = body();
  const after = tf.memory();
  return {
    tensors: after.numTensors - before.numTensors,
    buffers: after.numDataBuffers - before.numDataBuffers,
    bytes: after.numBytes - before.numBytes,
    result,
  };
};

test('a loop without tidy leaks three tensors a turn', () => {
  leavesNothing(() => {
    const made = [];
    const note = (x) => (made.push(x), x);
    const { tensors, bytes } = grown(() => {
      for (let i = 0; i < 10; i++) {
        const x = note(tf.tensor1d([1, 2, 3, 4]));
        note(note(x.square()).sum());
      }
    });
    assert.deepEqual([tensors, bytes], [30, 10 * (16 + 16 + 4)]);
    tf.dispose(made);
  });
});

test('the same loop with tidy leaks nothing', () => {
  leavesNothing(() => {
    for (let i = 0; i < 10; i++) {
      tf.tidy(() => {
        const x = tf.tensor1d([1, 2, 3, 4]);
        return x.square().sum().dataSync()[0];
      });
    }
  });
});

test('a training loop with a variable holds a constant number of tensors', () => {
  leavesNothing(() => {
    const weight = tf.tidy(() => tf.variable(tf.scalar(0)));
    const start = tf.memory().numTensors;
    for (let i = 0; i < 20; i++) {
      tf.tidy(() => weight.assign(weight.add(tf.scalar(1))));
      assert.equal(tf.memory().numTensors, start);
    }
    assert.equal(weight.dataSync()[0], 20);
    tf.disposeVariables();
  });
});

test('a clone and a reshape share the bytes, but count as tensors', () => {
  leavesNothing(() => {
    const x = tf.zeros([2, 2]);
    const { tensors, buffers, bytes, result } = grown(() => [x.clone(), x.reshape([4])]);
    assert.deepEqual([tensors, buffers, bytes], [2, 0, 32]);
    tf.dispose([x, result]);
  });
});

test('a bool counts one byte, a number four, and a complex number eight', () => {
  leavesNothing(() => {
    const { bytes, result } = grown(() => [
      tf.zeros([3], 'bool'),
      tf.zeros([3], 'int32'),
      tf.zeros([3]),
      tf.complex([1], [2]),
    ]);
    assert.equal(bytes, 3 + 12 + 12 + 8);
    assert.throws(
      () => tf.zeros([2 ** 31 - 1]),
      ({ largestTensors }) => largestTensors.find(({ dtype }) => dtype === 'complex64').bytes === 8,
    );
    tf.dispose(result);
  });
});

test('memory() has TensorFlow.js’s fields, and the detail', () => {
  const memory = tf.memory();
  assert.deepEqual(Object.keys(memory), ['unreliable', 'numTensors', 'numDataBuffers', 'numBytes', 'detail']);
  assert.equal(memory.unreliable, false);
  for (const bytes of Object.values(memory.detail)) assert.ok(bytes >= 0);
});

test('out of memory throws, corrupts nothing, and work continues', () => {
  leavesNothing(() => {
    const witness = tf.fill([1024], 7);
    for (const elements of [2 ** 30 - 1, 2 ** 30, 2 ** 31 - 1]) {
      assert.throws(() => tf.zeros([elements]), { name: 'OutOfMemoryError' }, String(elements));
    }
    assert.throws(() => tf.zeros([2 ** 20, 2 ** 20]), { name: 'ShapeError' });
    assert.ok(witness.dataSync().every((value) => value === 7));
    assert.equal(
      tf.tidy(() => witness.sum().dataSync()[0]),
      7 * 1024,
    );
    witness.dispose();
  });
});
