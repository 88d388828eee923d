// The first screen shows these functions verbatim, and runs them on both libraries. They differ in one line.
import type { Tensor } from 'tenure';
import type { Tf } from './tf.js';

/** Returns how much a camera's frame differs from the last one, in grey. Nothing frees the tensor in the middle of the chain. */
export function leaking(tf: Tf, frame: ImageData, last: Tensor) {
  const image = tf.browser.fromPixels(frame);
  const gray = image.mean(2);
  const change = gray.squaredDifference(last).mean();
  const value = change.dataSync();
  tf.dispose([image, last, change]);
  return { value, last: gray };
}

/** Returns the same, and leaks nothing: a tidy owns the tensor in the middle of the chain. */
export function mended(tf: Tf, frame: ImageData, last: Tensor) {
  const image = tf.browser.fromPixels(frame);
  const gray = image.mean(2);
  const change = tf.tidy(() => gray.squaredDifference(last).mean());
  const value = change.dataSync();
  tf.dispose([image, last, change]);
  return { value, last: gray };
}
