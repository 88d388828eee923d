import * as tf from 'tenure';

const kCapacity = 10_000;
const kBatch = 64;
const kHidden = 64;
const kDiscount = 0.99;
const kLearningRate = 0.001;
/** Exploration rate: falls from `first` to `last` over `steps` steps. */
const kCurious = { first: 1, last: 0.01, steps: 4000 };
/** Trains every second step, after the first thousand. */
const kLearnEvery = 2;
const kLearnFrom = 1000;
/** Number of training steps between updates of the target network. */
const kCopyEvery = 250;

/**
 * Learns action values from a replay memory, by double deep Q-learning (van Hasselt, Guez and Silver, 2015). Owns its memory,
 * its networks and its optimizer.
 */
export class Agent {
  #random;
  #memory;
  #online;
  #target;
  #optimizer = tf.train.adam(kLearningRate);
  #steps = 0;
  #lessons = 0;

  /** `random` returns numbers from [0, 1). */
  constructor(observations, actions, random, seed) {
    this.#random = random;
    this.#memory = new tf.ReplayMemory(kCapacity, { seed });
    this.#online = makeNetwork(observations, actions, seed);
    this.#target = makeNetwork(observations, actions, seed);
    this.#online.compile({ optimizer: this.#optimizer, loss: 'meanSquaredError' });
  }

  /** The number of steps in the replay memory. */
  get remembered() {
    return this.#memory.length;
  }

  /** Returns the index of an action: the best known one or, early on, a random one. */
  act(state) {
    const { first, last, steps } = kCurious;
    const curiosity = Math.max(last, first - ((first - last) * this.#steps) / steps);
    if (this.#random() < curiosity) return this.#random() < 0.5 ? 0 : 1;
    return tf.tidy(() => this.#online.predict(state).argMax(-1).dataSync()[0]);
  }

  /** Adds a step to the memory, which keeps handles of its own, and trains. */
  async observe(step) {
    this.#memory.push(step);
    this.#steps++;
    if (this.#memory.length >= kLearnFrom && this.#steps % kLearnEvery === 0) await this.#learn();
  }

  async #learn() {
    const { states, values } = tf.tidy(() => this.#lesson(this.#memory.sample(kBatch)));
    await this.#online.trainOnBatch(states, values);
    tf.dispose([states, values]);
    if (++this.#lessons % kCopyEvery === 0) this.#target.setWeights(this.#online.getWeights());
  }

  /** Returns states and the target values of their actions. */
  #lesson(steps) {
    const actions = this.#online.outputShape.at(-1);
    const states = tf.concat(steps.map(({ state }) => state));
    const next = tf.concat(steps.map(({ nextState }) => nextState));
    const best = tf.oneHot(this.#online.predict(next).argMax(-1), actions);
    const goesOn = tf.tensor1d(steps.map(({ done }) => (done ? 0 : 1)));
    const later = this.#target.predict(next).mul(best).sum(-1).mul(goesOn).mul(kDiscount);
    const worth = later.add(tf.tensor1d(steps.map(({ reward }) => reward)));
    const taken = tf.oneHot(
      tf.tensor1d(
        steps.map(({ action }) => action),
        'int32',
      ),
      actions,
    );
    const values = tf.where(taken.cast('bool'), worth.expandDims(1).tile([1, actions]), this.#online.predict(states));
    return { states, values };
  }

  dispose() {
    tf.dispose([this.#memory, this.#online, this.#target]);
    this.#optimizer.dispose();
  }
}

function makeNetwork(observations, actions, seed) {
  const layer = (units, place, config) =>
    tf.layers.dense({ units, kernelInitializer: tf.initializers.heNormal({ seed: seed + place }), ...config });
  return tf.sequential({
    layers: [
      layer(kHidden, 0, { activation: 'relu', inputShape: [observations] }),
      layer(kHidden, 1, { activation: 'relu' }),
      layer(actions, 2),
    ],
  });
}
