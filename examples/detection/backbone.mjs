import * as tf from 'tenure';
import { imageOf } from './image.mjs';

/** Three small networks with fixed random weights, for detection without model files. */
export class Backbone {
  #weights;

  constructor(seed = 1) {
    const shapes = { stem: [3, 3, 3, 8], heads: [1, 1, 8, 5], description: [8 * 8 * 3, 16], emotion: [8 * 8 * 3, 7] };
    this.#weights = new tf.TensorMap();
    for (const [i, [name, shape]] of Object.entries(shapes).entries()) {
      this.#weights.set(name, tf.randomNormal(shape, 0, 0.3, 'float32', seed + i));
    }
  }

  /** Returns any image as 32 x 32 pixels with values from 0 to 1. */
  prepare(input) {
    return tf.tidy(() => tf.image.resizeBilinear(imageOf(input), [32, 32]));
  }

  /** Returns the faces in an image, highest score first. */
  async find(image, { maxDetected, minConfidence }) {
    const { scores, boxes } = this.#findFaces(image);
    const [score, box] = await Promise.all([scores.data(), boxes.array()]);
    return [...score.keys()]
      .filter((i) => score[i] >= minConfidence)
      .sort((a, b) => score[b] - score[a])
      .slice(0, maxDetected)
      .map((i) => ({ score: score[i], box: box[i] }));
  }

  /** Returns the description of a face, and its crop of the image as a tensor. */
  async look(image, { score, box }, { async }) {
    const crop = cutOut(image, box);
    const read = async (predict) => [...(await predict(crop).data())];
    const parts = [
      () => tf.scopeAsync('description', () => read((face) => this.#describe(face))),
      () => tf.scopeAsync('emotion', () => read((face) => this.#readEmotion(face))),
    ];
    const [embedding, emotion] = async
      ? await Promise.all(parts.map((part) => part()))
      : [await parts[0](), await parts[1]()];
    return { score, box, embedding, emotion, tensor: crop };
  }

  dispose() {
    this.#weights.dispose();
  }

  /** Returns a score and a box for each of 8 x 8 cells of an image of 32 x 32. */
  #findFaces(image) {
    return tf.tidy(() => {
      const features = tf.conv2d(image, this.#weights.get('stem'), 2, 'same').relu();
      const pooled = tf.maxPool(features, 2, 2, 'same');
      const heads = tf.conv2d(pooled, this.#weights.get('heads'), 1, 'same').reshape([64, 5]);
      const [scores, boxes] = tf.split(heads, [1, 4], 1);
      return { scores: scores.sigmoid().reshape([64]), boxes: boxes.sigmoid() };
    });
  }
  /** Returns an embedding, which is similar for similar faces. */
  #describe(face) {
    return tf.tidy(() => {
      const vector = face.reshape([1, 8 * 8 * 3]).matMul(this.#weights.get('description'));
      return vector.div(vector.norm());
    });
  }
  /** Returns a probability for each of seven emotions. */
  #readEmotion(face) {
    return tf.tidy(() =>
      face
        .reshape([1, 8 * 8 * 3])
        .matMul(this.#weights.get('emotion'))
        .softmax(),
    );
  }
}

/** Returns a crop of 8 x 8 around the centre of the box. */
function cutOut(image, [top, left, height, width]) {
  const start = (at, size) => Math.round(Math.min(Math.max(at + size / 2, 0), 1) * 24);
  return tf.slice(image, [0, start(top, height), start(left, width), 0], [1, 8, 8, 3]);
}
