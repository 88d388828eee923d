import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tf from '../../../dist/index.js';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { held } from '../common.mjs';
import { cases } from './layer_cases.mjs';
import { assertClose, bothOf, feedsOf, listOf, nameOf } from './one_layer.mjs';

console.warn = () => {};
await tf.ready();
const peer = await loadPeer({ withMethods: true });

/** Configuration that TensorFlow.js loses on saving, and shapes that it cannot infer. */
const kLost = ['depthMultiplier', 'depth_multiplier'];
const knowsLess = (factory, { targetShape }) => factory === 'resizing' || targetShape?.includes(-1);

/** Layers that run only on tensors in TensorFlow.js, and break the input shapes of a model. */
const kAlone = new Set(['centerCrop', 'resizing', 'categoryEncoding']);
const wantedOf = ([factory], { layer, model }, inputs) =>
  listOf(kAlone.has(factory) ? layer.apply(inputs[0]) : model.predict(inputs));

/** Returns the configuration that TensorFlow.js also has, without the numbers in automatic layer names. */
const unnumbered = (config) => {
  const text = JSON.stringify(config ?? null, (key, value) => (kLost.includes(key) ? undefined : value));
  return JSON.parse(text.replace(/([A-Za-z])\d+(?=["/])/g, '$1'));
};

/** Returns the model as another library loads it after this one saved it. */
async function copyOf(model, from, to) {
  let files;
  await model.save(from.io.withSaveHandler((saved) => ((files = saved), { modelArtifactsInfo: {} })));
  return to.loadLayersModel({
    load: async () => ({ ...files, modelTopology: JSON.parse(JSON.stringify(files.modelTopology)) }),
  });
}

/** Private or internal properties of TensorFlow.js. */
const kInside =
  /^_|^DEFAULT_|^(id|constructor|losses|activityRegularizer|(in|out)boundNodes|fastWeightInitDuringBuild|getNodeAtIndex|setMaskMetadata|getNoiseShape|dropoutFunc|softmax|isUnknown|fixUnknownDimension|dimsIncludingBatch|reshapeRequired|mergeFunction|computeElementwiseOpOutputShape|interpretAxes|poolingFunction|centerCrop|upsize|computeSingleOutputShape|numConstants|keptStates|states_|stateSpec|buildWithCustomCell|(recurrentD|d)ropoutMask)$/;
/** Properties that a layer has only in TensorFlow.js, or with another meaning. */
const kTheirs = new Set([
  // Properties of a convolution that have no meaning for separable and transposed ones.
  'SeparableConv2D.kernel',
  'SeparableConv2D.kernelInitializer',
  'SeparableConv2D.kernelConstraint',
  'SeparableConv2D.kernelRegularizer',
  'Conv2DTranspose.dilationRate',
  'Conv3DTranspose.dilationRate',
  'Conv1D.dataFormat',
  // Known only after a call.
  'TimeDistributed.inputSpec',
  'Flatten.inputSpec',
  // Undefined in TensorFlow.js, where Tenure has false.
  'Embedding.supportsMasking',
]);

function propertiesOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names].filter((name) => !kInside.test(name));
}

/** Returns a value as far as both libraries have it: simple values, and only the kind of others. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string') return value.replace(/\d+$/, '');
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value?.ndim !== undefined || value?.minNDim !== undefined) return value.ndim ?? value.minNDim;
  return typeof value;
}

for (const one of cases) {
  test(`${nameOf(one)} has TensorFlow.js's fields`, () => {
    const [factory, args] = one;
    const before = held(tf);
    const { ours, theirs } = bothOf(tf, peer, one);
    const className = theirs.layer.getClassName();
    for (const name of propertiesOf(theirs.layer)) {
      if (kTheirs.has(`${className}.${name}`) || (name === 'outputShape' && knowsLess(factory, args))) continue;
      let want;
      try {
        want = plain(theirs.layer[name]);
      } catch {
        continue;
      }
      assert.deepEqual(plain(ours.layer[name]), want, name);
    }
    ours.model.dispose();
    theirs.model.dispose();
    assert.deepEqual(held(tf), before);
  });
}

for (const one of cases) {
  const [factory, args, shapes, dtype] = one;
  test(`${nameOf(one)} matches TensorFlow.js`, () => {
    const before = held(tf);
    const { ours, theirs } = bothOf(tf, peer, one);
    assert.equal(ours.layer.getClassName(), theirs.layer.getClassName());
    assert.deepEqual(unnumbered(ours.layer.getConfig()), unnumbered(theirs.layer.getConfig()));
    if (!knowsLess(factory, args)) assert.deepEqual(ours.layer.outputShape, theirs.layer.outputShape);
    assert.deepEqual(
      unnumbered(ours.layer.weights.map((w) => [`${w.originalName}/`, w.shape, w.trainable])),
      unnumbered(theirs.layer.weights.map((w) => [`${w.originalName}/`, w.shape, w.trainable])),
    );
    assert.equal(ours.layer.countParams(), theirs.layer.countParams());
    if (!kAlone.has(factory))
      assert.deepEqual(unnumbered(JSON.parse(ours.model.toJSON())), unnumbered(JSON.parse(theirs.model.toJSON())));
    const [x, y] = [feedsOf(tf, shapes, dtype), feedsOf(peer, shapes, dtype)];
    const [got, want] = [listOf(ours.model.predict(x)), wantedOf(one, theirs, y)];
    for (const [i, tensor] of got.entries()) assertClose(tensor, want[i], `output ${i}`);
    const applied = listOf(ours.layer.apply(x.length === 1 ? x[0] : x));
    for (const [i, tensor] of applied.entries()) assertClose(tensor, want[i], `apply's output ${i}`);
    tf.dispose([x, got, applied, ours.model]);
    peer.dispose([y, want]);
    theirs.model.dispose();
    assert.deepEqual(held(tf), before);
  });

  test(`${nameOf(one)} is saved and loaded in both libraries`, async () => {
    const before = held(tf);
    const { ours, theirs } = bothOf(tf, peer, one);
    const [x, y] = [feedsOf(tf, shapes, dtype), feedsOf(peer, shapes, dtype)];
    const want = wantedOf(one, theirs, y);
    const ways = [[tf, ours.model, tf]];
    if (!kAlone.has(factory)) ways.push([tf, ours.model, peer]);
    // Without a multiplier the weights would not match.
    if (!kAlone.has(factory) && factory !== 'separableConv2d') ways.push([peer, theirs.model, tf]);
    for (const [from, model, to] of ways) {
      const copy = await copyOf(model, from, to);
      const got = listOf(copy.predict(to === tf ? x : y));
      for (const [i, tensor] of got.entries())
        assertClose(tensor, want[i], `output ${i} of what ${to === tf ? 'Tenure' : 'TensorFlow.js'} loads`);
      to.dispose(got);
      copy.dispose();
    }
    tf.dispose([x, ours.model]);
    peer.dispose([y, want]);
    theirs.model.dispose();
    assert.deepEqual(held(tf), before);
  });
}

test('tokens are counted by their weights', () => {
  const before = held(tf);
  const run = (lib) => {
    const layer = lib.layers.categoryEncoding({ numTokens: 4, outputMode: 'count' });
    const tokens = lib.tensor2d(
      [
        [0, 2, 2],
        [3, 3, 1],
      ],
      [2, 3],
      'int32',
    );
    const weights = lib.tensor2d([
      [1, 2, 0.5],
      [4, 5, 6],
    ]);
    const counts = layer.apply(tokens, { countWeights: weights });
    const values = [...counts.dataSync()];
    lib.dispose([tokens, weights, counts]);
    layer.dispose();
    return values;
  };
  assert.deepEqual(run(tf), run(peer));
  const hot = tf.layers.categoryEncoding({ numTokens: 2 });
  const tokens = tf.tensor2d([[0, 2]], [1, 2], 'int32');
  assert.throws(() => hot.apply(tokens), /the index value 2 is not in \[0, 1\]/);
  assert.throws(
    () => hot.apply(tokens, { countWeights: tokens }),
    /countWeights is not used when outputMode !== count/,
  );
  tf.dispose(tokens);
  hot[Symbol.dispose]();
  assert.deepEqual(held(tf), before);
});
