import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { counts, inUse } from '../common.mjs';
import { assert, iris, leavesNothingAsync, says, tf } from '../expect.mjs';

const json = () => JSON.parse(readFileSync(iris, 'utf8'));
const bytes = () => new Uint8Array(readFileSync(path.join(path.dirname(iris), 'weights.bin'))).buffer;

/** Returns the parts of the iris model, modified by `change`. */
function artifacts(change = () => {}) {
  const { modelTopology, weightsManifest } = json();
  const parts = { modelTopology, weightSpecs: weightsManifest[0].weights, weightData: bytes() };
  change(parts);
  return parts;
}

const memory = () => ({ ...counts(tf), inUse: inUse(tf) });

test('a model counts its weights until it is disposed', async () => {
  const before = memory();
  const model = await tf.loadLayersModel(iris);
  assert.equal(tf.memory().numTensors, before.numTensors + 4);
  assert.equal(tf.memory().numBytes, before.numBytes + 83 * 4);
  const x = tf.ones([150, 4]);
  tf.dispose([model.predict(x), x]);
  assert.deepEqual(model.dispose(), { refCountAfterDispose: 0, numDisposedVariables: 4 });
  assert.deepEqual(memory(), before);
  assert.throws(() => model.predict(x), /'sequential_1' is already disposed/);
});

test('a model describes itself', async () => {
  const model = await tf.loadLayersModel(iris);
  assert.equal(model.name, 'sequential_1');
  assert.deepEqual(model.inputs[0].shape, [null, 4]);
  assert.deepEqual(model.outputs[0].shape, [null, 3]);
  assert.deepEqual(
    model.layers.map((layer) => [layer.name, layer.getClassName(), layer.countParams()]),
    [
      ['dense_Dense1', 'Dense', 50],
      ['dense_Dense2', 'Dense', 33],
    ],
  );
  assert.deepEqual(
    model.weights.map(({ originalName, shape }) => [originalName, shape]),
    [
      ['dense_Dense1/kernel', [4, 10]],
      ['dense_Dense1/bias', [10]],
      ['dense_Dense2/kernel', [10, 3]],
      ['dense_Dense2/bias', [3]],
    ],
  );
  assert.equal(model.getLayer('dense_Dense2'), model.layers[1]);
  assert.equal(model.getLayer(undefined, 0), model.layers[0]);
  assert.throws(() => model.getLayer('nobody'), /No such layer: nobody/);
  const lines = [];
  model.summary(undefined, undefined, (line) => lines.push(line));
  assert.ok(lines.includes('Total params: 83'), lines.join('\n'));
  model.dispose();
});

test('the class of a graph model has its name', async () => {
  const graph = { modelTopology: { node: [{ name: 'x', op: 'Placeholder' }], versions: {} } };
  for (const artifacts of [graph, { format: 'graph-model', modelTopology: {} }]) {
    const source = { load: () => Promise.resolve(artifacts) };
    await assert.rejects(tf.loadLayersModel(source), /has a graph model, which loadLayersModel\(\) does not read/);
  }
});

test('predict in the loops of a memory tutorial leaks as in TensorFlow.js', async () => {
  await leavesNothingAsync(async () => {
    const model = await tf.loadLayersModel(iris);
    const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
    const leaked = [];
    const leak = (y) => (leaked.push(y), y);
    const growth = (turn) => {
      turn();
      const before = tf.memory().numTensors;
      for (let i = 0; i < 10; i++) turn();
      return (tf.memory().numTensors - before) / 10;
    };
    assert.equal(
      growth(() => leak(model.predict(x))),
      1,
    );
    assert.equal(
      growth(() => tf.dispose(model.predict(x))),
      0,
    );
    assert.equal(
      growth(() => tf.tidy(() => model.predict(x).dataSync()[0])),
      0,
    );
    assert.equal(
      growth(() => leak(leak(model.predict(x)).argMax()).dataSync()[0]),
      2,
    );
    assert.equal(
      growth(() => tf.tidy(() => model.predict(x).argMax().dataSync()[0])),
      0,
    );
    tf.dispose([leaked, x, model]);
  });
});

test('tf.dispose finds nested models, and may be repeated', async () => {
  const before = memory();
  const model = await tf.loadLayersModel(iris);
  const holder = { nested: new Map([['model', model]]), x: tf.scalar(1) };
  tf.dispose(holder);
  assert.deepEqual(memory(), before);
  assert.throws(() => model.getWeights()[0].dataSync(), { name: 'DisposedError' });
  tf.dispose(holder);
});

