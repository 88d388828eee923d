// Programs that fail while they train: the error is theirs or names the mistake, nothing leaks, and the model still trains.
import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const kFit = { epochs: 3, batchSize: 2, verbose: 0 };
const build = (layer) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ units: 3, inputShape: [2], activation: 'tanh' }),
      ...(layer ? [layer] : []),
      tf.layers.dense({ units: 1 }),
    ],
  });

/** Runs `body` with a model and samples, and checks that everything is disposed and that the model trains after it. */
async function withModel(body, { layer, after = true } = {}) {
  await leavesNothingAsync(async () => {
    const model = build(layer?.());
    const [x, y] = [tf.ones([6, 2]), tf.zeros([6, 1])];
    try {
      await body(model, x, y);
      if (after) {
        model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
        const { history } = await model.fit(x, y, kFit);
        assert.ok(history.loss.every(Number.isFinite));
      }
    } finally {
      tf.dispose([x, y, model]);
    }
  });
}

/** Returns a function that fails at its n-th call. */
function failingAt(n, wrong, right) {
  let calls = 0;
  return (...args) => (++calls >= n ? wrong(...args) : right(...args));
}
const squares = (y, p) => tf.mean(tf.square(tf.sub(y, p)), -1);

/** Wrong results of a JavaScript loss function, and the messages about them. */
const kWrong = {
  throws: [() => assert.fail('thrown here'), /thrown here/],
  'returns nothing': [() => undefined, /must be a Tensor|undefined/],
  'returns a promise': [async () => tf.scalar(1), /Promise|must be a Tensor|promise/],
  'returns a string': [() => 'loss', /Tensor|string/],
  'returns a disposed tensor': [
    (y, p) => {
      const z = tf.sub(y, p);
      z.dispose();
      return z;
    },
    /disposed/,
  ],
};

for (const [what, [wrong, message]] of Object.entries(kWrong)) {
  for (const n of [1, 4]) {
    test(`a loss that ${what} at its call ${n}`, async () => {
      await withModel(async (model, x, y) => {
        model.compile({ optimizer: tf.train.sgd(0.1), loss: failingAt(n, wrong, squares) });
        await assert.rejects(model.fit(x, y, kFit), message);
        assert.equal(model.isTraining, false);
      });
    });
    test(`a metric that ${what} at its call ${n}`, async () => {
      await withModel(async (model, x, y) => {
        model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: [failingAt(n, wrong, squares)] });
        await assert.rejects(model.fit(x, y, kFit), message);
        await assert.rejects(async () => model.evaluate(x, y), message);
      });
    });
  }
}

class Hostile extends tf.layers.Layer {
  static className = 'Hostile';
  constructor(call) {
    super({});
    this.callWith = call;
    this.isOn = false;
  }
  computeOutputShape(shape) {
    return shape;
  }
  call(inputs) {
    const [x] = [inputs].flat();
    return this.isOn ? this.callWith(x) : tf.mul(x, 2);
  }
}
tf.serialization.registerClass(Hostile);

const kWrongLayers = {
  throws: [() => assert.fail('thrown here'), /thrown here/],
  'gives another shape': [(x) => tf.concat([x, x], 1), /shape|ndim|axis|expected/],
  'returns nothing': [() => undefined, /must return tensors, got undefined/],
  'returns a promise': [async (x) => x, /must return tensors, got \[object Promise\]/],
  'returns a disposed tensor': [
    (x) => {
      const z = tf.mul(x, 2);
      z.dispose();
      return z;
    },
    /disposed/,
  ],
};
for (const [what, [wrong, message]] of Object.entries(kWrongLayers)) {
  test(`a layer that ${what} in training`, async () => {
    let layer;
    await withModel(
      async (model, x, y) => {
        model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
        await model.fit(x, y, kFit);
        layer.isOn = true;
        await assert.rejects(model.fit(x, y, kFit), message);
        await assert.rejects(async () => model.predict(x), message);
        layer.isOn = false;
      },
      { layer: () => (layer = new Hostile(wrong)) },
    );
  });
}

test('a custom optimizer that throws', async () => {
  class Throwing extends tf.Optimizer {
    static className = 'Throwing';
    applyGradients() {
      throw new Error('no update');
    }
    getConfig() {
      return {};
    }
  }
  await withModel(async (model, x, y) => {
    model.compile({ optimizer: new Throwing(), loss: 'meanSquaredError' });
    await assert.rejects(model.fit(x, y, kFit), /no update/);
  });
});

test('a callback that changes its own model', async () => {
  const within = async (hook, action, message) => {
    await withModel(
      async (model, x, y) => {
        model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
        const fit = model.fit(x, y, { ...kFit, callbacks: { [hook]: () => action(model, x, y) } });
        await (message ? assert.rejects(fit, message) : fit);
      },
      { after: !/dispose/.test(String(action)) },
    );
  };
  for (const hook of ['onTrainBegin', 'onEpochBegin', 'onBatchBegin', 'onBatchEnd']) {
    await within(hook, (model) => void model.dispose(), /disposed/);
    await within(
      hook,
      (model) => model.compile({ optimizer: 'sgd', loss: 'meanAbsoluteError', metrics: ['mse'] }),
      /cannot be compiled with other losses or metrics/,
    );
    await within(hook, (model, x, y) => model.fit(x, y, kFit), /another fit\(\) call is ongoing/);
    await within(hook, async (model, x, y) => void (await model.trainOnBatch(x, y)));
    await within(hook, (model, x, y) => tf.dispose(model.evaluate(x, y)));
  }
  await within('onTrainEnd', (model) => void model.dispose());
});

test('a custom loss that disposes the model or the samples', async () => {
  await withModel(
    async (model, x, y) => {
      model.compile({ optimizer: 'adam', loss: failingAt(2, (a, b) => (model.dispose(), squares(a, b)), squares) });
      await assert.rejects(model.fit(x, y, kFit), /disposed|no variable/);
    },
    { after: false },
  );
  await withModel(
    async (model, x, y) => {
      model.compile({ optimizer: 'adam', loss: failingAt(2, (a, b) => (x.dispose(), squares(a, b)), squares) });
      await assert.rejects(model.fit(x, y, kFit), /disposed/);
    },
    { after: false },
  );
});

test('NaN propagates, and stays in the model', async () => {
  await withModel(async (model, x) => {
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'] });
    const nan = tf.fill([6, 1], NaN);
    const { history } = await model.fit(x, nan, kFit);
    assert.deepEqual(history, { loss: [NaN, NaN, NaN], mae: [NaN, NaN, NaN] });
    nan.dispose();
    const zeros = model.getWeights().map((weight) => tf.zerosLike(weight));
    model.setWeights(zeros);
    tf.dispose(zeros);
  });
});

test('models that share a layer train concurrently', async () => {
  await leavesNothingAsync(async () => {
    const shared = tf.layers.dense({ units: 2, inputShape: [2] });
    const models = [1, 2].map(() => tf.sequential({ layers: [shared, tf.layers.dense({ units: 1 })] }));
    const [x, y] = [tf.ones([6, 2]), tf.zeros([6, 1])];
    for (const model of models) model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    await Promise.all(models.map((model) => model.fit(x, y, { ...kFit, yieldEvery: 'batch' })));
    models[0].dispose();
    const { history } = await models[1].fit(x, y, kFit);
    assert.ok(history.loss.every(Number.isFinite));
    tf.dispose([models[1], x, y]);
  });
});
