import * as tf from 'tenure';

/** The weights and the arithmetic of three small networks. Random weights find random faces, always the same ones. */
export class Backbone {
  #weights;

  constructor(seed = 1) {
    const shapes = { stem: [3, 3, 3, 8], heads: [1, 1, 8, 5], description: [8 * 8 * 3, 16], emotion: [8 * 8 * 3, 7] };
    this.#weights = new tf.TensorMap();
    for (const [i, [name, shape]] of Object.entries(shapes).entries()) {
      this.#weights.set(name, tf.randomNormal(shape, 0, 0.3, 'float32', seed + i));
    }
  }

  /** A score and a box for each of 8 x 8 places of an image of 32 x 32. */
  findFaces(image) {
    return tf.tidy(() => {
      const features = tf.conv2d(image, this.#weights.get('stem'), 2, 'same').relu();
      const pooled = tf.maxPool(features, 2, 2, 'same');
      const heads = tf.conv2d(pooled, this.#weights.get('heads'), 1, 'same').reshape([64, 5]);
      const [scores, boxes] = tf.split(heads, [1, 4], 1);
      return { scores: scores.sigmoid().reshape([64]), boxes: boxes.sigmoid() };
    });
  }
  /** A vector that is alike for faces that are alike. */
  describe(face) {
    return tf.tidy(() => {
      const vector = face.reshape([1, 8 * 8 * 3]).matMul(this.#weights.get('description'));
      return vector.div(vector.norm());
    });
  }
  /** A probability for each of seven emotions. */
  readEmotion(face) {
    return tf.tidy(() => face.reshape([1, 8 * 8 * 3]).matMul(this.#weights.get('emotion')).softmax());
  }

  dispose() {
    this.#weights.dispose();
  }
}
