// Model files with missing, repeated or wrong fields.
import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

const layer = (class_name, config) => ({ class_name, config });
const dense = (name, config = {}) =>
  layer('Dense', { name, units: 2, use_bias: false, activation: 'linear', ...config });
const sequential = (...layers) => layer('Sequential', { name: 's', layers });
const spec = (name, shape = [2, 2]) => ({ name, shape, dtype: 'float32' });
const load = (artifacts, options) => tf.loadLayersModel(tf.io.fromMemory(artifacts), options);
const valuesOf = (model) => model.getWeights().flatMap((weight) => Array.from(weight.dataSync()));

const modelTopology = sequential(dense('a', { batch_input_shape: [null, 2] }), dense('b'));
const ones = (count) => new Float32Array(count).fill(1).buffer;

test('a model file without weights yields a newly initialized model', async () => {
  await leavesNothingAsync(async () => {
    const model = await load({
      modelTopology: sequential(dense('a', { batch_input_shape: [null, 2], kernel_initializer: 'ones' })),
    });
    assert.deepEqual(valuesOf(model), [1, 1, 1, 1]);
    model.dispose();
  });
});

test('a model with known input shapes is planned for a batch of one when it is loaded', async () => {
  await leavesNothingAsync(async () => {
    const planned = async (input) => {
      tf.trim();
      const { scratch } = tf.memory().detail;
      const weights = { weightSpecs: [spec('a/kernel')], weightData: ones(4) };
      const model = await load({ modelTopology: sequential(dense('a', { batch_input_shape: input })), ...weights });
      const loaded = tf.memory().detail.scratch;
      const example = tf.ones([1, ...input.slice(1).map((extent) => extent ?? 3)]);
      assert.ok(tf.tidy(() => model.predict(example).dataSync()).every((value) => value === 2));
      const used = tf.memory().detail.scratch;
      tf.dispose([model, example]);
      return [loaded > scratch, used > loaded];
    };
    assert.deepEqual(await planned([null, 2]), [true, false]);
    assert.deepEqual(await planned([null, null, 2]), [false, true]);
  });
});

test('models nested too deeply throw, however deeply', async () => {
  await leavesNothingAsync(async () => {
    for (const levels of [300, 20_000]) {
      let model = JSON.stringify(dense('a', { batch_input_shape: [null, 2] }));
      for (let i = 0; i < levels; i++)
        model = `{"class_name":"Sequential","config":{"name":"s${i}","layers":[${model}]}}`;
      const tooDeep = { name: 'Error', message: /^the model is nested more than 100 levels deep$/ };
      await assert.rejects(load({ modelTopology: JSON.parse(model) }), tooDeep);
      const attr = JSON.parse('['.repeat(levels) + ']'.repeat(levels));
      const handler = tf.io.fromMemory({ modelTopology: { node: [{ name: 'a', op: 'Const', attr }] } });
      await assert.rejects(tf.loadGraphModel(handler), tooDeep);
    }
  });
});

test('weights are assigned to the layers of their names only', async () => {
  await leavesNothingAsync(async () => {
    const weightSpecs = [spec('b/kernel'), spec('c/kernel')];
    const weightData = Float32Array.of(1, 1, 1, 1, 2, 2, 2, 2).buffer;
    await assert.rejects(load({ modelTopology, weightSpecs, weightData }), /no target variable: c\/kernel/);
    const model = await load({ modelTopology, weightSpecs, weightData }, { strict: false });
    const [a, b] = model.getWeights();
    assert.deepEqual(b.arraySync(), [
      [1, 1],
      [1, 1],
    ]);
    assert.notDeepEqual(a.arraySync(), [
      [2, 2],
      [2, 2],
    ]);
    model.dispose();
    // Keras 3 numbers its weights.
    const numbered = ['layers/a/vars/0', 'layers/b/vars/0'].map((name) => spec(name));
    const other = await load({ modelTopology, weightSpecs: numbered, weightData });
    assert.deepEqual(valuesOf(other), [1, 1, 1, 1, 2, 2, 2, 2]);
    other.dispose();
  });
});

