// A typical program that detects motion in a camera's frames. Four of its lines leak.
import * as tf from 'tenure/debug';

const kSide = 64;

/** Distinguishes motion from slow changes of the background. */
export class Watcher {
  #background = tf.zeros([1, 32, 32, 3]);
  #greatest = tf.scalar(0);
  #history = [];

  /** Returns the amount of motion since the previous frames; `pixels` are 64 x 64 x 3 floats. */
  async see(pixels) {
    const image = tf.tensor4d(pixels, [1, kSide, kSide, 3]);
    const small = image.resizeBilinear([32, 32]);
    image.dispose();

    const motion = tf.tidy('motion', () => {
      const difference = small.sub(this.#background).abs();
      this.#background = tf.keep(this.#background.mul(0.9).add(small.mul(0.1)));
      return difference.mean();
    });

    this.#history.push(motion.log1p());
    this.#greatest = this.#greatest.maximum(motion);
    const [amount] = await motion.data();
    motion.dispose();
    return amount;
  }

  /** Returns the history of the motion. */
  plot() {
    return this.#history.map((tensor) => tensor.dataSync()[0]);
  }
}
