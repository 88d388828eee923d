import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

test('complex numbers are read as interleaved parts', async () => {
  await leavesNothingAsync(async () => {
    const before = tf.memory();
    const z = tf.complex(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    );
    const after = tf.memory();
    assert.equal(after.numTensors - before.numTensors, 1);
    assert.equal(after.numBytes - before.numBytes, 32);
    assert.equal(z.dtype, 'complex64');
    assert.deepEqual([...(await z.data())], [1, 5, 2, 6, 3, 7, 4, 8]);
    assert.deepEqual(z.arraySync(), [
      [1, 5, 2, 6],
      [3, 7, 4, 8],
    ]);
    assert.equal(z.bytesSync().length, 32);
    assert.match(z.toString(), /\[\[1 \+ 5j, 2 \+ 6j\]/);
    z.dispose();
  });
});

test('arithmetic of complex numbers', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const a = tf.complex([1, 2], [3, 4]);
      const b = tf.complex([5, 6], [7, 8]);
      const shown = (z) => [...z.dataSync()];
      assert.deepEqual(shown(a.add(b)), [6, 10, 8, 12]);
      assert.deepEqual(shown(a.sub(1)), [0, 3, 1, 4]);
      assert.deepEqual(shown(a.mul(b)), [-16, 22, -20, 40]);
      assert.deepEqual(
        shown(a.mul(b).div(b).sub(a)).map((x) => Math.abs(Math.round(x * 1e5))),
        [0, 0, 0, 0],
      );
      assert.deepEqual(shown(tf.complex([3], [-4]).abs()), [5]);
      assert.deepEqual(
        [...tf.norm(tf.complex([3], [4])).dataSync(), ...tf.norm(tf.complex([3], [4]), 1).dataSync()],
        [5, 5],
      );
      assert.deepEqual(shown(tf.complex([[3, 0]], [[0, 4]]).norm('euclidean', 1)), [5]);
      assert.deepEqual(shown(a.neg()), [-1, -3, -2, -4]);
      assert.deepEqual(shown(a.sum()), [3, 7]);
      assert.deepEqual(shown(a.transpose([0], true).reshape([2, 1])), [1, -3, 2, -4]);
      assert.deepEqual(shown(tf.zeros([1], 'complex64')), [0, 0]);
      assert.deepEqual(shown(tf.onesLike(a)), [1, 0, 1, 0]);
      assert.deepEqual(shown(a.cast('int32')), [1, 2]);
      assert.deepEqual(shown(tf.cast([1, 2], 'complex64')), [1, 0, 2, 0]);
    });
  });
});

test('ops without complex support throw, and leak nothing', () => {
  leavesNothing(() => {
    const z = tf.complex([1], [2]);
    for (const call of [
      () => z.relu(),
      () => z.exp(),
      () => z.less(z),
      () => z.max(),
      () => z.argMax(),
      () => z.softmax(),
    ]) {
      assert.throws(call, /complex64/);
    }
    assert.throws(
      () => tf.complex([1, 2], [1, 2, 3]),
      /real and imag shapes, 2 and 3, must match in call to tf.complex\(\)/,
    );
    const x = tf.ones([2]);
    assert.throws(() => tf.spectral.fft(x), /must be complex64 but got float32/);
    tf.dispose([x, z]);
  });
});

test('gradients through complex numbers', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const energy = (x) => tf.spectral.rfft(x).abs().square().sum();
      const g = tf.grad(energy)(tf.tensor1d([1, 2, 3, 5]));
      // The sum of |X_k|^2 over rfft's half of the spectrum, k = 0, 1, 2.
      const step = (i, by) => {
        const x = [1, 2, 3, 5];
        x[i] += by;
        return energy(tf.tensor1d(x)).dataSync()[0];
      };
      g.dataSync().forEach((slope, i) => {
        const expected = (step(i, 0.01) - step(i, -0.01)) / 0.02;
        assert.ok(Math.abs(slope - expected) < 0.02 * Math.abs(expected), `${slope} is not ${expected}`);
      });
    });
  });
});

test('stft is the transform of windowed frames', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const x = tf.tensor1d(Array.from({ length: 16 }, (_, i) => Math.sin(i)));
      const got = tf.signal.stft(x, 8, 4);
      assert.deepEqual(got.shape, [3, 5]);
      const frame = tf.signal.frame(x, 8, 4);
      const want = tf.stack(tf.unstack(frame).map((one) => tf.spectral.rfft(one.mul(tf.signal.hannWindow(8)))));
      assert.deepEqual([...got.dataSync()], [...want.dataSync()]);
      assert.deepEqual(tf.signal.hannWindow(1).arraySync(), [1]);
      assert.throws(() => tf.signal.frame(x, 8, 0), /frameStep/);
      assert.equal(tf.enclosingPowerOfTwo(9), 16);
    });
  });
});
