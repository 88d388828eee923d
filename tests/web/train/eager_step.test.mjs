import { test } from 'node:test';
import { assert, assertClose, leavesNothingAsync, tf } from '../expect.mjs';

const xs = Array.from({ length: 30 }, (_, i) => Math.sin(i));
const ys = Array.from({ length: 20 }, (_, i) => Math.cos(i));
const initial = (seed) => tf.initializers.glorotNormal({ seed });

function model() {
  return tf.sequential({
    layers: [
      tf.layers.dense({
        units: 4,
        inputShape: [3],
        activation: 'tanh',
        kernelInitializer: initial(3),
        kernelRegularizer: 'l1l2',
      }),
      tf.layers.dense({
        units: 2,
        kernelInitializer: initial(4),
        kernelConstraint: tf.constraints.maxNorm({ maxValue: 0.5 }),
      }),
    ],
  });
}

/** Returns the numbers of three epochs and the weights after them. */
async function train(args, built = model()) {
  built.compile(args);
  const x = tf.tensor(xs, [10, 3]);
  const y = tf.tensor(ys, [10, 2]);
  const { history } = await built.fit(x, y, {
    epochs: 3,
    batchSize: 4,
    shuffle: false,
    verbose: 0,
    validationSplit: 0.2,
  });
  const losses = [built.evaluate(x, y)].flat();
  const numbers = [...Object.values(history), losses.map((loss) => loss.dataSync()[0])].flat();
  const weights = built.getWeights().flatMap((weight) => Array.from(weight.dataSync()));
  tf.dispose([x, y, losses]);
  built.dispose();
  return [...numbers, ...weights];
}

const builtIn = { loss: 'meanSquaredError', metrics: ['mae'] };
const written = {
  loss: (a, b) => tf.losses.meanSquaredError(a, b),
  metrics: [(a, b) => tf.mean(tf.abs(tf.sub(a, b)), -1)],
};

test('losses and metrics in JavaScript match the built-in ones', async () => {
  await leavesNothingAsync(async () => {
    for (const optimizer of ['sgd', 'adam', 'rmsprop']) {
      assertClose(await train({ optimizer, ...written }), await train({ optimizer, ...builtIn }), 1e-5);
    }
  });
});

test('an optimizer in JavaScript moves the weights by its own rule', async () => {
  class Mine extends tf.Optimizer {
    static className = 'Mine';
    applyGradients(gradients) {
      const list = Array.isArray(gradients)
        ? gradients
        : Object.entries(gradients).map(([name, tensor]) => ({ name, tensor }));
      for (const { name, tensor } of list) {
        const variable = tf.engine().registeredVariables[name];
        tf.tidy(() => variable.assign(variable.sub(tensor.mul(0.01))));
      }
      this.incrementIterations();
    }
    getConfig() {
      return {};
    }
  }
  await leavesNothingAsync(async () => {
    assertClose(
      await train({ optimizer: new Mine(), ...builtIn }),
      await train({ optimizer: 'sgd', ...builtIn }),
      1e-6,
    );
  });
});

test('a subclass of a built-in optimizer overrides its updates', async () => {
  const seen = [];
  class Watching extends tf.AdamOptimizer {
    applyGradients(gradients) {
      seen.push(Array.isArray(gradients) ? gradients.length : Object.keys(gradients).length);
      super.applyGradients(gradients);
    }
  }
  await leavesNothingAsync(async () => {
    const optimizer = new Watching(0.001, 0.9, 0.999);
    assertClose(await train({ optimizer, ...builtIn }), await train({ optimizer: 'adam', ...builtIn }), 1e-5);
    optimizer.dispose();
    assert.deepEqual(seen, [4, 4, 4, 4, 4, 4]);
  });
});

test('a layer in JavaScript trains among others', async () => {
  class Double extends tf.layers.Layer {
    static className = 'DoubleForTraining';
    call(inputs) {
      return tf.mul([inputs].flat()[0], 2);
    }
    computeOutputShape(shape) {
      return shape;
    }
  }
  await leavesNothingAsync(async () => {
    const built = tf.sequential({
      layers: [
        tf.layers.dense({ units: 4, inputShape: [3], kernelInitializer: initial(1) }),
        new Double({}),
        tf.layers.batchNormalization(),
        tf.layers.dropout({ rate: 0.1, seed: 1 }),
        tf.layers.dense({ units: 1, kernelInitializer: initial(2) }),
      ],
    });
    const optimizer = tf.train.adam(0.05);
    built.compile({ optimizer, loss: 'meanSquaredError' });
    const x = tf.tensor(xs, [10, 3]);
    const y = tf.ones([10, 1]);
    const { history } = await built.fit(x, y, { epochs: 60, verbose: 0 });
    assert.ok(history.loss.at(-1) < 0.8 * history.loss[0], String(history.loss));
    tf.dispose([x, y]);
    built.dispose();
    optimizer.dispose();
  });
});

test('a loss that throws leaves the model unchanged', async () => {
  await leavesNothingAsync(async () => {
    const built = model();
    built.compile({ optimizer: 'adam', loss: () => assert.fail('no loss today') });
    const x = tf.tensor(xs, [10, 3]);
    const y = tf.tensor(ys, [10, 2]);
    const before = built.getWeights().map((weight) => Array.from(weight.dataSync()));
    await assert.rejects(built.fit(x, y, { verbose: 0 }), /no loss today/);
    assert.deepEqual(
      built.getWeights().map((weight) => Array.from(weight.dataSync())),
      before,
    );
    built.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    await built.fit(x, y, { verbose: 0 });
    tf.dispose([x, y]);
    built.dispose();
  });
});

test('a loss added to a built-in layer counts', async () => {
  await leavesNothingAsync(async () => {
    const plain = tf.sequential({
      layers: [tf.layers.dense({ units: 1, inputShape: [1], kernelInitializer: 'zeros' })],
    });
    plain.layers[0].addLoss(() => tf.scalar(5));
    plain.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const [x, y] = [tf.ones([2, 1]), tf.ones([2, 1])];
    assertClose([await plain.trainOnBatch(x, y)], [6]);
    tf.dispose([x, y, plain]);
  });
});
