// Builds random Keras models with TensorFlow.js: several inputs and outputs, shared layers, nested models, masks.
import { Random } from '../random.mjs';
import { Layers } from './layers.mjs';

/**
 * Returns the model at a position of a seed's sequence, in TensorFlow.js, with its inputs `[{kind, shape, ids}]`. The caller
 * disposes it. `forTraining`: uses only layers that train alike (layers.mjs).
 */
export function buildModel(tf, seed, place, how = {}) {
  const random = new Random(seed, place);
  for (;;) {
    const builder = new Builder(tf, random, how);
    const model = builder.build();
    if (!model) continue;
    setWeights(tf, model, random);
    return { model, inputs: builder.inputs, random };
  }
}

// The orthogonal initializer needs chained ops, which the peer's packages lack.
const recurrentInitializer = 'glorotUniform';

class Builder {
  inputs = [];
  #applied = [];

  constructor(tf, random, how) {
    this.tf = tf;
    this.random = random;
    this.forTraining = how.forTraining;
    this.layers = new Layers(tf, random, how);
  }

  build() {
    const { random } = this;
    const tensors = random.list(
      random.weighed([
        [5, 1],
        [3, 2],
        [1, 3],
      ]),
      () => this.#input(),
    );
    const unused = new Set(tensors);
    const use = (made, ...from) => {
      if (!made) return;
      from.forEach((one) => unused.delete(one));
      unused.add(made);
      tensors.push(made);
    };
    const steps = random.int(2, 9);
    for (let i = 0; i < steps; i++) {
      const x = random.chance(0.7) ? tensors.at(-1) : random.pick(tensors);
      const alike = tensors.filter((one) => one !== x && String(one.shape) === String(x.shape));
      const step = random.weighed([
        [7, () => use(this.#apply(this.layers.unary(x.shape), x), x)],
        [
          alike.length > 0 ? 3 : 0,
          () => {
            const others = random.shuffled(alike).slice(0, random.int(1, 2));
            use(this.#apply(this.layers.merge(x.shape), [x, ...others]), x, ...others);
          },
        ],
        [1, () => this.#shared(x, use)],
        [1, () => use(this.#apply(this.#nested(x.shape), x), x)],
        [1, () => this.#withStates(x, use)],
      ]);
      step();
    }
    // Layers that no output depends on would not be part of the model, and neither would their inputs.
    const outputs = [...unused].slice(0, 4);
    const left = [...unused].slice(4);
    if (left.some((one) => this.inputs.some(({ tensor }) => tensor === one))) return undefined;
    const isInput = (one) => this.inputs.some(({ tensor }) => tensor === one);
    try {
      const ends = outputs.map((one) => {
        if (this.forTraining) return this.#end(one);
        return isInput(one) ? this.tf.layers.activation({ activation: 'linear' }).apply(one) : one;
      });
      return this.tf.model({ inputs: this.inputs.map(({ tensor }) => tensor), outputs: ends });
    } catch {
      return undefined;
    }
  }

  /** Returns an output of [batch, classes], because TensorFlow.js adds up only losses of the same shape. */
  #end(one) {
    const { layers } = this.tf;
    let x = one;
    if (x.shape.length === 5) x = layers.timeDistributed({ layer: layers.globalAveragePooling2d({}) }).apply(x);
    if (x.shape.length === 4) x = layers.globalAveragePooling2d({}).apply(x);
    if (x.shape.length === 3) x = layers.globalAveragePooling1d({}).apply(x);
    return layers
      .dense({ units: this.random.int(2, 4), activation: this.random.pick(['linear', 'softmax', 'sigmoid']) })
      .apply(x);
  }

  #input() {
    const { random, tf } = this;
    const open = (extent) => (random.chance(0.25) ? null : extent);
    const kind = random.weighed([
      [2, 'vector'],
      [3, 'sequence'],
      [3, 'image'],
      [3, 'ids'],
      [1.5, 'volume'],
    ]);
    const shape = {
      vector: () => [random.int(1, 6)],
      sequence: () => [open(random.int(4, 8)), random.int(1, 4)],
      image: () => [open(random.int(5, 9)), open(random.int(5, 9)), random.int(1, 3)],
      volume: () => [random.int(2, 4), random.int(3, 6), random.int(3, 6), random.int(1, 2)],
      ids: () => [open(random.int(4, 8))],
    }[kind]();
    const tensor = tf.input({ shape });
    this.inputs.push({ tensor, shape, kind });
    if (kind !== 'ids') return tensor;
    return tf.layers
      .embedding({ inputDim: 8, outputDim: random.int(1, 4), maskZero: random.chance(0.6) && !this.forTraining })
      .apply(tensor);
  }

  /** Applies a layer; returns undefined if it refuses. */
  #apply(layer, x) {
    try {
      const made = layer.apply(x);
      const isWhole = (one) =>
        one.shape.length <= 5 && one.shape.slice(1).every((extent) => extent === null || (extent > 0 && extent <= 60));
      if (Array.isArray(made) || !isWhole(made)) return undefined;
      this.#applied.push({ layer, x });
      return made;
    } catch {
      return undefined;
    }
  }

  #shared(x, use) {
    // TensorFlow.js adds a shared layer's regularization once per call.
    const isFit = ({ kernelRegularizer, layers }) => !this.forTraining || (!kernelRegularizer && !layers);
    const fitting = this.#applied.filter(
      ({ layer, x: from }) =>
        isFit(layer) && !Array.isArray(from) && from !== x && String(from.shape) === String(x.shape),
    );
    if (fitting.length > 0) use(this.#apply(this.random.pick(fitting).layer, x), x);
  }

  #nested(shape) {
    const { random, tf } = this;
    const layers = [];
    let at = shape;
    for (let i = random.int(1, 3); i > 0; i--) {
      const probe = tf.input({ shape: at.slice(1) });
      const layer = this.layers.unary(at);
      try {
        const made = layer.apply(probe);
        if (
          Array.isArray(made) ||
          made.shape.slice(1).some((extent) => extent !== null && (extent <= 0 || extent > 60))
        )
          continue;
        at = made.shape;
        layers.push(layer);
      } catch {
        continue;
      }
    }
    if (random.chance(0.5)) {
      const model = tf.sequential();
      model.add(tf.layers.inputLayer({ inputShape: shape.slice(1) }));
      layers.forEach((layer) => model.add(layer));
      return model;
    }
    const input = tf.input({ shape: shape.slice(1) });
    return tf.model({
      inputs: input,
      outputs: layers.reduce((x, layer) => layer.apply(x), tf.layers.activation({ activation: 'linear' }).apply(input)),
    });
  }

  /** Adds a recurrent layer that returns its states, and one that starts from them. */
  #withStates(x, use) {
    if (x.shape.length !== 3 || x.shape[2] === null) return;
    const { random, tf } = this;
    const units = random.int(1, 4);
    const make = random.pick(['lstm', 'gru', 'simpleRNN']);
    try {
      const [first, ...states] = tf.layers[make]({
        units,
        returnState: true,
        returnSequences: random.chance(0.5),
        recurrentInitializer,
      }).apply(x);
      const second = tf.layers[make]({ units, returnSequences: random.chance(0.5), recurrentInitializer }).apply([
        x,
        ...states,
      ]);
      use(first, x);
      use(second, x);
      if (random.chance(0.3)) use(states[0], x);
    } catch {
      // TensorFlow.js refuses some of these.
    }
  }
}

/** Sets weights that preserve the magnitude of the activations. */
function setWeights(tf, model, random) {
  const values = model.weights.map(({ name, shape }) => {
    const size = shape.reduce((product, extent) => product * extent, 1);
    const fan = /kernel/.test(name)
      ? Math.max(
          1,
          shape.slice(0, -1).reduce((product, extent) => product * extent, 1),
        )
      : 2;
    const one = /variance/.test(name) ? () => random.real(0.3, 2) : () => random.normal() / Math.sqrt(fan);
    return tf.tensor(random.list(size, one), shape);
  });
  model.setWeights(values);
  tf.dispose(values);
}