test('memory is flat over 100,000 predictions under tidy', async () => {
  const model = await tf.loadLayersModel(iris);
  const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
  const turn = () => tf.tidy(() => model.predict(x).dataSync()[0]);
  for (let i = 0; i < 100; i++) turn();
  const before = tf.memory();
  for (let i = 0; i < 100_000; i++) turn();
  assert.deepEqual(tf.memory(), before);
  tf.dispose([x, model]);
});

test('inputs may be a tensor, an array, or an object by name', async () => {
  await leavesNothingAsync(async () => {
    const model = await tf.loadLayersModel(iris);
    const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
    const predict = (...args) => tf.tidy(() => [...model.predict(...args).dataSync()]);
    const expected = predict(x);
    assert.ok(Math.abs(expected.reduce((a, b) => a + b) - 1) < 1e-6);
    assert.deepEqual(predict([x]), expected);
    assert.deepEqual(predict({ [model.inputs[0].name]: x }), expected);
    assert.deepEqual(predict(x, { batchSize: 1 }), expected);
    assert.throws(
      () => model.predict(x, { batchSize: 0 }),
      /batchSize is required to be a positive integer, but got 0/,
    );
    assert.throws(
      () => model.predict({ other: x }),
      /The model 'sequential_1' expects a Tensor for its input dense_Dense1_input.*, but got 'null'/,
    );
    assert.throws(() => model.predict([5, 6]), /expects a Tensor for its input dense_Dense1_input.*, but got 'Number'/);
    tf.dispose(x);
    assert.throws(() => model.predict(x), says('DisposedError', /\[predict\] Tensor is disposed: #\d+ float32\[1,4\]/));
    model.dispose();
  });
});

test('an input of the wrong shape is refused with TensorFlow.js’s message, and leaks nothing', async () => {
  const model = await tf.loadLayersModel(iris);
  const wrong = tf.ones([1, 5]);
  const before = memory();
  assert.throws(
    () => model.predict(wrong),
    /expected dense_Dense1_input to have shape \[null,4\] but got array with shape \[1,5\]/,
  );
  assert.throws(() => model.predict([wrong, wrong]), /Expected to see 1 Tensor/);
  assert.deepEqual(memory(), before);
  tf.dispose([wrong, model]);
});

const broken = {
  'truncated weights': [(a) => (a.weightData = a.weightData.slice(0, 100)), /dense_Dense1\/kernel/],
  'no weights': [(a) => (a.weightData = undefined), /dense_Dense1\/kernel/],
  'a wrong shape': [(a) => (a.weightSpecs[0].shape = [10, 4]), /dense_Dense1\/kernel.*\[4,10\]/],
  'a huge shape': [(a) => (a.weightSpecs[0].shape = [2 ** 30, 2 ** 30]), /dense_Dense1\/kernel/],
  'a negative shape': [(a) => (a.weightSpecs[0].shape = [-4, 10]), /dense_Dense1\/kernel/],
  'an unknown dtype': [(a) => (a.weightSpecs[1].dtype = 'float8'), /dense_Dense1\/bias.*float8/],
  'an unknown layer': [(a) => (a.modelTopology.config.layers[0].class_name = 'Magic'), /Unknown layer: Magic/],
  'a missing weight': [(a) => a.weightSpecs.pop(), /dense_Dense2\/bias/],
  'no layers': [(a) => (a.modelTopology.config.layers = 7), /layers/],
  'no topology': [(a) => (a.modelTopology = undefined), /model/i],
  'a number for a model': [(a) => (a.modelTopology = 3), /model/i],
};
for (const [name, [change, message]] of Object.entries(broken)) {
  test(`${name}: an error that names it, and no leaks`, async () => {
    const before = memory();
    await assert.rejects(tf.loadLayersModel({ load: async () => artifacts(change) }), message);
    assert.deepEqual(memory(), before);
  });
}

test('files that are no model are recognized', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-'));
  const file = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const before = memory();
  await assert.rejects(tf.loadLayersModel(path.join(folder, 'missing.json')), /missing\.json/);
  await assert.rejects(tf.loadLayersModel(file('html.json', '<html>')), /html\.json/);
  await assert.rejects(tf.loadLayersModel(file('empty.json', '{}')), /empty\.json/);
  await assert.rejects(tf.loadLayersModel(file('lonely.json', readFileSync(iris))), /weights\.bin/);
  assert.deepEqual(memory(), before);
  rmSync(folder, { recursive: true });
});

test('weights may be given in several buffers', async () => {
  const model = await tf.loadLayersModel({
    load: async () => artifacts((a) => (a.weightData = [a.weightData.slice(0, 77), a.weightData.slice(77)])),
  });
  const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
  assert.equal(
    tf.tidy(() => model.predict(x).argMax(-1).dataSync()[0]),
    0,
  );
  tf.dispose([x, model]);
});