test('a model inside timeDistributed has the weights of its file', async () => {
  await leavesNothingAsync(async () => {
    const inner = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [4] })] });
    const model = tf.sequential({ layers: [tf.layers.timeDistributed({ layer: inner, inputShape: [3, 4] })] });
    let artifacts;
    await model.save(tf.io.withSaveHandler(async (saved) => ((artifacts = saved), {})));
    const copy = await load(artifacts);
    assert.deepEqual(valuesOf(copy), valuesOf(model));
    const x = tf.randomNormal([2, 3, 4], 0, 1, 'float32', 1);
    const [y, z] = [model.predict(x), copy.predict(x)];
    assert.deepEqual(y.arraySync(), z.arraySync());
    tf.tidy(() => copy.setWeights(copy.getWeights().map((weight) => weight.mul(0))));
    const zero = copy.predict(x);
    assert.ok(zero.dataSync().every((v) => v === 0));
    tf.dispose([x, y, z, zero, model, copy, inner]);
  });
});

test('both directions of a bidirectional layer with an unnamed inner layer have their own weights', async () => {
  await leavesNothingAsync(async () => {
    const inside = layer('SimpleRNN', { units: 1, use_bias: false });
    const topology = sequential(
      layer('Bidirectional', { name: 'b', batch_input_shape: [null, 2, 1], merge_mode: 'concat', layer: inside }),
    );
    const weightSpecs = ['forward', 'backward'].flatMap((way) =>
      ['kernel', 'recurrent_kernel'].map((kind) => spec(`b/${way}_x/${kind}`, [1, 1])),
    );
    const model = await load(
      { modelTopology: topology, weightSpecs, weightData: Float32Array.of(1, 2, 3, 4).buffer },
      { strict: false },
    );
    assert.equal(new Set(model.weights.map(({ originalName }) => originalName)).size, 4);
    const given = [5, 6, 7, 8].map((value) => tf.tensor2d([[value]]));
    model.setWeights(given);
    assert.deepEqual(valuesOf(model), [5, 6, 7, 8]);
    tf.dispose([given, model]);
  });
});

test('files that are refused late leak nothing', async () => {
  const weightSpecs = [spec('a/kernel'), spec('b/kernel')];
  const weightData = ones(8);
  await leavesNothingAsync(async () => {
    await assert.rejects(load({ modelTopology, weightSpecs, weightData, userDefinedMetadata: 'text' }), /JSON object/);
    const twice = sequential(dense('a', { batch_input_shape: [null, 2] }), dense('a'));
    await assert.rejects(
      load({ modelTopology: twice, weightSpecs, weightData }),
      /"a" is used 2 times|no target variable/,
    );
    const flat = sequential(
      dense('a', { batch_input_shape: [null, 2] }),
      layer('Flatten', { name: 'f' }),
      layer('Flatten', { name: 'f' }),
    );
    await assert.rejects(
      load({ modelTopology: flat, weightSpecs: [spec('a/kernel')], weightData: ones(4) }),
      /"f" is used 2 times/,
    );
  });
});

test('names of Object.prototype are ordinary names', async () => {
  await leavesNothingAsync(async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const tensors = tf.io.decodeWeights(ones(2), [spec(name, [1]), spec(name, [1])]);
      assert.deepEqual(Object.keys(tensors), [name]);
      tf.dispose(Object.values(tensors));
      const stream = new Blob([ones(2)]).stream();
      const streamed = await tf.io.decodeWeightsStream(stream, [spec(name, [1]), spec(name, [1])]);
      tf.dispose(Object.values(streamed));
      assert.throws(() => tf.layers.dense({ units: 1, kernelInitializer: name }), /Unknown initializer/);
      const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
      assert.throws(
        () => model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: [name] }),
        /Unknown metric/,
      );
      model.dispose();
      const node = (made, op, input = []) => ({
        name: made,
        op,
        input,
        attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } },
      });
      const graph = await tf.loadGraphModel(
        tf.io.fromMemory({
          modelTopology: { node: [node('x', 'Placeholder'), node(name, 'Const'), node('y', 'AddV2', ['x', name])] },
          weightSpecs: [spec(name, [1])],
          weightData: ones(1),
          userDefinedMetadata: { signature: { inputs: { x: { name: 'x:0' } }, outputs: { y: { name: 'y:0' } } } },
        }),
      );
      assert.deepEqual(Object.keys(graph.weights), [name]);
      const x = tf.ones([1]);
      const weight = graph.execute({ x }, name);
      assert.deepEqual(weight.arraySync(), [1]);
      tf.dispose([x, weight, graph]);
    }
  });
});

test('activity regularizers are refused, as in TensorFlow.js', () => {
  leavesNothing(() => {
    const wanted = tf.layers.dense({ units: 2, inputShape: [3], activityRegularizer: tf.regularizers.l2({ l2: 10 }) });
    assert.throws(() => tf.sequential({ layers: [wanted] }), /activity regularizer\(s\) is not supported yet/);
  });
});
