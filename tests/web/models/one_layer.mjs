// Models of one layer, built identically in TensorFlow.js and in Tenure.
import assert from 'node:assert/strict';

/** Returns a model of one layer; the input shapes exclude the batch. */
export function modelOf(lib, [factory, args, shapes, dtype]) {
  const given = typeof args === 'function' ? args(lib.layers) : structuredClone(args);
  const layer = lib.layers[factory](given);
  const inputs = shapes.map(([, ...shape]) => lib.input({ shape, dtype }));
  const outputs = layer.apply(inputs.length === 1 ? inputs[0] : inputs);
  return { layer, model: lib.model({ inputs, outputs }) };
}

/** Returns the same numbers for each library: between -1 and 1, or the indices 0 to 4. */
export function feedsOf(lib, shapes, dtype) {
  let seed = 7;
  const next = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1;
  return shapes.map((shape) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const values = Array.from({ length: size }, () => (dtype === 'int32' ? Math.floor((next() + 1) * 2.4) : next()));
    return lib.tensor(values, shape, dtype ?? 'float32');
  });
}

/** Returns both models of a case, with the weights that TensorFlow.js initialized. */
export function bothOf(tf, peer, one) {
  const theirs = modelOf(peer, one);
  const ours = modelOf(tf, one);
  const values = theirs.model.getWeights().map((w) => tf.tensor(w.dataSync(), w.shape));
  ours.model.setWeights(values);
  tf.dispose(values);
  // Its constraints apply when weights are set.
  theirs.model.setWeights(theirs.model.getWeights().map((w) => w.clone()));
  return { ours, theirs };
}

export const listOf = (x) => (Array.isArray(x) ? x : [x]);
export const nameOf = ([factory, args]) =>
  `layers.${factory}(${typeof args === 'function' ? args : JSON.stringify(args)})`;

export function assertClose(ours, theirs, where) {
  assert.deepEqual(ours.shape, theirs.shape, where);
  const [a, b] = [ours.dataSync(), theirs.dataSync()];
  for (let i = 0; i < a.length; i++)
    assert.ok(Math.abs(a[i] - b[i]) <= 1e-4 * Math.max(1, Math.abs(b[i])), `${where} at ${i}: ${a[i]}, not ${b[i]}`);
}
