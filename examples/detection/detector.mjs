import * as tf from 'tenure';
import { Backbone } from './backbone.mjs';

/** As in the Human library, whose names these are. */
export const kDefaults = {
  /** The parts of one face are read at the same time. */
  async: true,
  /** What was handed out by earlier calls is freed at the next one, whether or not anybody disposed it. */
  deallocate: false,
  face: { detector: { maxDetected: 2, minConfidence: 0, return: false } },
};

/** What was found in an image. With `return: true` each face has a tensor, which belongs to this and goes with it. */
export class Result {
  #tensors;

  constructor(face) {
    this.face = face;
    this.#tensors = new tf.TensorList(face.flatMap(({ tensor }) => (tensor ? [tensor] : [])));
  }
  dispose() {
    this.#tensors.dispose();
  }
  [Symbol.dispose]() {
    this.dispose();
  }
}

/** Finds faces in images, and says what they look like. */
export class Detector {
  #backbone = new Backbone();
  #handedOut = new Set();

  constructor(config = {}) {
    const face = { detector: { ...kDefaults.face.detector, ...config.face?.detector } };
    this.config = { ...kDefaults, ...config, face };
  }

  /** Any number of calls may be at work. Rejects for what is no image of three channels; then nothing is left of it. */
  async detect(input) {
    if (this.config.deallocate) this.#deallocate();
    const result = await tf.scopeAsync('detect', async () => {
      const image = prepare(input);
      const faces = [];
      for (const found of await this.#find(image)) faces.push(await this.#look(image, found));
      return new Result(faces);
    });
    if (this.config.deallocate) this.#handedOut.add(result);
    return result;
  }

  dispose() {
    this.#deallocate();
    this.#backbone.dispose();
  }

  #deallocate() {
    for (const result of this.#handedOut) result.dispose();
    this.#handedOut.clear();
  }

  async #find(image) {
    const { maxDetected, minConfidence } = this.config.face.detector;
    const { scores, boxes } = this.#backbone.findFaces(image);
    const [score, box] = await Promise.all([scores.data(), boxes.array()]);
    return [...score.keys()]
      .filter((i) => score[i] >= minConfidence)
      .sort((a, b) => score[b] - score[a])
      .slice(0, maxDetected)
      .map((i) => ({ score: score[i], box: box[i] }));
  }

  async #look(image, { score, box }) {
    const crop = cutOut(image, box);
    const read = async (predict) => [...(await predict(crop).data())];
    const parts = [
      () => tf.scopeAsync('description', () => read((face) => this.#backbone.describe(face))),
      () => tf.scopeAsync('emotion', () => read((face) => this.#backbone.readEmotion(face))),
    ];
    const [embedding, emotion] = this.config.async
      ? await Promise.all(parts.map((part) => part()))
      : [await parts[0](), await parts[1]()];
    return { score, box, embedding, emotion, ...(this.config.face.detector.return && { tensor: crop }) };
  }
}

/** Any image as one of 32 x 32 with values from 0 to 1. */
function prepare(input) {
  if (!(input instanceof tf.Tensor) || input.rank < 3 || input.rank > 4 || input.shape.at(-1) !== 3) {
    throw new Error(`expected a tensor of an image with three channels, got ${input?.shape ? `[${input.shape}]` : input}`);
  }
  return tf.tidy(() => {
    const batch = input.rank === 3 ? input.expandDims(0) : input;
    return tf.image.resizeBilinear(batch.toFloat().div(255), [32, 32]);
  });
}

/** A part of 8 x 8, around the middle of the box. */
function cutOut(image, [top, left, height, width]) {
  const start = (at, size) => Math.round(Math.min(Math.max(at + size / 2, 0), 1) * 24);
  return tf.slice(image, [0, start(top, height), start(left, width), 0], [1, 8, 8, 3]);
}
