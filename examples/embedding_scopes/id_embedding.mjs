import * as tf from 'tenure';

/** A table with a row for each id, after DJL's block of that name. Its rows live in the scope that it is given. */
export class IdEmbedding {
  #scope;
  #table;

  constructor(scope, ids, size, seed) {
    this.#scope = scope;
    this.#table = scope.run(() => tf.randomUniform([ids, size], -1, 1, 'float32', seed));
  }

  /** The rows of some ids. They belong to the scope of the caller, which knows when it is done with them. */
  forward(ids) {
    return this.#table.gather(tf.tensor1d(ids, 'int32'));
  }

  /**
   * The same with a fault of DJL: the result goes to the manager of the op's first input, the table, and with it to the
   * model's. There every batch stays for as long as the model.
   */
  forwardIntoModel(ids) {
    return this.#scope.run(() => this.forward(ids));
  }
}
