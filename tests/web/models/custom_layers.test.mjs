// Custom layers: classes of programs, and subclasses of built-in ones.
import { test } from 'node:test';
import { assert, assertClose, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

await tf.ready();

const { layers } = tf;

/** Saves a model into a variable, and loads it from there. */
const inMemory = (use) => tf.io.withSaveHandler(async (artifacts) => (use(artifacts), { modelArtifactsInfo: {} }));
const linesOf = (model) => {
  const lines = [];
  model.summary(undefined, undefined, (line) => lines.push(line));
  return lines;
};

class Scale extends tf.layers.Layer {
  static className = 'Scale';
  constructor(config) {
    super(config);
    this.by = config.by ?? 1;
    this.supportsMasking = true;
  }
  build(inputShape) {
    this.scale = this.addWeight('scale', [inputShape.at(-1)], 'float32', tf.initializers.constant({ value: this.by }));
  }
  call(inputs) {
    return tf.tidy(() => {
      const x = Array.isArray(inputs) ? inputs[0] : inputs;
      tf.zeros([7]);
      return x.mul(this.scale.read());
    });
  }
  computeOutputShape(inputShape) {
    return inputShape;
  }
  getConfig() {
    return { ...super.getConfig(), by: this.by };
  }
}
tf.serialization.registerClass(Scale);

test('layers in JavaScript: predicted, saved, loaded, without leaks in a call', async () => {
  await leavesNothingAsync(async () => {
    const model = tf.sequential({
      layers: [
        layers.dense({ units: 3, inputShape: [2], kernelInitializer: 'ones' }),
        new Scale({ by: 2 }),
        layers.dense({ units: 1, kernelInitializer: 'ones' }),
      ],
    });
    const x = tf.tensor2d([
      [1, 2],
      [3, 4],
    ]);
    const before = tf.memory().numTensors;
    const y = model.predict(x);
    assert.equal(tf.memory().numTensors, before + 1);
    assertClose([...y.dataSync()], [18, 42]);
    const wrong = tf.zeros([1, 3]);
    assert.throws(() => model.predict(wrong), /to have shape/);
    let artifacts;
    await model.save(inMemory((saved) => (artifacts = saved)));
    const copy = await tf.loadLayersModel({ load: async () => artifacts });
    assert.equal(copy.layers[1].by, 2);
    const z = copy.predict(x);
    assertClose([...z.dataSync()], [18, 42]);
    assert.ok(linesOf(copy).some((line) => line.includes('(Scale)')));
    const functional = await tf.models.modelFromJSON(JSON.parse(model.toJSON()));
    const input = tf.input({ shape: [2] });
    const nested = tf.model({
      inputs: input,
      outputs: layers
        .timeDistributed({ layer: new Scale({ by: 3 }) })
        .apply(layers.repeatVector({ n: 2 }).apply(input)),
    });
    const w = nested.predict(x);
    assertClose([...w.dataSync()], [3, 6, 3, 6, 9, 12, 9, 12]);
    tf.dispose([wrong, x, y, z, w, model, copy, functional, nested]);
  });
});

test('a call that throws leaks nothing', () => {
  leavesNothing(() => {
    class Throws extends tf.layers.Layer {
      static className = 'Throws';
      call(x) {
        tf.ones([3]);
        if (this.now) throw new Error('no more');
        return (Array.isArray(x) ? x[0] : x).add(1);
      }
    }
    const layer = new Throws({ inputShape: [2] });
    const model = tf.sequential({ layers: [layer, layers.dense({ units: 1 })] });
    const x = tf.ones([1, 2]);
    layer.now = true;
    const before = tf.memory().numTensors;
    assert.throws(() => model.predict(x), /no more/);
    assert.equal(tf.memory().numTensors, before);
    layer.now = false;
    tf.dispose([model.predict(x), x, model]);
  });
});

test('a cell in JavaScript runs over the steps', () => {
  leavesNothing(() => {
    class Adds extends tf.layers.RNNCell {
      static className = 'Adds';
      constructor() {
        super({});
        this.stateSize = 2;
      }
      build() {
        this.built = true;
      }
      call([x, sum]) {
        const next = tf.add(x, sum);
        return [next, next];
      }
      getConfig() {
        return {};
      }
    }
    const input = tf.input({ shape: [3, 2] });
    const model = tf.model({
      inputs: input,
      outputs: layers.rnn({ cell: new Adds(), returnSequences: true }).apply(input),
    });
    const x = tf.tensor3d([
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ]);
    const y = model.predict(x);
    assert.deepEqual(y.arraySync(), [
      [
        [1, 2],
        [4, 6],
        [9, 12],
      ],
    ]);
    tf.dispose([x, y, model]);
  });
});

/** Returns the prediction of a model of layers for ones, and disposes everything. */
function predicted(made, shape) {
  return leavesNothing(() => {
    const model = tf.sequential({ layers: made() });
    const x = tf.ones(shape);
    const y = model.predict(x);
    const values = y.arraySync();
    tf.dispose([x, y, model]);
    return values;
  });
}

test('call() gets an array in a model, and a tensor when applied directly, as in TensorFlow.js', () => {
  class First extends tf.layers.Layer {
    static className = 'First';
    call(inputs) {
      return tf.mul(inputs[0], 2);
    }
  }
  class Bare extends tf.layers.Layer {
    static className = 'Bare';
    call(x) {
      return [x.mul(3)];
    }
  }
  assert.deepEqual(
    predicted(() => [layers.flatten({ inputShape: [2] }), new First()], [1, 2]),
    [[2, 2]],
  );
  leavesNothing(() => {
    const x = tf.ones([2]);
    const y = new Bare().apply(x);
    assert.deepEqual(y.arraySync(), [3, 3]);
    tf.dispose([x, y]);
  });
});

test('a layer without mask support ends a mask', () => {
  class Sums extends tf.layers.Layer {
    static className = 'Sums';
    call([x]) {
      return x.sum(1);
    }
    computeOutputShape([batch, , features]) {
      return [batch, features];
    }
  }
  const embedding = () =>
    layers.embedding({ inputDim: 4, outputDim: 2, maskZero: true, inputLength: 3, embeddingsInitializer: 'ones' });
  assert.deepEqual(
    predicted(() => [embedding(), new Sums()], [1, 3]),
    [[3, 3]],
  );
});

test('inputs are cast to the model’s dtype where layers run one by one', () => {
  leavesNothing(() => {
    class Hot extends tf.layers.Layer {
      static className = 'Hot';
      call([x]) {
        return tf.oneHot(x.squeeze([1]), 3);
      }
      computeOutputShape([batch]) {
        return [batch, 3];
      }
    }
    const input = tf.input({ shape: [1], dtype: 'int32' });
    const model = tf.model({ inputs: input, outputs: new Hot().apply(input) });
    const x = tf.tensor2d([[1], [2]]);
    const y = model.predict(x);
    assert.deepEqual(y.arraySync(), [
      [0, 1, 0],
      [0, 0, 1],
    ]);
    tf.dispose([x, y, model]);
  });
});

test('a subclass of a built-in layer overrides its computation, in models and applied directly', () => {
  const Dense = layers.dense({ units: 1 }).constructor;
  class Doubled extends Dense {
    call(inputs, kwargs) {
      return tf.mul(super.call(inputs, kwargs), 2);
    }
  }
  const ones = { kernelInitializer: 'ones' };
  assert.deepEqual(
    predicted(() => [new Doubled({ units: 2, inputShape: [3], ...ones })], [1, 3]),
    [[6, 6]],
  );
  assert.deepEqual(
    predicted(
      () => [layers.timeDistributed({ layer: new Doubled({ units: 1, ...ones }), inputShape: [2, 3] })],
      [1, 2, 3],
    ),
    [[[6], [6]]],
  );
  // A single layer may have one of its own too.
  const own = () => {
    const layer = layers.dense({ units: 1, inputShape: [2], ...ones });
    const { call } = layer;
    layer.call = (inputs, kwargs) => tf.add(call.call(layer, inputs, kwargs), 5);
    return [layer];
  };
  assert.deepEqual(predicted(own, [1, 2]), [[7]]);
});

test('a dropout layer active in prediction: registered, saved and loaded', async () => {
  const Dropout = layers.dropout({ rate: 0.5 }).constructor;
  class MonteCarlo extends Dropout {
    static className = 'MonteCarlo';
    call(inputs, kwargs) {
      return super.call(inputs, { ...kwargs, training: true });
    }
  }
  tf.serialization.registerClass(MonteCarlo);
  await leavesNothingAsync(async () => {
    const model = tf.sequential({ layers: [new MonteCarlo({ rate: 0.5, inputShape: [500] })] });
    let artifacts;
    await model.save(inMemory((saved) => (artifacts = saved)));
    const copy = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
    assert.equal(copy.layers[0].getClassName(), 'MonteCarlo');
    assert.equal(copy.layers[0].rate, 0.5);
    const x = tf.ones([1, 500]);
    for (const one of [model, copy]) {
      const y = one.predict(x);
      const zeros = y.dataSync().filter((v) => v === 0).length;
      assert.ok(zeros > 150 && zeros < 350, `${zeros} of 500`);
      y.dispose();
    }
    tf.dispose([x, model, copy]);
  });
});

test('a subclass of a recurrent layer may have a custom cell', () => {
  class Own extends tf.RNN {
    static className = 'Own';
    constructor(config) {
      super({
        ...config,
        cell: layers.simpleRNNCell({
          units: 1,
          kernelInitializer: 'ones',
          recurrentInitializer: 'ones',
          activation: 'linear',
        }),
      });
    }
  }
  assert.deepEqual(
    predicted(() => [new Own({ inputShape: [3, 2] })], [1, 3, 2]),
    [[6]],
  );
});

test('weights of a cell are named after their layer, as in TensorFlow.js', () => {
  leavesNothing(() => {
    class Cell extends tf.layers.RNNCell {
      static className = 'Cell';
      stateSize = 2;
      build(shape) {
        this.kernel = this.addWeight('kernel', [shape.at(-1), 2], 'float32', tf.initializers.ones());
      }
      call([x, h]) {
        const y = x.matMul(this.kernel.read()).add(h);
        return [y, y];
      }
    }
    const model = tf.sequential({
      layers: [layers.rnn({ cell: new Cell({ name: 'c' }), inputShape: [3, 2], name: 'r' })],
    });
    assert.deepEqual(
      model.weights.map(({ originalName }) => originalName),
      ['r/kernel'],
    );
    model.dispose();
  });
});

test('changing a field after the engine has made the layer throws', () => {
  const layer = layers.dropout({ rate: 0.5 });
  assert.throws(() => (layer.rate = 0.3), /The 'rate' of layer "dropout_\w+" cannot be changed: create another layer/);
});
