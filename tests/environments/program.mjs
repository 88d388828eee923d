import * as tf from 'tenure';

/** Returns "10 0": a sum, and the number of tensors that it left. */
export async function program() {
  const before = tf.memory().numTensors;
  const sum = tf.tidy(() =>
    tf
      .tensor2d([
        [1, 2],
        [3, 4],
      ])
      .matMul(
        tf.tensor2d([
          [1, 0],
          [0, 1],
        ]),
      )
      .sum(),
  );
  const [value] = await sum.data();
  sum.dispose();
  return `${value} ${tf.memory().numTensors - before}`;
}
