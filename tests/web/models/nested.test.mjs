// Nested models: the ownership of weights, and access to inner layers.
import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const { layers } = tf;
const ones = { kernelInitializer: 'ones' };

function sequential(...parts) {
  return tf.sequential({ layers: parts });
}

function functional(layer) {
  const input = tf.input({ shape: [3] });
  return tf.model({ inputs: input, outputs: layer.apply(input) });
}

for (const [kind, make] of Object.entries({ sequential, functional })) {
  test(`models that share weights see the updates of each other: ${kind}`, async () => {
    await leavesNothingAsync(async () => {
      const inner = make(layers.dense({ units: 2, inputShape: [3], ...ones }));
      const [middle, outer] = [tf.sequential(), tf.sequential()];
      middle.add(inner);
      outer.add(middle);
      const models = [inner, middle, outer];
      const optimizer = tf.train.sgd(0.01);
      outer.compile({ loss: 'meanSquaredError', optimizer });
      const predicted = () => tf.tidy(() => models.map((model) => model.predict(tf.ones([1, 3])).dataSync()[0]));
      const [x, y] = [tf.ones([8, 3]), tf.zeros([8, 2])];
      assert.deepEqual(predicted(), [3, 3, 3]);
      let last = 3;
      for (let step = 0; step < 3; step++) {
        await outer.trainOnBatch(x, y);
        const [first, ...others] = predicted();
        assert.ok(first < last);
        assert.deepEqual(others, [first, first]);
        last = first;
      }
      // Assigned weights take effect too.
      tf.tidy(() => inner.layers.at(-1).setWeights([tf.ones([3, 2]), tf.zeros([2])]));
      assert.deepEqual(predicted(), [3, 3, 3]);
      tf.dispose([x, y, outer, middle, inner, optimizer]);
    });
  });
}

test('a model that was added to another stays with its creator', async () => {
  await leavesNothingAsync(async () => {
    const inner = sequential(layers.dense({ units: 4, inputShape: [3] }), layers.dense({ units: 4 }));
    const outer = sequential(inner, layers.dense({ units: 2 }));
    const x = tf.ones([1, 3]);
    tf.dispose(outer.predict(x));
    assert.deepEqual(outer.dispose(), { refCountAfterDispose: 0, numDisposedVariables: 2 });
    assert.throws(() => outer.predict(x), /already disposed/);
    tf.dispose(inner.predict(x));
    assert.deepEqual(inner.dispose(), { refCountAfterDispose: 0, numDisposedVariables: 4 });
    assert.throws(() => inner.predict(x), /already disposed/);
    x.dispose();
  });
});

test('a nested model disposed by its creator is freed with the last model around it', async () => {
  await leavesNothingAsync(async () => {
    const inner = sequential(layers.dense({ units: 4, inputShape: [3] }));
    const outer = sequential(inner, layers.dense({ units: 2 }));
    assert.equal(inner.dispose().numDisposedVariables, 0);
    tf.tidy(() => assert.deepEqual(outer.predict(tf.ones([1, 3])).shape, [1, 2]));
    assert.equal(outer.dispose().numDisposedVariables, 4);
  });
});

test('nested models of a file are disposed with the model', async () => {
  await leavesNothingAsync(async () => {
    const inner = sequential(layers.dense({ units: 4, inputShape: [3] }));
    const outer = sequential(inner, layers.dense({ units: 2 }));
    let saved;
    await outer.save(
      tf.io.withSaveHandler(async (given) => {
        saved = given;
        return { modelArtifactsInfo: {} };
      }),
    );
    tf.dispose([outer, inner]);
    const loaded = await tf.loadLayersModel(tf.io.fromMemory(saved));
    const made = await tf.models.modelFromJSON(saved.modelTopology);
    for (const model of [loaded, made]) assert.equal(model.dispose().numDisposedVariables, 4);
  });
});

test('execute() returns inner tensors by the names of symbolic tensors', async () => {
  await leavesNothingAsync(async () => {
    const first = layers.dense({ units: 2, inputShape: [3], ...ones });
    const model = sequential(first, layers.dense({ units: 1, ...ones }));
    const names = [first.output.name, model.outputs[0].name];
    for (let time = 0; time < 2; time++) {
      tf.tidy(() => {
        const x = tf.ones([1, 3]);
        const both = model.execute(x, names);
        assert.deepEqual(
          both.map((y) => y.arraySync()),
          [[[3, 3]], [[6]]],
        );
        assert.deepEqual(model.execute([x], names[0]).arraySync(), [[3, 3]]);
        assert.deepEqual(model.execute({ [model.inputs[0].name]: x }, [names[0]])[0].arraySync(), [[3, 3]]);
      });
    }
    const x = tf.ones([1, 3]);
    assert.throws(() => model.execute(x, []), /`outputs` is an empty Array, which is not allowed/);
    assert.throws(() => model.execute(x, ['other', names[0]]), {
      message: 'Cannot find SymbolicTensors for output name(s): ["other"]',
    });
    assert.throws(() => model.execute({}, names), /expects a Tensor for its input/);
    tf.dispose([x, model]);
    assert.throws(() => model.execute(x, names), /disposed/);
  });
});

