import * as tf from 'tenure';

/** An embedding table with a row per id, modelled on DJL's IdEmbedding. The given scope owns its rows. */
export class IdEmbedding {
  #scope;
  #table;

  constructor(scope, ids, size, seed) {
    this.#scope = scope;
    this.#table = scope.run(() => tf.randomUniform([ids, size], -1, 1, 'float32', seed));
  }

  /** Returns the rows of some ids. They belong to the caller's scope, which frees them. */
  forward(ids) {
    return this.#table.gather(tf.tensor1d(ids, 'int32'));
  }

  /**
   * forward() with a fault of DJL: the result belongs to the manager of the op's first input, the table, and so to the model's.
   * Every batch stays there as long as the model.
   */
  forwardIntoModel(ids) {
    return this.#scope.run(() => this.forward(ids));
  }
}
