import { test } from 'node:test';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { held } from '../common.mjs';
import { assert, assertClose, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

console.warn = () => {};
await tf.ready();
const peer = await loadPeer();

const { layers } = tf;
const unnumbered = (config) => JSON.parse(JSON.stringify(config).replace(/([A-Za-z])\d+(?=["/_])/g, '$1'));

/** Saves a model into a variable, and loads it from there. */
const inMemory = (lib, use) =>
  lib.io.withSaveHandler(async (artifacts) => (use(artifacts), { modelArtifactsInfo: {} }));

/** Returns a model with two inputs, two outputs, a layer called twice, and a nested model. */
function branched(lib) {
  const l = lib.layers;
  const a = lib.input({ shape: [4], name: 'a' });
  const b = lib.input({ shape: [4], name: 'b' });
  const shared = l.dense({ units: 3, activation: 'relu', name: 'shared' });
  const inner = lib.sequential({
    name: 'inner',
    layers: [l.dense({ units: 2, inputShape: [3], name: 'first' }), l.batchNormalization({ name: 'norm' })],
  });
  const left = shared.apply(a);
  const right = shared.apply(b);
  const joined = l.concatenate({ name: 'joined' }).apply([left, inner.apply(right)]);
  const main = l.dense({ units: 2, activation: 'softmax', name: 'main' }).apply(joined);
  const aux = l.activation({ activation: 'tanh', name: 'aux' }).apply(left);
  return lib.model({ inputs: [a, b], outputs: [main, aux], name: 'branched' });
}

const data = Array.from({ length: 8 }, (_, i) => Math.sin(i));
const linesOf = (model) => {
  const lines = [];
  model.summary(undefined, undefined, (line) => lines.push(line));
  return lines;
};

test('a model with branches, a shared layer and a nested model matches TensorFlow.js', () => {
  leavesNothing(() => {
    const [ours, theirs] = [branched(tf), branched(peer)];
    assert.deepEqual(JSON.parse(ours.toJSON()), JSON.parse(theirs.toJSON()));
    assert.deepEqual(
      ours.weights.map((w) => [w.originalName, w.shape]),
      theirs.weights.map((w) => [w.originalName, w.shape]),
    );
    assert.deepEqual(linesOf(ours), linesOf(theirs));
    assert.deepEqual(
      ours.layers.map(({ name }) => name),
      theirs.layers.map(({ name }) => name),
    );
    assert.deepEqual([ours.inputNames, ours.outputNames], [theirs.inputNames, theirs.outputNames]);
    const values = theirs.getWeights().map((w) => tf.tensor(w.dataSync(), w.shape));
    ours.setWeights(values);
    const feed = (lib) => [lib.tensor(data, [2, 4]), lib.tensor(data.toReversed(), [2, 4])];
    const [x, y] = [feed(tf), feed(peer)];
    const [got, want] = [ours.predict(x), theirs.predict(y)];
    got.forEach((tensor, i) => assertClose([...tensor.dataSync()], [...want[i].dataSync()]));
    const named = ours.predict({ b: x[1], a: x[0] });
    assertClose([...named[0].dataSync()], [...want[0].dataSync()]);
    tf.dispose([values, x, got, named]);
    assert.equal(ours.dispose().numDisposedVariables, 10);
    theirs.dispose();
    peer.disposeVariables();
  });
});

test('models move between Tenure and TensorFlow.js in both directions', async () => {
  await leavesNothingAsync(async () => {
    for (const [from, to] of [
      [tf, peer],
      [peer, tf],
      [tf, tf],
    ]) {
      const model = branched(from);
      let artifacts;
      await model.save(inMemory(from, (saved) => (artifacts = saved)));
      const copy = await to.loadLayersModel({
        load: async () => ({ ...artifacts, modelTopology: JSON.parse(JSON.stringify(artifacts.modelTopology)) }),
      });
      const feed = (lib) => [lib.tensor(data, [2, 4]), lib.tensor(data.toReversed(), [2, 4])];
      const [x, y] = [feed(from), feed(to)];
      const [want, got] = [model.predict(x), copy.predict(y)];
      got.forEach((tensor, i) => assertClose([...tensor.dataSync()], [...want[i].dataSync()]));
      from.dispose([x, want]);
      to.dispose([y, got]);
      model.dispose();
      copy.dispose();
    }
    peer.disposeVariables();
  });
});

test('a model is created from its JSON, with new weights', async () => {
  await leavesNothingAsync(async () => {
    const model = branched(tf);
    const copy = await tf.models.modelFromJSON(JSON.parse(model.toJSON()));
    assert.deepEqual(unnumbered(JSON.parse(copy.toJSON())), unnumbered(JSON.parse(model.toJSON())));
    const theirs = await peer.models.modelFromJSON(JSON.parse(model.toJSON()));
    assert.deepEqual(
      copy.weights.map((w) => w.originalName),
      theirs.weights.map((w) => w.originalName),
    );
    theirs.dispose();
    peer.disposeVariables();
    tf.dispose([model, copy]);
  });
});

test('layers of a loaded model can be reused in another', async () => {
  await leavesNothingAsync(async () => {
    const base = tf.sequential({
      layers: [layers.dense({ units: 4, inputShape: [3], name: 'one' }), layers.dense({ units: 2, name: 'two' })],
    });
    let artifacts;
    await base.save(inMemory(tf, (saved) => (artifacts = saved)));
    const loaded = await tf.loadLayersModel({ load: async () => artifacts });
    const features = tf.model({ inputs: loaded.inputs, outputs: loaded.getLayer('one').output });
    const head = tf.sequential({ layers: [layers.dense({ units: 5, inputShape: [4] })] });
    const whole = tf.model({ inputs: loaded.inputs, outputs: head.apply(loaded.getLayer('one').output) });
    for (const layer of features.layers) layer.trainable = false;
    assert.equal(whole.trainableWeights.length, 2);
    const x = tf.ones([1, 3]);
    const [a, b] = tf.tidy(() => [[...features.predict(x).dataSync()], [...base.getLayer('one').apply(x).dataSync()]]);
    assertClose(a, b);
    tf.dispose(whole.predict(x));
    // Each layer is disposed with the last model that contains it.
    loaded.dispose();
    tf.dispose([features.predict(x), whole.predict(x)]);
    features.dispose();
    tf.dispose(whole.predict(x));
    tf.dispose([whole, base, x]);
  });
});

test('weights are variables: setting, assigning and training them changes the next prediction', () => {
  leavesNothing(() => {
    const model = tf.sequential({ layers: [layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' })] });
    const x = tf.tensor2d([[1, 2]]);
    const predict = () => tf.tidy(() => model.predict(x).dataSync()[0]);
    assert.equal(predict(), 3);
    tf.tidy(() => model.setWeights([tf.tensor2d([[2], [3]]), tf.tensor1d([1])]));
    assert.equal(predict(), 9);
    tf.tidy(() => model.weights[0].val.assign(tf.tensor2d([[0], [1]])));
    assert.equal(predict(), 3);
    const { value, grads } = tf.tidy(() => tf.variableGrads(() => model.predict(x).sum()));
    assert.deepEqual(
      Object.keys(grads),
      model.weights.map(({ name }) => name),
    );
    assert.deepEqual([...grads[model.weights[0].name].dataSync()], [1, 2]);
    const applied = tf.tidy(() => tf.variableGrads(() => model.apply(x, { training: true }).square().sum()));
    assert.deepEqual([...applied.grads[model.weights[1].name].dataSync()], [6]);
    assert.equal(predict(), 3);
    assert.throws(() => model.setWeights([x]), /weight list of length 1, but the layer was expecting 2 weights/);
    assert.throws(
      () => model.setWeights([x, x]),
      /Layer weight shape 2,1 not compatible with provided weight shape 1,2/,
    );
    assert.equal(predict(), 3);
    tf.dispose([value, grads, applied, x, model]);
  });
});

test('add and pop', () => {
  leavesNothing(() => {
    const model = tf.sequential();
    assert.throws(() => model.predict(tf.zeros), /Sequential model cannot be built: model is empty/);
    assert.throws(
      () => model.add(layers.dense({ units: 2 })),
      /must get an `inputShape` or `batchInputShape` argument/,
    );
    model.add(layers.dense({ units: 3, inputShape: [2] }));
    model.add(layers.dense({ units: 4 }));
    const x = tf.ones([1, 2]);
    const shapeOf = () => tf.tidy(() => model.predict(x).shape);
    assert.deepEqual(shapeOf(), [1, 4]);
    const popped = model.layers[1];
    model.pop();
    assert.deepEqual(shapeOf(), [1, 3]);
    assert.throws(() => model.add(layers.conv2d({ filters: 1, kernelSize: 1 })), /expected ndim=4, found ndim=2/);
    assert.deepEqual(shapeOf(), [1, 3]);
    model.add(layers.reshape({ targetShape: [3, 1] }));
    assert.deepEqual(shapeOf(), [1, 3, 1]);
    tf.dispose([popped, x, model]);
    assert.throws(() => model.predict(x), /already disposed/);
  });
});

test('invalid models are refused with TensorFlow.js’s messages, and leak nothing', () => {
  leavesNothing(() => {
    const x = tf.input({ shape: [2] });
    const other = tf.input({ shape: [2] });
    const dense = layers.dense({ units: 1 });
    const y = dense.apply(x);
    assert.throws(() => tf.model({ inputs: other, outputs: y }), /Graph disconnected: cannot obtain value for tensor/);
    assert.throws(
      () => tf.model({ inputs: y, outputs: y }),
      /Input layers to a LayersModel must be InputLayer objects/,
    );
    const one = tf.scalar(1);
    assert.throws(() => dense.apply([x, one]), /must be all SymbolicTensors or all Tensors/);
    one.dispose();
    assert.throws(() => layers.dense({}), /units/);
    assert.throws(() => layers.dense({ units: -1 }), /units/);
    assert.throws(() => layers.dense({ units: 1, activation: 'nothing' }), /nothing/);
    assert.throws(() => layers.dense({ units: 1, kernelInitializer: 'nothing' }), /Unknown initializer: nothing/);
    assert.throws(() => layers.conv2d({ filters: 1, kernelSize: 2, padding: 'odd' }), /padding/);
    assert.throws(
      () =>
        tf.sequential({
          layers: [layers.dense({ units: 2, inputShape: [2] }), layers.conv1d({ filters: 1, kernelSize: 2 })],
        }),
      /expected ndim=3, found ndim=2/,
    );
    const wide = layers.conv2d({ filters: 2, kernelSize: 5, inputShape: [3, 3, 1] });
    assert.throws(
      () => tf.sequential({ layers: [wide] }),
      /Negative dimension size caused by adding layer conv2d_Conv2D\d+ with input shape \[,3,3,1\]/,
    );
    wide.dispose();
    const same = [layers.dense({ units: 1, name: 'same' }), layers.dense({ units: 1, name: 'same' })];
    const twice = same[1].apply(same[0].apply(x));
    assert.throws(() => tf.model({ inputs: x, outputs: twice }), /The name "same" is used 2 times in the model/);
    for (const layer of [dense, ...same]) layer.dispose();
    tf.disposeVariables();
  });
});

test('initializers return the values that their names state', () => {
  tf.tidy(() => {
    const stats = (x) =>
      tf.tidy(() => [
        x.mean().dataSync()[0],
        Math.sqrt(x.sub(x.mean()).square().mean().dataSync()[0]),
        x.min().dataSync()[0],
        x.max().dataSync()[0],
      ]);
    const shape = [200, 100];
    const made = (name, args = {}) => tf.initializers[name](args).apply(shape, 'float32');
    for (const [name, limit] of [
      ['glorotUniform', Math.sqrt(6 / 300)],
      ['heUniform', Math.sqrt(6 / 200)],
      ['leCunUniform', Math.sqrt(3 / 200)],
    ]) {
      const [mean, , low, high] = stats(made(name, { seed: 3 }));
      assert.ok(Math.abs(mean) < 0.01 && low >= -limit && high <= limit && high > 0.97 * limit, name);
    }
    for (const [name, deviation] of [
      ['glorotNormal', Math.sqrt(1 / 150)],
      ['heNormal', Math.sqrt(2 / 200)],
      ['leCunNormal', Math.sqrt(1 / 200)],
    ]) {
      const [mean, found, low, high] = stats(made(name, { seed: 4 }));
      assert.ok(
        Math.abs(mean) < 0.01 &&
          Math.abs(found / deviation - 0.88) < 0.03 &&
          low >= -2.0001 * deviation &&
          high <= 2.0001 * deviation,
        name,
      );
    }
    assert.deepEqual(made('glorotNormal', { seed: 5 }).dataSync(), made('glorotNormal', { seed: 5 }).dataSync());
    const orthogonal = made('orthogonal', { seed: 6, gain: 2 });
    assertClose([...tf.matMul(orthogonal, orthogonal, true).dataSync()], [...tf.eye(100).mul(4).dataSync()], 1e-4);
    const wide = tf.initializers.orthogonal({ seed: 6 }).apply([3, 8]);
    assertClose([...tf.matMul(wide, wide, false, true).dataSync()], [...tf.eye(3).dataSync()], 1e-5);
    assert.deepEqual([...tf.initializers.identity({ gain: 3 }).apply([2, 2]).dataSync()], [3, 0, 0, 3]);
    assert.throws(() => tf.initializers.identity({}).apply([2, 3]), /2D square matrices/);
    assert.deepEqual([...tf.initializers.constant({ value: 5 }).apply([2]).dataSync()], [5, 5]);
  });
});

test('regularizers and constraints match TensorFlow.js', () => {
  const values = [1, -2, 3, -4, 0.5, 0.25];
  const of = (lib, f) => lib.tidy(() => [...f(lib, lib.tensor2d(values, [3, 2])).dataSync()]);
  for (const f of [
    (lib, w) => lib.regularizers.l1({ l1: 0.1 }).apply(w),
    (lib, w) => lib.regularizers.l2({ l2: 0.1 }).apply(w),
    (lib, w) => lib.regularizers.l1l2().apply(w),
    (lib, w) => lib.constraints.maxNorm({ maxValue: 1, axis: 1 }).apply(w),
    (lib, w) => lib.constraints.unitNorm({ axis: 0 }).apply(w),
    (lib, w) => lib.constraints.nonNeg().apply(w),
    (lib, w) => lib.constraints.minMaxNorm({ minValue: 2, maxValue: 3, rate: 0.5 }).apply(w),
  ]) {
    assertClose(of(tf, f), of(peer, f), 1e-5);
  }
});

test('names count up as in TensorFlow.js, and getUid starts at 1', () => {
  leavesNothing(() => {
    const first = layers.dense({ units: 1 });
    const second = layers.dense({ units: 1 });
    const number = (layer) => Number(/^dense_Dense(\d+)$/.exec(layer.name)[1]);
    assert.equal(number(second), number(first) + 1);
    assert.equal(layers.flatten({ name: 'mine' }).name, 'mine');
    assert.match(tf.sequential().name, /^sequential_\d+$/);
  });
});

test('the heap is flat over 3,000 models that are built and disposed', () => {
  const turn = () => {
    const model = tf.sequential({
      layers: [layers.dense({ units: 2, inputShape: [2] }), layers.batchNormalization(), layers.flatten()],
    });
    model.dispose();
    layers.dense({ units: 5 });
  };
  for (let i = 0; i < 100; i++) turn();
  const before = { ...held(tf), committed: tf.memory().detail.heapCommitted };
  for (let i = 0; i < 3000; i++) turn();
  assert.deepEqual({ ...held(tf), committed: tf.memory().detail.heapCommitted }, before);
});

test('a random width is within its bounds, and depends on its seed', () => {
  leavesNothing(() => {
    const widths = (seed) => {
      const model = tf.sequential({ layers: [layers.randomWidth({ factor: [0.5, 1], seed, inputShape: [4, 10, 1] })] });
      const x = tf.ones([2, 4, 10, 1]);
      const found = Array.from({ length: 5 }, () => tf.tidy(() => model.predict(x).shape[2]));
      tf.dispose([x, model]);
      return found;
    };
    assert.ok(widths(3).every((width) => width >= 15 && width <= 20));
    assert.deepEqual(widths(3), widths(3));
    assert.throws(() => layers.randomWidth({ factor: -2 }), /Invalid factor/);
  });
});

test('fields and weights are properties of a layer, as in TensorFlow.js', () => {
  const shown = {
    dense: [layers.dense({ units: 3 }), [2, 4], { units: 3, useBias: true, 'kernel.shape': [4, 3], 'bias.shape': [3] }],
    conv: [
      layers.conv2d({ filters: 2, kernelSize: 3 }),
      [1, 4, 4, 1],
      { filters: 2, kernelSize: [3, 3], strides: [1, 1], padding: 'valid', 'kernel.shape': [3, 3, 1, 2] },
    ],
    separable: [
      layers.separableConv2d({ filters: 2, kernelSize: 3 }),
      [1, 4, 4, 1],
      { 'depthwiseKernel.shape': [3, 3, 1, 1], 'pointwiseKernel.shape': [1, 1, 1, 2] },
    ],
    norm: [
      layers.batchNormalization(),
      [2, 4],
      { axis: -1, momentum: 0.99, 'movingMean.shape': [4], 'gamma.trainable': true },
    ],
    embedding: [layers.embedding({ inputDim: 5, outputDim: 2 }), [2, 3], { inputDim: 5, 'embeddings.shape': [5, 2] }],
    dropout: [layers.dropout({ rate: 0.25 }), [2, 3], { rate: 0.25 }],
    pool: [
      layers.maxPooling2d({ poolSize: 2 }),
      [1, 4, 4, 1],
      { poolSize: [2, 2], strides: [2, 2], dataFormat: 'channelsLast' },
    ],
  };
  for (const [layer, shape, fields] of Object.values(shown)) {
    tf.tidy(() => void layer.apply(tf.ones(shape)));
    for (const [path, value] of Object.entries(fields)) {
      assert.deepEqual(
        path.split('.').reduce((object, key) => object[key], layer),
        value,
        path,
      );
    }
    layer.dispose();
  }
  assert.equal(shown.dense[0].kernel.val.isDisposed, true);
  assert.ok(shown.dense[0].kernelInitializer instanceof tf.initializers.Initializer);
});

test('a call hook sees the inputs of a model’s layers until it is cleared', () => {
  leavesNothing(() => {
    const [first, second] = [layers.dense({ units: 3, inputShape: [2] }), layers.dense({ units: 1 })];
    const inner = tf.sequential({ layers: [layers.reLU({ inputShape: [3] }), second] });
    const model = tf.sequential({ layers: [first, inner] });
    const x = tf.ones([4, 2]);
    const plain = model.predict(x);
    const seen = [];
    first.setCallHook(([input]) => seen.push(['first', input.shape]));
    second.setCallHook(([input]) => seen.push(['second', input.shape]));
    const hooked = model.predict(x);
    assert.deepEqual(hooked.dataSync(), plain.dataSync());
    assert.deepEqual(seen, [
      ['first', [4, 2]],
      ['second', [4, 3]],
    ]);
    first.clearCallHook();
    second.clearCallHook();
    tf.dispose([plain, hooked, model.predict(x), x, model, inner]);
    assert.equal(seen.length, 2);
  });
});

test('an activation has its name, and can be called', () => {
  leavesNothing(() => {
    const layer = layers.dense({ units: 1, activation: 'relu6' });
    assert.equal(layer.activation.getClassName(), 'relu6');
    const x = tf.tensor1d([-1, 3, 9]);
    const y = layer.activation.apply(x);
    assert.deepEqual([...y.dataSync()], [0, 3, 6]);
    assert.equal(layers.dense({ units: 1, activation: layer.activation }).getConfig().activation, 'relu6');
    tf.dispose([x, y]);
  });
});

test('a layer that has not been built computes masks', () => {
  tf.tidy(() => {
    assert.deepEqual(
      [
        ...layers
          .embedding({ inputDim: 3, outputDim: 1, maskZero: true })
          .computeMask(tf.tensor2d([[0, 2]], undefined, 'int32'))
          .dataSync(),
      ],
      [0, 1],
    );
    const mask = tf.ones([1, 2], 'bool');
    assert.equal(layers.lstm({ units: 2, returnSequences: true }).computeMask(tf.zeros([1, 2, 2]), mask), mask);
    assert.deepEqual(layers.gru({ units: 2, returnState: true }).computeMask(tf.zeros([1, 2, 2]), mask), [null, null]);
  });
});
