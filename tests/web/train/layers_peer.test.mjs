// The gradients of each layer for its inputs and weights, compared with TensorFlow.js's.
import { test } from 'node:test';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { assert, leavesNothing, tf } from '../expect.mjs';
import { cases } from '../models/layer_cases.mjs';
import { assertClose, bothOf, feedsOf, listOf, nameOf } from '../models/one_layer.mjs';

console.warn = () => {};
await tf.ready();
const peer = await loadPeer({ withMethods: true });

/** Layers whose gradients are missing or fail in TensorFlow.js: tests/cpp/import/keras/training/trainer_test.cpp tests them. */
const kWithout = new Set([
  'centerCrop',
  'categoryEncoding',
  'thresholdedReLU',
  'conv3dTranspose',
  'upSampling2d',
  'resizing',
  'masking',
]);
/** Configurations that fail in TensorFlow.js, or in which its average counts the padding. */
const isWithout = ([factory, { center, scale, dilationRate = 1, padding }]) =>
  kWithout.has(factory) ||
  center === false ||
  scale === false ||
  (/^conv.d$/.test(factory) && dilationRate > 1) ||
  (/^averagePool/.test(factory) && padding === 'same');

/**
 * Returns the gradients of the sum of the outputs' squares for each input, unless it is an index, and for each trainable
 * weight.
 */
function gradientsOf(lib, layer, x, dtype) {
  return lib.tidy(() => {
    const loss = (...xs) =>
      listOf(layer.apply(xs.length === 1 ? xs[0] : xs))
        .map((y) => lib.sum(lib.square(y)))
        .reduce((a, b) => lib.add(a, b));
    const ofInputs = dtype === 'int32' ? [] : lib.grads(loss)(x);
    const variables = layer.trainableWeights.map((weight) => weight.read());
    if (variables.length === 0) return ofInputs;
    const { grads } = lib.variableGrads(() => loss(...x), variables);
    return [...ofInputs, ...variables.map(({ name }) => grads[name])];
  });
}

for (const one of cases.filter((one) => !isWithout(one))) {
  const [, , shapes, dtype] = one;
  test(`the gradients of ${nameOf(one)} match TensorFlow.js`, () => {
    leavesNothing(() => {
      const { ours, theirs } = bothOf(tf, peer, one);
      const [x, y] = [feedsOf(tf, shapes, dtype), feedsOf(peer, shapes, dtype)];
      const [got, want] = [gradientsOf(tf, ours.layer, x, dtype), gradientsOf(peer, theirs.layer, y, dtype)];
      assert.equal(got.length, want.length);
      for (const [i, gradient] of got.entries()) assertClose(gradient, want[i], `gradient ${i}`);
      tf.dispose([x, got, ours.model]);
      peer.dispose([y, want]);
      theirs.model.dispose();
    });
  });
}
