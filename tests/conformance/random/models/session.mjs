// Builds a random model, loads it in both libraries, and compares their predictions.
import { buildModel } from './build.mjs';
import { quantize } from './quantize.mjs';
import { expectsOther, flow, limits, repairs } from './repairs.mjs';

// The order of sums differs, through several layers.
const kTolerance = 2e-4;
const kFeeds = 3;

export class Session {
  constructor(ours, theirs) {
    this.ours = ours;
    this.theirs = theirs;
    this.met = new Map();
    this.predictions = 0;
    this.refused = 0;
    this.unreadable = 0;
  }

  /** Runs the model at a position; returns a description of the difference, or undefined. */
  async run(seed, place) {
    const { ours, theirs } = this;
    const before = { ours: ours.memory().numTensors, theirs: theirs.memory().numTensors };
    const { model: built, inputs, random } = buildModel(theirs, seed, place);
    let artifacts;
    await built.save(
      theirs.io.withSaveHandler((saved) => ((artifacts = quantize(saved, random)), { modelArtifactsInfo: {} })),
    );
    artifacts.modelTopology = JSON.parse(JSON.stringify(artifacts.modelTopology));
    built.dispose();
    const load = (tf) => tf.loadLayersModel({ load: () => Promise.resolve(structuredClone(artifacts)) });
    const peer = await load(theirs).catch(() => undefined);
    if (!peer) {
      // TensorFlow.js cannot read all that it writes.
      this.unreadable++;
      theirs.disposeVariables();
      return undefined;
    }
    let words;
    let model;
    try {
      model = await load(ours);
      words =
        this.#describe(model, peer, artifacts.modelTopology) ?? (await this.#compare(model, peer, inputs, random));
    } catch (error) {
      // TensorFlow.js creates weights for the shapes that it infers, and may find only later that some are impossible.
      const fails = () => predict(theirs, peer, feedOf(inputs, random)).error;
      if (expectsOther(artifacts.modelTopology)) words = undefined;
      else if (fails()) this.refused++;
      else words = `only Tenure throws: ${error.message}`;
    }
    model?.dispose();
    peer.dispose();
    const left = ours.memory().numTensors - before.ours;
    if (left !== 0) words ??= `${left} tensors left`;
    theirs.disposeVariables();
    return words && { words, artifacts, inputs };
  }

  /** Returns the rule that allows the difference. */
  #rule(ours, theirs, repaired) {
    const limit = ({ error }) => error && limits.find(({ words }) => words.test(error.message));
    if (limit(theirs)) return limit(theirs);
    for (const list of [[], ...repairs.map((repair) => [repair]), repairs]) {
      const other = repaired(list);
      if (!difference(ours, other) || (!ours.error && limit(other)))
        return list.length === 1 ? list[0] : list.length === 0 ? flow : { name: 'several of these' };
    }
    return undefined;
  }

  #describe(model, peer, topology) {
    if (model.countParams() !== peer.countParams())
      return `${model.countParams()} parameters, and ${peer.countParams()} of TensorFlow.js`;
    const names = (list) => list.map(({ name }) => name).join();
    if (names(model.layers) !== names(peer.layers))
      return `layers ${names(model.layers)}, and ${names(peer.layers)} of TensorFlow.js`;
    if (expectsOther(topology)) return undefined;
    for (const [i, { shape }] of peer.outputs.entries()) {
      // Tenure may know extents that TensorFlow.js does not.
      const fits =
        shape.length === model.outputs[i].shape.length &&
        shape.every((extent, d) => extent === null || extent === model.outputs[i].shape[d]);
      if (!fits) return `output ${i} has shape [${model.outputs[i].shape}], and [${shape}] of TensorFlow.js`;
    }
    return undefined;
  }

  async #compare(model, peer, inputs, random) {
    for (let feed = 0; feed < kFeeds; feed++) {
      const given = feedOf(inputs, random);
      const ours = predict(this.ours, model, given);
      const plain = predict(this.theirs, peer, given);
      this.predictions++;
      const found = difference(ours, plain);
      if (plain.error && ours.error) this.refused++;
      if (!found) continue;
      const rule = this.#rule(ours, plain, (list) => repaired(this.theirs, peer, given, list));
      if (!rule) return `feed ${feed} (${given.map(({ shape }) => `[${shape}]`)}): ${found}`;
      this.met.set(rule.name, (this.met.get(rule.name) ?? 0) + 1);
    }
    return undefined;
  }
}

/** Returns TensorFlow.js's predictions with some repairs; that of mask propagation always applies. */
function repaired(tf, peer, given, list) {
  const undo = [flow, ...list].map((repair) => repair.apply(tf, peer));
  try {
    return predict(tf, { predict: (inputs) => peer.call(inputs, {}) }, given);
  } finally {
    undo.reverse().forEach((one) => one());
  }
}

/** Returns values for inputs; all unknown extents get the same size. */
function feedOf(inputs, random) {
  const batch = random.int(1, 3);
  const size = random.int(6, 12);
  return inputs.map(({ kind, shape }) => {
    const whole = [batch, ...shape.map((extent) => extent ?? size)];
    const count = whole.reduce((product, extent) => product * extent, 1);
    const one = kind === 'ids' ? () => random.int(0, 7) : () => random.normal();
    const values = Float32Array.from({ length: count }, one);
    // Steps of zeros, for Masking.
    if (kind === 'sequence') {
      for (let at = 0; at < count; at += shape.at(-1)) if (random.chance(0.3)) values.fill(0, at, at + shape.at(-1));
    }
    return { shape: whole, values };
  });
}

function predict(tf, model, given) {
  tf.engine().startScope();
  try {
    const inputs = given.map(({ shape, values }) => tf.tensor(values, shape));
    const outputs = model.predict(inputs.length === 1 ? inputs[0] : inputs);
    return { outputs: [outputs].flat().map((one) => ({ shape: one.shape, values: one.dataSync() })) };
  } catch (error) {
    return { error };
  } finally {
    tf.engine().endScope();
  }
}

function difference(ours, theirs) {
  if (ours.error && theirs.error) return undefined;
  if (ours.error) return `only Tenure throws: ${ours.error.message}`;
  if (theirs.error) return `only TensorFlow.js throws: ${theirs.error.message}`;
  for (const [i, b] of theirs.outputs.entries()) {
    const a = ours.outputs[i];
    if (String(a.shape) !== String(b.shape))
      return `output ${i} has shape [${a.shape}], and [${b.shape}] of TensorFlow.js`;
    const largest = b.values.reduce(
      (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
      1e-3,
    );
    for (let j = 0; j < b.values.length; j++) {
      const [x, y] = [a.values[j], b.values[j]];
      const isClose = Object.is(x, y) || x === y || Math.abs(x - y) <= kTolerance * largest;
      if (!isClose) return `element ${j} of output ${i} is ${x}, and ${y} of TensorFlow.js`;
    }
  }
  return undefined;
}
