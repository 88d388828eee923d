import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tf from '../../../dist/index.js';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { held } from '../common.mjs';
import { cases } from './layer_cases.mjs';

console.warn = () => {};
await tf.ready();
const peer = await loadPeer({ withMethods: true });

/** What TensorFlow.js loses when it saves, and what it does not know of its own shapes. */
const kLost = ['depthMultiplier', 'depth_multiplier'];
const knowsLess = (factory, { targetShape }) => factory === 'resizing' || targetShape?.includes(-1);

/** What TensorFlow.js says too, without the numbers that count a program's layers. */
const unnumbered = (config) => {
  const text = JSON.stringify(config ?? null, (key, value) => (kLost.includes(key) ? undefined : value));
  return JSON.parse(text.replace(/([A-Za-z])\d+(?=["/])/g, '$1'));
};

/** A model of one layer, which the inputs' shapes without the batch lead to. */
function modelOf(lib, [factory, args, shapes, dtype]) {
  const given = typeof args === 'function' ? args(lib.layers) : structuredClone(args);
  const layer = lib.layers[factory](given);
  const inputs = shapes.map(([, ...shape]) => lib.input({ shape, dtype }));
  const outputs = layer.apply(inputs.length === 1 ? inputs[0] : inputs);
  return { layer, model: lib.model({ inputs, outputs }) };
}

function feedsOf(lib, shapes, dtype) {
  let seed = 7;
  const next = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1;
  return shapes.map((shape) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const values = Array.from({ length: size }, () => (dtype === 'int32' ? Math.floor((next() + 1) * 2.4) : next()));
    return lib.tensor(values, shape, dtype ?? 'float32');
  });
}

const listOf = (x) => (Array.isArray(x) ? x : [x]);

function assertClose(ours, theirs, where) {
  assert.deepEqual(ours.shape, theirs.shape, where);
  const [a, b] = [ours.dataSync(), theirs.dataSync()];
  for (let i = 0; i < a.length; i++) assert.ok(Math.abs(a[i] - b[i]) <= 1e-4 * Math.max(1, Math.abs(b[i])), `${where} at ${i}: ${a[i]}, not ${b[i]}`);
}

// The engine does not compute these yet, and says so.
const kMissing = new Set(['conv3d', 'conv3dTranspose', 'averagePooling3d', 'maxPooling3d', 'convLstm2d', 'rescaling', 'centerCrop', 'resizing', 'categoryEncoding']);
/** Cells are no layers there yet. */
const isMissing = ([factory, args]) => kMissing.has(factory) || (factory === 'rnn' && String(args).includes('Cell'));

for (const one of cases) {
  const [factory, args, shapes, dtype] = one;
  if (isMissing(one)) {
    test(`layers.${factory}() says that it is missing`, () => {
      assert.throws(() => modelOf(tf, one), /layers of the class \w+ are not supported|Unknown layer: /);
    });
    continue;
  }
  test(`layers.${factory}(${typeof args === 'function' ? args : JSON.stringify(args)}) is TensorFlow.js's`, () => {
    const before = held(tf);
    const theirs = modelOf(peer, one);
    const ours = modelOf(tf, one);
    assert.equal(ours.layer.getClassName(), theirs.layer.getClassName());
    assert.deepEqual(unnumbered(ours.layer.getConfig()), unnumbered(theirs.layer.getConfig()));
    if (!knowsLess(factory, args)) assert.deepEqual(ours.layer.outputShape, theirs.layer.outputShape);
    assert.deepEqual(unnumbered(ours.layer.weights.map((w) => [`${w.originalName}/`, w.shape, w.trainable])), unnumbered(theirs.layer.weights.map((w) => [`${w.originalName}/`, w.shape, w.trainable])));
    assert.equal(ours.layer.countParams(), theirs.layer.countParams());
    assert.deepEqual(unnumbered(JSON.parse(ours.model.toJSON())), unnumbered(JSON.parse(theirs.model.toJSON())));
    const values = theirs.model.getWeights().map((w) => tf.tensor(w.dataSync(), w.shape));
    ours.model.setWeights(values);
    theirs.model.setWeights(theirs.model.getWeights().map((w) => w.clone()));
    const [x, y] = [feedsOf(tf, shapes, dtype), feedsOf(peer, shapes, dtype)];
    const [got, want] = [listOf(ours.model.predict(x)), listOf(theirs.model.predict(y))];
    for (const [i, tensor] of got.entries()) assertClose(tensor, want[i], `output ${i}`);
    const applied = listOf(ours.layer.apply(x.length === 1 ? x[0] : x));
    for (const [i, tensor] of applied.entries()) assertClose(tensor, want[i], `apply's output ${i}`);
    tf.dispose([values, x, got, applied, ours.model]);
    peer.dispose([y, want]);
    theirs.model.dispose();
    assert.deepEqual(held(tf), before);
  });
}
