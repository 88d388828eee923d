import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

test('a condition computed from x propagates no gradient, at any order', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const x = tf.tensor1d([-2, 0.5, 3]);
      const f = (v) => tf.where(v.greater(0), v.square(), v.mul(3));
      assert.deepEqual(Array.from(tf.grad(f)(x).dataSync()), [3, 1, 6]);
      assert.deepEqual(Array.from(tf.grad(tf.grad(f))(x).dataSync()), [0, 2, 2]);
      const clipped = tf.grad(tf.grad((v) => tf.clipByValue(v, -1, 1).square()));
      assert.deepEqual(Array.from(clipped(x).dataSync()), [0, 2, 0]);
      for (const part of tf.linalg.qr(
        tf.tensor2d([
          [1, 2],
          [3, 5],
        ]),
      ))
        assert.equal(part.rank, 2);
      const ofQr = tf.grad((m) => tf.linalg.qr(m)[1].square());
      assert.ok(
        Array.from(
          ofQr(
            tf.tensor2d([
              [1, 2],
              [3, 5],
            ]),
          ).dataSync(),
        ).every(Number.isFinite),
      );
    }),
  );
});
