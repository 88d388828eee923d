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

/** Finds faces in images, and says what they look like. It owns its backbone, which knows the models. */
export class Detector {
  #backbone;
  #handedOut = new Set();

  constructor(config = {}, backbone = new Backbone()) {
    this.#backbone = backbone;
    const face = { detector: { ...kDefaults.face.detector, ...config.face?.detector } };
    this.config = { ...kDefaults, ...config, face };
  }

  /** Any number of calls may be at work. Rejects for what is no image of three channels; then nothing is left of it. */
  async detect(input) {
    if (this.config.deallocate) this.#deallocate();
    const { detector } = this.config.face;
    const result = await tf.scopeAsync('detect', async (scope) => {
      const image = this.#backbone.prepare(input);
      const faces = [];
      for (const found of await this.#backbone.find(image, detector)) {
        // Behind an await a page does not know the scope, which owns what is cut out.
        const { tensor, ...face } = await scope.run(() => this.#backbone.look(image, found, this.config));
        faces.push({ ...face, ...(detector.return && { tensor }) });
      }
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
}
