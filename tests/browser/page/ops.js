import { held } from './common.mjs';

/** Runs a few ops, as functions and as methods, and returns the name of an error that crosses from wasm. */
export async function ops(tf) {
  const before = held(tf);
  const product = tf.tidy(() =>
    tf
      .tensor2d([
        [1, 2],
        [3, 4],
      ])
      .matMul(tf.eye(2))
      .add(1)
      .relu(),
  );
  const values = await product.array();
  product.dispose();
  let error;
  try {
    product.dataSync();
  } catch (thrown) {
    error = thrown.name;
  }
  return { values, error, before, after: held(tf) };
}
