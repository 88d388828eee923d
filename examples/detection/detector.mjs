import * as tf from 'tenure';
import { Backbone } from './backbone.mjs';

/** Default options, named as in the Human library. */
export const kDefaults = {
  /** The models of one face run concurrently. */
  async: true,
  /** Results of earlier calls are freed at the next call, whether or not they were disposed. */
  deallocate: false,
  face: { detector: { maxDetected: 2, minConfidence: 0, return: false } },
};

/** The result of a detection. With `return: true` each face has a tensor, which the result owns and disposes. */
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

/** Finds and describes faces in images. Owns its backbone, which knows the models. */
export class Detector {
  #backbone;
  #handedOut = new Set();

  constructor(config = {}, backbone = new Backbone()) {
    this.#backbone = backbone;
    const face = { detector: { ...kDefaults.face.detector, ...config.face?.detector } };
    this.config = { ...kDefaults, ...config, face };
  }

  /** Detects faces; calls may overlap. Rejects for an input that is no image of three channels, and then leaves no tensors. */
  async detect(input) {
    if (this.config.deallocate) this.#deallocate();
    const { detector } = this.config.face;
    const result = await tf.scopeAsync('detect', async (scope) => {
      const image = this.#backbone.prepare(input);
      const faces = [];
      for (const found of await this.#backbone.find(image, detector)) {
        // After an await a page has lost the current scope, which owns the crops.
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
