// Builds a random model, trains it in both libraries from the same weights on the same batches, and compares the numbers of the
// steps and the weights after them.
import { optimizers } from '../../training.mjs';
import { buildModel } from './build.mjs';
import { limits } from './repairs.mjs';

const kTolerance = 2e-3;
/** Relative perturbation of the weights, which measures how training amplifies a difference in the last bits. */
const kNudge = 1e-6;
const kLosses = [
  'meanSquaredError',
  'meanAbsoluteError',
  'logcosh',
  'cosineProximity',
  'categoricalCrossentropy',
  'hinge',
  'squaredHinge',
];
const kMetrics = ['mae', 'mse', 'cosine', 'binaryAccuracy'];

export class Training {
  trained = 0;
  refused = 0;
  unsteady = 0;
  why = new Map();

  constructor(ours, theirs) {
    this.ours = ours;
    this.theirs = theirs;
  }

  /** Runs the training at a position; returns a description of the difference, or undefined. */
  async run(seed, place) {
    const { ours, theirs } = this;
    const before = ours.memory().numTensors;
    const { model, inputs, random } = buildModel(theirs, seed, place, { forTraining: true });
    let artifacts;
    await model.save(theirs.io.withSaveHandler((saved) => ((artifacts = saved), { modelArtifactsInfo: {} })));
    artifacts.modelTopology = JSON.parse(JSON.stringify(artifacts.modelTopology));
    const how = this.#plan(model, inputs, random);
    model.dispose();
    const words = how && (await this.#compare(artifacts, how));
    theirs.disposeVariables();
    const left = ours.memory().numTensors - before;
    return words || left !== 0 ? { words: words ?? `${left} tensors left`, artifacts, how } : undefined;
  }

  /** Returns the training's settings and batches; undefined if TensorFlow.js cannot run the model. */
  #plan(model, inputs, random) {
    const { theirs } = this;
    const batch = random.int(1, 4);
    const size = random.int(6, 9);
    const shapes = inputs.map(({ shape }) => [batch, ...shape.map((extent) => extent ?? size)]);
    const outputs = theirs.tidy(() => {
      try {
        const given = shapes.map((shape) => theirs.zeros(shape));
        const results = [model.predict(given.length === 1 ? given[0] : given)].flat();
        // Windows that do not fit have no maximum.
        if (!results.every((one) => one.dataSync().every(Number.isFinite))) throw new Error('numbers that are none');
        return results.map(({ shape }) => shape);
      } catch (error) {
        return this.#refuse(error);
      }
    });
    if (!outputs) return undefined;
    const steps = random.int(5, 25);
    return {
      optimizer: random.pick(Object.keys(optimizers)),
      loss: outputs.map(() => random.pick(kLosses)),
      metrics: random.chance(0.5) ? [random.pick(kMetrics)] : undefined,
      batches: random.list(random.int(1, 3), () => ({
        x: shapes.map((shape, i) => values(shape, random, inputs[i].kind)),
        y: outputs.map((shape) => values(shape, random)),
      })),
      steps,
    };
  }

  #refuse({ message }) {
    this.refused++;
    const known = limits.find(({ words }) => words.test(message));
    const why = known?.name ?? message.split('\n')[0].slice(0, 90);
    this.why.set(why, (this.why.get(why) ?? 0) + 1);
    return undefined;
  }

  async #compare(artifacts, how) {
    const { ours, theirs } = this;
    const peer = await train(theirs, artifacts, how).catch((error) => ({ error }));
    if (peer.error) return this.#refuse(peer.error);
    const mine = await train(ours, artifacts, how).catch((error) => ({ error }));
    if (mine.error) return `only Tenure throws: ${mine.error.message}`;
    const found = difference(mine, peer, kTolerance);
    this.trained++;
    if (!found) return undefined;
    // If a gradient is zero except for its last bits, most optimizers make a whole step of those bits.
    for (const by of [kNudge, -kNudge, 10 * kNudge]) {
      const nudged = await train(theirs, nudge(artifacts, by), how);
      if (!difference(nudged, peer, kTolerance / 20)) continue;
      this.unsteady++;
      return undefined;
    }
    return `${how.optimizer}, ${how.loss}, ${how.steps} steps: ${found}`;
  }
}

function values(shape, random, kind = 'vector') {
  const count = shape.reduce((product, extent) => product * extent, 1);
  return {
    shape,
    values: Float32Array.from({ length: count }, () => (kind === 'ids' ? random.int(0, 7) : random.normal())),
  };
}

/** Returns the artifacts with every weight slightly increased. */
function nudge(artifacts, by) {
  const weightData = new Float32Array(artifacts.weightData).map(
    (value, i) => value * (1 + by * Math.sin(i + 1)) + by * 1e-2,
  ).buffer;
  return { ...artifacts, weightData };
}

/** Returns the numbers of each step, and all weights after them. */
async function train(tf, artifacts, { optimizer: name, loss, metrics, batches, steps }) {
  const model = await tf.loadLayersModel({ load: () => Promise.resolve(structuredClone(artifacts)) });
  const optimizer = optimizers[name](tf);
  const tensors = (list) => list.map(({ shape, values: all }) => tf.tensor(all, shape));
  const data = batches.map(({ x, y }) => [tensors(x), tensors(y)]);
  try {
    model.compile({ optimizer, loss: loss.length === 1 ? loss[0] : loss, ...(metrics && { metrics }) });
    const numbers = [];
    for (let step = 0; step < steps; step++) {
      const [x, y] = data[step % data.length];
      numbers.push([await model.trainOnBatch(x, y)].flat());
    }
    return {
      numbers,
      weights: model.weights.map((weight) => ({ name: weight.originalName, values: weight.read().dataSync() })),
    };
  } finally {
    tf.dispose(data);
    optimizer.dispose();
    model.dispose();
  }
}

function difference(ours, theirs, tolerance) {
  const isClose = (x, y, scale) =>
    Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y)) || x === y || Math.abs(x - y) <= tolerance * scale;
  for (const [step, of] of theirs.numbers.entries()) {
    const got = ours.numbers[step];
    if (got.length !== of.length) return `step ${step} gives ${got.length} numbers, and ${of.length} in TensorFlow.js`;
    const at = of.findIndex((y, i) => !isClose(got[i], y, Math.max(1, Math.abs(y))));
    if (at >= 0) return `number ${at} of step ${step} is ${got[at]}, and ${of[at]} in TensorFlow.js`;
    // Not comparable from here on.
    if (!of.every(Number.isFinite)) return undefined;
  }
  for (const [i, { name, values: of }] of theirs.weights.entries()) {
    const { values: got } = ours.weights[i];
    const scale = of.reduce((most, y) => (Number.isFinite(y) ? Math.max(most, Math.abs(y)) : most), 1);
    const at = of.findIndex((y, k) => !isClose(got[k], y, scale));
    if (at >= 0) return `element ${at} of ${name} is ${got[at]}, and ${of[at]} in TensorFlow.js`;
  }
  return undefined;
}
