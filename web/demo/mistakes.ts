// Mistakes that Tenure's debug build explains. The page shows these functions verbatim, and runs them.
import type { Tensor } from 'tenure';
import type { Tenure, Tf } from './tf.js';

/** Resolves after a moment, as the answer of a server or of a user. */
export const answer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Leaks two tensors, one on each side of the await. */
export async function unowned(tf: Tf, frame: ImageData) {
  const image = tf.browser.fromPixels(frame);
  await answer();
  const mean = image.mean();
  return mean.dataSync();
}

/** Leaks nothing: the scope owns what was made on both sides of the await. */
export function owned(tf: Tenure, frame: ImageData) {
  return tf.scopeAsync(async (scope) => {
    const image = tf.browser.fromPixels(frame);
    await answer();
    return scope.run(() => image.mean().dataSync());
  });
}

/** Uses a tensor that it has disposed. */
export function disposed(tf: Tf, frame: ImageData) {
  const image = tf.browser.fromPixels(frame);
  image.dispose();
  const mean = image.mean();
  return mean.dataSync();
}

/** Takes frames until there is no memory left. */
export function hoarding(tf: Tf, frame: ImageData): never {
  const frames: Tensor[] = [];
  for (;;) {
    frames.push(tf.browser.fromPixels(frame));
  }
}
