import * as tf from 'tenure';

/** Two dense layers that estimate the value of each action in a state. Owns its weights. */
export class QNetwork {
  #weights;

  constructor(states, hidden, actions, seed) {
    this.#weights = new tf.TensorMap([
      ['kernel1', tf.randomNormal([states, hidden], 0, 0.5, 'float32', seed)],
      ['bias1', tf.zeros([hidden])],
      ['kernel2', tf.randomNormal([hidden, actions], 0, 0.5, 'float32', seed + 1)],
      ['bias2', tf.zeros([actions])],
    ]);
  }

  get size() {
    return this.#weights.size;
  }

  /** Returns the values of all actions for a batch of states. */
  predict(states) {
    const [kernel1, bias1, kernel2, bias2] = [...this.#weights].map(([, weight]) => weight);
    return tf.tidy(() => states.matMul(kernel1).add(bias1).relu().matMul(kernel2).add(bias2));
  }

  dispose() {
    this.#weights.dispose();
  }
}
