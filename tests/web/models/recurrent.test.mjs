// Recurrent layers: states carried from call to call, initial states, and cells written in JavaScript.
import { test } from 'node:test';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { assert, assertClose, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';
import { feedsOf } from './one_layer.mjs';

console.warn = () => {};
await tf.ready();
const peer = await loadPeer({ withMethods: true });
const { layers } = tf;

const data = Array.from({ length: 64 }, (_, i) => Math.sin(i + 1));
const take = (lib, shape) =>
  lib.tensor(
    data.slice(
      0,
      shape.reduce((a, b) => a * b, 1),
    ),
    shape,
  );
const valuesOf = (tensor) => {
  const values = [...tensor.dataSync()];
  tensor.dispose();
  return values;
};

/** Returns the model of each library, with the same weights. */
function both(build) {
  const [ours, theirs] = [build(tf), build(peer)];
  const values = theirs.getWeights().map((w) => tf.tensor(w.dataSync(), w.shape));
  ours.setWeights(values);
  tf.dispose(values);
  return [ours, theirs];
}

/** Returns the equivalent of a library's cell in JavaScript: h' = h / 2 + x W. */
function cellOf(lib) {
  class Fading extends lib.layers.RNNCell {
    static className = 'Fading';
    constructor(config) {
      super(config);
      this.units = config.units;
      this.stateSize = config.units;
    }
    build(inputShape) {
      this.kernel = this.addWeight('kernel', [inputShape.at(-1), this.units], 'float32', lib.initializers.ones());
      this.built = true;
    }
    call([x, h]) {
      const next = lib.add(lib.mul(h, 0.5), lib.matMul(x, this.kernel.read()));
      return [lib.neg(next), next];
    }
    getConfig() {
      return { ...super.getConfig(), units: this.units };
    }
  }
  lib.serialization.registerClass(Fading);
  return (units) => new Fading({ units });
}
const fading = new Map([
  [tf, cellOf(tf)],
  [peer, cellOf(peer)],
]);

const stateful = {
  'an LSTM': ({ layers: l }) => l.lstm({ units: 2, stateful: true, batchInputShape: [2, 2, 3] }),
  'a GRU of all steps': ({ layers: l }) =>
    l.gru({ units: 2, stateful: true, returnSequences: true, batchInputShape: [2, 2, 3] }),
  'stacked cells': ({ layers: l }) =>
    l.rnn({
      cell: [l.lstmCell({ units: 3 }), l.simpleRNNCell({ units: 2 })],
      stateful: true,
      batchInputShape: [2, 2, 3],
    }),
  'a cell in JavaScript': (lib) =>
    lib.layers.rnn({ cell: fading.get(lib)(2), stateful: true, batchInputShape: [2, 2, 3] }),
};

for (const [name, layer] of Object.entries(stateful)) {
  test(`${name} continues from its last state until it is reset`, () => {
    leavesNothing(() => {
      const [ours, theirs] = both((lib) => lib.sequential({ layers: [layer(lib)] }));
      const run = (lib, model) => {
        const x = take(lib, [2, 2, 3]);
        const results = [];
        for (let i = 0; i < 5; i++) {
          results.push(valuesOf(model.predict(x)));
          if (i === 2) model.resetStates();
        }
        lib.dispose(x);
        return results;
      };
      const got = run(tf, ours);
      assertClose(got.flat(), run(peer, theirs).flat());
      assert.notDeepEqual(got[0], got[1]);
      assert.deepEqual(got[0], got[3]);
      ours.dispose();
      theirs.dispose();
      peer.disposeVariables();
    });
  });
}

test('the recurrent layers of tf.layers are RNNs, whose options can be read', () => {
  for (const kind of ['simpleRNN', 'gru', 'lstm']) {
    const layer = layers[kind]({ units: 2, returnSequences: true });
    assert.ok(layer instanceof tf.RNN, kind);
    const { returnSequences, returnState, goBackwards, unroll } = layer;
    assert.deepEqual(
      { returnSequences, returnState, goBackwards, unroll },
      { returnSequences: true, returnState: false, goBackwards: false, unroll: false },
    );
    assert.deepEqual(layer.cell.stateSize, kind === 'lstm' ? [2, 2] : 2);
  }
});

test('stateful training carries states from batch to batch', async () => {
  await leavesNothingAsync(async () => {
    const [ours, theirs] = both((lib) => {
      const l = lib.layers;
      return lib.sequential({
        layers: [l.lstm({ units: 3, stateful: true, batchInputShape: [2, 2, 3] }), l.dense({ units: 1 })],
      });
    });
    const train = async (lib, model) => {
      const optimizer = lib.train.sgd(0.1);
      model.compile({ optimizer, loss: 'meanSquaredError' });
      const [x, y] = [take(lib, [8, 2, 3]), take(lib, [8, 1])];
      const { history } = await model.fit(x, y, { batchSize: 2, epochs: 2, shuffle: false });
      const after = model.predict(x, { batchSize: 2 });
      await assert.rejects(model.fit(x, y, { batchSize: 3 }), /divisible by the batch size 3. Found: 8 sample\(s\)/);
      lib.dispose([x, y]);
      optimizer.dispose();
      return [...history.loss, ...valuesOf(after)];
    };
    assertClose(await train(tf, ours), await train(peer, theirs), 1e-4);
    ours.dispose();
    theirs.dispose();
    peer.disposeVariables();
  });
});

test('a stateful layer accepts states of its own shapes', () => {
  leavesNothing(() => {
    for (const cell of [layers.gruCell({ units: 2 }), fading.get(tf)(2)]) {
      const layer = layers.rnn({ cell, stateful: true, batchInputShape: [1, 2, 3] });
      const model = tf.sequential({ layers: [layer] });
      const x = take(tf, [1, 2, 3]);
      const begin = take(tf, [1, 2]);
      const first = valuesOf(model.predict(x));
      layer.resetStates(begin);
      const second = valuesOf(model.predict(x));
      assert.notDeepEqual(first, second);
      layer.resetStates([begin]);
      assert.throws(
        () => layer.resetStates([begin, begin]),
        /expects 1 state\(s\), but it received 2 state value\(s\)/,
      );
      assert.throws(() => layer.resetStates(x), /State 0 is incompatible with layer \w+: expected shape=/);
      assert.deepEqual(valuesOf(model.predict(x)), second);
      model.resetStates();
      assert.deepEqual(valuesOf(model.predict(x)), first);
      tf.dispose([x, begin, model]);
    }
    const plain = layers.lstm({ units: 1, inputShape: [2, 1] });
    assert.throws(() => plain.resetStates(), /Cannot call resetStates\(\) on an RNN Layer that is not stateful/);
    for (const cell of [layers.gruCell({ units: 2 }), fading.get(tf)(2)]) {
      const layer = layers.rnn({ cell, stateful: true, inputShape: [2, 1] });
      assert.throws(() => tf.sequential({ layers: [layer] }), /If an RNN is stateful, it needs to know its batch size/);
    }
  });
});

test('initial states are passed as initialState', () => {
  leavesNothing(() => {
    const [ours, theirs] = both((lib) => {
      const x = lib.input({ shape: [3, 2] });
      const h = lib.input({ shape: [4] });
      return lib.model({ inputs: [x, h], outputs: lib.layers.gru({ units: 4 }).apply(x, { initialState: [h] }) });
    });
    const feeds = (lib) =>
      feedsOf(lib, [
        [1, 3, 2],
        [1, 4],
      ]);
    const [x, y] = [feeds(tf), feeds(peer)];
    assertClose(valuesOf(ours.predict(x)), valuesOf(theirs.predict(y)));
    tf.dispose([x, ours]);
    theirs.dispose();
    peer.dispose(y);
    peer.disposeVariables();
  });
});

test('cells are layers of one step', () => {
  leavesNothing(() => {
    const cellsOf = ({ layers: l }) => {
      const ones = { units: 2, kernelInitializer: 'ones', recurrentInitializer: 'ones' };
      const cells = [l.simpleRNNCell(ones), l.gruCell(ones), l.lstmCell(ones)];
      return [...cells, l.stackedRNNCells({ cells: [l.lstmCell(ones), l.gruCell(ones)] })];
    };
    const feed = (lib, { stateSize }) => [take(lib, [3, 4]), ...[stateSize].flat().map((size) => take(lib, [3, size]))];
    const [ours, theirs] = [cellsOf(tf), cellsOf(peer)];
    for (const [i, cell] of ours.entries()) {
      assert.deepEqual(cell.stateSize, theirs[i].stateSize);
      const [x, y] = [feed(tf, cell), feed(peer, cell)];
      // TensorFlow.js's build() takes no list of shapes.
      theirs[i].build([3, 4]);
      const [got, want] = [cell.apply(x), theirs[i].call(y, {})];
      assertClose(
        got.flatMap((tensor) => [...tensor.dataSync()]),
        want.flatMap((tensor) => [...tensor.dataSync()]),
      );
      assert.throws(() => cell.apply(x.slice(0, 1)), /input Tensors, the input and its states, got 1/);
      tf.dispose([x, got]);
      cell.dispose();
      peer.dispose([y, want]);
    }
    peer.disposeVariables();
  });
});

const builds = {
  'a cell in JavaScript': (lib) => ({ cell: fading.get(lib)(3), returnSequences: true, returnState: true }),
  'a cell in JavaScript in a stack': (lib) => ({
    cell: [lib.layers.lstmCell({ units: 2 }), fading.get(lib)(3), lib.layers.gruCell({ units: 2 })],
    returnState: true,
  }),
};
for (const [name, config] of Object.entries(builds)) {
  test(`${name} is run, trained, saved and loaded`, async () => {
    await leavesNothingAsync(async () => {
      const [ours, theirs] = both((lib) => {
        const x = lib.input({ shape: [3, 2] });
        return lib.model({ inputs: x, outputs: lib.layers.rnn(config(lib)).apply(x)[0] });
      });
      const [x, y] = [take(tf, [2, 3, 2]), take(peer, [2, 3, 2])];
      const want = valuesOf(theirs.predict(y));
      assertClose(valuesOf(ours.predict(x)), want);
      let files;
      await ours.save(tf.io.withSaveHandler(async (saved) => ((files = saved), { modelArtifactsInfo: {} })));
      const copy = await tf.loadLayersModel(
        tf.io.fromMemory({ ...files, modelTopology: JSON.parse(JSON.stringify(files.modelTopology)) }),
      );
      assertClose(valuesOf(copy.predict(x)), want);
      const losses = async (lib, model, input) => {
        const optimizer = lib.train.sgd(0.05);
        model.compile({ optimizer, loss: 'meanSquaredError' });
        const target = lib.zeros(model.outputs[0].shape.map((extent) => extent ?? 2));
        const found = [await model.trainOnBatch(input, target), await model.trainOnBatch(input, target)].flat();
        lib.dispose(target);
        optimizer.dispose();
        return found;
      };
      assertClose(await losses(tf, ours, x), await losses(peer, theirs, y), 1e-4);
      tf.dispose([x, ours, copy]);
      peer.dispose(y);
      theirs.dispose();
      peer.disposeVariables();
    });
  });
}

test('masked steps keep the state before them, also in JavaScript cells', () => {
  leavesNothing(() => {
    const [ours, theirs] = both((lib) =>
      lib.sequential({
        layers: [
          lib.layers.masking({ inputShape: [3, 2] }),
          lib.layers.rnn({ cell: fading.get(lib)(2), returnSequences: true }),
        ],
      }),
    );
    const feed = (lib) => lib.tensor([0, 0, 1, 2, 0, 0], [1, 3, 2]);
    const [x, y] = [feed(tf), feed(peer)];
    assertClose(valuesOf(ours.predict(x)), valuesOf(theirs.predict(y)));
    tf.dispose([x, ours]);
    peer.dispose(y);
    theirs.dispose();
    peer.disposeVariables();
  });
});

test('recurrent dropout uses one mask for all steps of a training call', () => {
  leavesNothing(() => {
    const layer = layers.simpleRNN({
      units: 50,
      dropout: 0.5,
      kernelInitializer: 'identity',
      recurrentInitializer: 'zeros',
      activation: 'linear',
      returnSequences: true,
    });
    const x = tf.ones([1, 3, 50]);
    const run = (training) => tf.tidy(() => layer.apply(x, { training }).arraySync()[0]);
    assert.deepEqual(
      run(false),
      tf.tidy(() => x.arraySync()[0]),
    );
    const [first, second] = run(true);
    assert.deepEqual(first, second);
    assert.deepEqual([...new Set(first)].toSorted(), [0, 2]);
    tf.dispose([x, layer]);
  });
});

test('a recurrent layer exposes its cell with its weights', () => {
  leavesNothing(() => {
    for (const name of ['simpleRNN', 'gru', 'lstm', 'convLstm2d']) {
      const layer = layers[name](name === 'convLstm2d' ? { filters: 2, kernelSize: 2 } : { units: 2 });
      const shape = name === 'convLstm2d' ? [1, 2, 3, 3, 1] : [1, 2, 3];
      const unbuilt = layer.cell;
      assert.equal(unbuilt.getClassName(), `${layer.getClassName()}Cell`);
      assert.equal(unbuilt.built, false);
      tf.tidy(() => void layer.apply(tf.ones(shape)));
      const { cell } = layer;
      assert.equal(cell, unbuilt);
      assert.equal(cell.kernel.val, layer.weights[0].val);
      assert.equal(cell.recurrentKernel.val, layer.weights[1].val);
      assert.equal(cell.getWeights().length, layer.getWeights().length);
      layer.dispose();
    }
  });
});

test('states match TensorFlow.js, and belong to the layer', () => {
  leavesNothing(() => {
    const settings = {
      units: 2,
      stateful: true,
      kernelInitializer: 'ones',
      recurrentInitializer: 'ones',
      batchInputShape: [1, 2, 2],
    };
    const found = [tf, peer].map((lib) => {
      const layer = lib.layers.lstm(settings);
      const model = lib.sequential({ layers: [layer] });
      const seen = [];
      const note = () => seen.push(...layer.states.flatMap((state) => [...state.dataSync()]));
      const x = lib.ones([1, 2, 2]);
      note();
      model.predict(x).dispose();
      note();
      layer.resetStates();
      note();
      const begin = [lib.ones([1, 2]), lib.fill([1, 2], 2)];
      layer.setStates(begin);
      note();
      model.predict(x).dispose();
      seen.push(...layer.getStates().flatMap((state) => [...state.dataSync()]));
      const zeros = layer.getInitialState(x);
      seen.push(...zeros.flatMap(({ shape }) => shape));
      lib.dispose([x, begin, zeros]);
      if (lib === tf) {
        const before = tf.memory().numTensors;
        for (let i = 0; i < 10; i++) void layer.states;
        assert.equal(tf.memory().numTensors, before);
      }
      model.dispose();
      return seen;
    });
    assertClose(found[0], found[1], 1e-5);
    assert.deepEqual(layers.lstm({ units: 1 }).states, [null, null]);
  });
});

test('a bidirectional layer has the states of both directions', () => {
  leavesNothing(() => {
    const inner = { units: 2, stateful: true, kernelInitializer: 'ones', recurrentInitializer: 'ones' };
    const found = [tf, peer].map((lib) => {
      const layer = lib.layers.bidirectional({ layer: lib.layers.lstm(inner), batchInputShape: [1, 3, 1] });
      const model = lib.sequential({ layers: [layer] });
      const seen = [];
      const halves = () => [layer.forwardLayer, layer.backwardLayer].flatMap(({ states }) => states);
      const note = (states) => seen.push(...states.flatMap((state) => [...state.dataSync()]));
      const x = take(lib, [1, 3, 1]);
      note(halves());
      model.predict(x).dispose();
      note(halves());
      layer.resetStates();
      note(halves());
      model.predict(x).dispose();
      if (lib === tf) {
        const before = tf.memory().numTensors;
        assert.deepEqual(
          layer.states.map((state) => [...state.dataSync()]),
          halves().map((state) => [...state.dataSync()]),
        );
        for (let i = 0; i < 10; i++) void [layer.states, halves(), layer.getStates()];
        // Each of the three layers owns the tensors that it returned last.
        assert.equal(tf.memory().numTensors, before + 4);
        const begin = [1, 2, 3, 4].map((value) => tf.fill([1, 2], value));
        layer.setStates(begin);
        assert.deepEqual(
          layer.states.flatMap((state) => [...state.dataSync()]),
          [1, 1, 2, 2, 3, 3, 4, 4],
        );
        tf.dispose(begin);
      }
      x.dispose();
      model.dispose();
      return seen;
    });
    assert.equal(found[0].length, 24);
    assertClose(found[0], found[1], 1e-5);
    const { states } = layers.bidirectional({ layer: layers.lstm({ units: 1 }) });
    assert.deepEqual(states, [null, null, null, null]);
  });
});