test('loadWeights() accepts values by name', async () => {
  await leavesNothingAsync(async () => {
    const model = sequential(layers.dense({ units: 2, inputShape: [3], name: 'dense' }));
    const [kernel, bias] = [tf.ones([3, 2]), tf.ones([2])];
    model.loadWeights({ 'dense/kernel': kernel, 'dense/bias': bias });
    tf.tidy(() => assert.deepEqual(model.predict(tf.ones([1, 3])).arraySync(), [[4, 4]]));
    assert.throws(() => model.loadWeights({ 'dense/kernel': kernel }), {
      message: '1 of 2 weights are not set: dense/bias',
    });
    assert.throws(() => model.loadWeights({ extra: bias }), {
      message: 'Provided weight data has no target variable: extra',
    });
    assert.throws(() => model.loadWeights({ 'dense/kernel': bias }, false), {
      message: 'Shape mismatch: [3,2] vs. [2]',
    });
    model.loadWeights({ extra: bias }, false);
    tf.dispose([kernel, bias, model]);
  });
});

test('a built layer states the required extents of its inputs', async () => {
  await leavesNothingAsync(async () => {
    const built = [
      [
        layers.dense({ units: 2, name: 'dense' }),
        [2, 4],
        [2, 5],
        /^Input 0 is incompatible with layer dense: expected axis -1 of input shape to have value 4/,
      ],
      [
        layers.conv2d({ filters: 2, kernelSize: 1, name: 'conv' }),
        [2, 3, 3, 4],
        [2, 3, 3, 5],
        /expected axis 3 of input shape to have value 4/,
      ],
      [
        layers.conv2d({ filters: 2, kernelSize: 1, dataFormat: 'channelsFirst' }),
        [2, 4, 3, 3],
        [2, 5, 3, 3],
        /expected axis 1 .* to have value 4/,
      ],
      [layers.batchNormalization(), [2, 4], [2, 5], /expected axis 1 of input shape to have value 4/],
      [layers.spatialDropout1d({ rate: 0.5 }), [2, 3, 4], [2, 3, 4, 5], undefined],
    ];
    for (const [layer, shape, wrong, message] of built) {
      tf.tidy(() => void layer.apply(tf.ones(shape)));
      if (message) assert.throws(() => tf.tidy(() => layer.apply(tf.ones(wrong))), { message });
      if (message) assert.throws(() => layer.apply(tf.input({ batchShape: wrong })), { message });
      layer.dispose();
    }
    assert.throws(
      () => tf.tidy(() => layers.spatialDropout1d({ rate: 0.5 }).apply(tf.ones([2, 3, 4, 5]))),
      /expected ndim=3, found ndim=4/,
    );
    assert.throws(
      () => layers.layerNormalization({ axis: [1, -1] }).apply(tf.input({ shape: [3] })),
      /Found duplicate axes/,
    );
    assert.throws(
      () => layers.add().apply([tf.input({ batchShape: [2, 3] }), tf.input({ batchShape: [3, 3] })]),
      /different batch sizes/,
    );
  });
});

test('layers of one name are refused, in models of any kind', async () => {
  await leavesNothingAsync(async () => {
    const same = (options) => layers.dense({ units: 2, name: 'same', ...options });
    const model = sequential(same({ inputShape: [2] }), same());
    const x = tf.ones([1, 2]);
    for (let time = 0; time < 2; time++) {
      assert.throws(
        () => model.predict(x),
        /The name "same" is used 2 times in the model\. All layer names should be unique/,
      );
    }
    const input = tf.input({ shape: [2] });
    const [first, second] = [same(), same()];
    assert.throws(
      () => tf.model({ inputs: input, outputs: second.apply(first.apply(input)) }),
      /"same" is used 2 times/,
    );
    tf.dispose([x, first, second, model]);
  });
});

test('a layer applies to a symbolic tensor that the program constructed', () => {
  const x = new tf.SymbolicTensor('float32', [null, 4, 3], null, [], {});
  assert.deepEqual(layers.flatten().apply(x).shape, [null, 12]);
  assert.deepEqual(
    layers.concatenate().apply([x, new tf.SymbolicTensor('float32', [null, 4, 2], null, [], {})]).shape,
    [null, 4, 5],
  );
});

test('metadata is JSON, and large metadata causes a warning', async () => {
  await leavesNothingAsync(async () => {
    const model = sequential(layers.dense({ units: 1, inputShape: [1] }));
    for (const value of [null, undefined, 'text', [], { f: () => 1 }, { at: new Date() }, new Map()]) {
      assert.throws(() => model.setUserDefinedMetadata(value), {
        message: 'User-defined metadata is expected to be a JSON object, but is not.',
      });
    }
    model.setUserDefinedMetadata({ a: [1, { b: null }], c: 'x'.repeat(1 << 20) });
    const warned = [];
    const { warn } = console;
    console.warn = (message) => warned.push(message);
    try {
      await model.save(tf.io.withSaveHandler(async () => ({ modelArtifactsInfo: {} })));
    } finally {
      console.warn = warn;
    }
    assert.equal(warned.length, 1);
    assert.match(
      warned[0],
      /User-defined metadata of model "sequential_\d+" is too large in size \(length=1048\d{3} when serialized\)/,
    );
    model.dispose();
  });
});
