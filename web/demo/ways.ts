// The page shows these functions verbatim. The two ways of each pair do the same work, and differ only in who disposes their
// tensors.
import type { LayersModel, Tensor } from 'tenure';
import type { Tf } from './tf.js';

/** Computes the mean colour of a camera's picture, in two ways. */
export const camera = {
  leaking(tf: Tf, frame: ImageData) {
    const image = tf.browser.fromPixels(frame);
    const color = image.mean([0, 1]);
    return { values: color.data() };
  },
  tidy(tf: Tf, frame: ImageData) {
    return tf.tidy(() => {
      const image = tf.browser.fromPixels(frame);
      const color = image.mean([0, 1]);
      return { values: color.data() };
    });
  },
};

/** Computes a model's prediction, in two ways. */
export const model = {
  leaking(_tf: Tf, network: LayersModel, x: Tensor) {
    const y = network.predict(x) as Tensor;
    return { values: y.data() };
  },
  tidy(tf: Tf, network: LayersModel, x: Tensor) {
    return tf.tidy(() => {
      const y = network.predict(x) as Tensor;
      return { values: y.data() };
    });
  },
};
