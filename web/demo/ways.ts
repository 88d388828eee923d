// The page shows these functions as they stand here. The two ways of each pair do the same work, and differ in nothing but
// who frees what they make.
import type { LayersModel, Tensor } from 'tenure';
import type { Tf } from './tf.js';

/** The mean colour of a camera's picture. */
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

/** What a model makes of an input. */
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
