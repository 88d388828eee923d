import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { assert, assertClose, iris, leavesNothingAsync, tf } from '../expect.mjs';
import { weightsOf, withLine } from './line_model.mjs';

test('a step of gradient descent on a line, by hand', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError', metrics: ['mae'] });
    // Predictions 3, 5, 7, 9: mean of squares 41; gradients 2 * mean(p x) = 35 and 2 * mean(p) = 12... by hand below.
    const p = [3, 5, 7, 9];
    const gw = (2 * p.reduce((sum, v, i) => sum + v * (i + 1), 0)) / 4;
    const gb = (2 * p.reduce((sum, v) => sum + v, 0)) / 4;
    assert.deepEqual(await model.trainOnBatch(x, y), [41, 6]);
    assertClose(weightsOf(model), [2 - 0.01 * gw, 1 - 0.01 * gb], 1e-6);
    const prediction = model.predict(x);
    assertClose(
      Array.from(prediction.dataSync()),
      [1, 2, 3, 4].map((v) => v * (2 - 0.01 * gw) + 1 - 0.01 * gb),
      1e-5,
    );
    prediction.dispose();
    assert.deepEqual(model.metricsNames, ['loss', 'mae']);
  });
});

test('predict() uses the new weights after each step, planned or not', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    for (let i = 0; i < 12; i++) {
      const [w, b] = weightsOf(model);
      for (let k = 0; k < 1 + (i % 5); k++) {
        const prediction = model.predict(x);
        assertClose(
          Array.from(prediction.dataSync()),
          [1, 2, 3, 4].map((v) => v * w + b),
          1e-5,
        );
        prediction.dispose();
      }
      await model.trainOnBatch(x, y);
    }
  });
});

test('regularizers add to the loss and its gradients, constraints bound the weights', async () => {
  const config = {
    kernel_regularizer: { class_name: 'L1L2', config: { l1: 0.5, l2: 0.25 } },
    bias_constraint: { class_name: 'NonNeg', config: {} },
  };
  await withLine(config, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
    assert.equal(await model.trainOnBatch(x, y), 41 + 0.5 * 2 + 0.25 * 4);
    // 35 from the data, 0.5 * sign(w) and 2 * 0.25 * w from the regularizer; the bias would be 1 - 1.2.
    assertClose(weightsOf(model), [2 - 0.1 * (35 + 0.5 + 1), 0], 1e-5);
  });
});

test('weights of samples and classes scale the losses of their samples', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' });
    const weights = tf.tensor([0, 1, 0, 2]);
    const { history } = await model.fit(x, y, { sampleWeight: weights, shuffle: false, verbose: 0 });
    assert.equal(history.loss[0], (25 + 2 * 81) / 4);
    const labels = tf.tensor([0, 1, 0, 1], [4, 1]);
    const byClass = await model.fit(x, labels, { classWeight: { 0: 1, 1: 10 }, verbose: 0 });
    assert.equal(byClass.history.loss[0], (9 + 10 * 16 + 49 + 10 * 64) / 4);
    await assert.rejects(
      model.fit(x, labels, { classWeight: { 0: 1 }, verbose: 0 }),
      /The class 1 exists in the data but not in classWeight/,
    );
    await assert.rejects(
      model.fit(x, y, { sampleWeight: labels, verbose: 0 }),
      /sampleWeight must have the shape \[4\]/,
    );
    tf.dispose([weights, labels]);
  });
});

test('callbacks are called in order, and may stop the training', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const called = [];
    const note = (name) => (at, logs) =>
      void called.push(typeof at === 'number' ? `${name} ${at}` : name, ...(logs?.loss ? ['loss'] : []));
    const callbacks = {};
    for (const hook of ['TrainBegin', 'TrainEnd', 'EpochBegin', 'EpochEnd', 'BatchBegin', 'BatchEnd'])
      callbacks[`on${hook}`] = note(hook);
    const history = await model.fit(x, y, { epochs: 2, batchSize: 3, verbose: 0, callbacks });
    const epoch = (i) => [
      `EpochBegin ${i}`,
      'BatchBegin 0',
      'BatchEnd 0',
      'loss',
      'BatchBegin 1',
      'BatchEnd 1',
      'loss',
      `EpochEnd ${i}`,
      'loss',
    ];
    assert.deepEqual(called, ['TrainBegin', ...epoch(0), ...epoch(1), 'TrainEnd']);
    assert.deepEqual(history.epoch, [0, 1]);
    assert.equal(model.history, history);

    const stopping = { onEpochEnd: (at) => void (model.stopTraining = at === 4) };
    assert.deepEqual(
      (await model.fit(x, y, { epochs: 9, initialEpoch: 3, verbose: 0, callbacks: stopping })).epoch,
      [3, 4],
    );
    const early = tf.callbacks.earlyStopping({ monitor: 'loss', minDelta: 1e9 });
    assert.deepEqual((await model.fit(x, y, { epochs: 9, verbose: 0, callbacks: early })).epoch, [0, 1]);
  });
});

test('errors leave the model usable and leak nothing', async () => {
  await withLine({}, async (model, x, y) => {
    await assert.rejects(model.fit(x, y), /You must compile a model before training/);
    assert.throws(() => model.compile({ optimizer: 'sgd', loss: 'nothing' }), /Unknown loss nothing/);
    assert.throws(() => model.compile({ optimizer: 'nobody', loss: 'meanSquaredError' }), /Unknown Optimizer nobody/);
    assert.throws(
      () => model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['none'] }),
      /Unknown metric none/,
    );
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const wrong = tf.zeros([4, 2]);
    const few = tf.zeros([3, 1]);
    await assert.rejects(
      model.fit(wrong, y, { verbose: 0 }),
      /input expected a batch of elements where each example has shape \[1\]/,
    );
    await assert.rejects(model.fit(x, few, { verbose: 0 }), /Found 4 input sample\(s\) and 3 target sample\(s\)/);
    await assert.rejects(model.fit([x, x], y, { verbose: 0 }), /Expected to see 1 Tensor\(s\)/);
    await assert.rejects(
      model.fit(x, y, { batchSize: 0, verbose: 0 }),
      /batchSize is required to be a positive integer, but got 0/,
    );
    const broken = { onBatchEnd: () => assert.fail('broken') };
    await assert.rejects(model.fit(x, y, { verbose: 0, callbacks: broken }), /broken/);
    const gone = x.clone();
    await assert.rejects(
      model.fit(gone, y, { epochs: 3, verbose: 0, callbacks: { onEpochEnd: () => gone.dispose() } }),
      /disposed/,
    );
    const first = model.fit(x, y, { epochs: 2, verbose: 0 });
    await assert.rejects(model.fit(x, y, { verbose: 0 }), /another fit\(\) call is ongoing/);
    await first;
    tf.dispose([wrong, few]);
    assert.equal(model.isTraining, false);
  });
});

test('a model without trainable weights throws, and trains once it has some', async () => {
  await withLine({}, async (model, x, y) => {
    const warn = console.warn;
    const warnings = [];
    console.warn = (words) => warnings.push(words);
    const nothing =
      /expects at least one of the input variables to be trainable, but none of the \d variables is trainable/;
    const sgd = () => model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    try {
      model.layers[0].trainable = false;
      sgd();
      for (const metrics of [undefined, (a, b) => tf.mean(tf.sub(a, b))]) {
        if (metrics) model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics });
        await assert.rejects(model.fit(x, y, { verbose: 0 }), nothing);
        await assert.rejects(model.trainOnBatch(x, y), nothing);
        await assert.rejects(
          model.fitDataset(tf.data.array([{ xs: [1], ys: [0] }]).batch(1), { epochs: 1, verbose: 0 }),
          nothing,
        );
      }
      model.evaluate(x, y).forEach((one) => one.dispose());
      assert.deepEqual(weightsOf(model), [2, 1]);
      assert.deepEqual(warnings, []);
      model.layers[0].trainable = true;
      await assert.rejects(model.fit(x, y, { verbose: 0 }), nothing, 'it was compiled to train nothing');
      assert.match(warnings.pop(), /The trainable weights have changed since compile\(\)/);
      sgd();
      await model.fit(x, y, { verbose: 0 });
      assert.deepEqual(warnings, []);
      const before = weightsOf(model);
      assert.notDeepEqual(before, [2, 1]);
      model.trainable = false;
      await assert.rejects(model.fit(x, y, { verbose: 0 }), nothing);
      assert.equal(warnings.length, 1);
      assert.deepEqual(weightsOf(model), before);
    } finally {
      console.warn = warn;
    }
  });
});

test('models train and evaluate on datasets', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' });
    const pairs = () => [1, 2, 3, 4].map((v) => ({ xs: [v], ys: [0] }));
    const dataset = tf.data.array(pairs()).batch(3);
    const { history } = await model.fitDataset(dataset, { epochs: 2, verbose: 0, validationData: [x, y] });
    assertClose(history.loss, [41, 41]);
    assertClose(history.val_loss, [41, 41]);
    const loss = await model.evaluateDataset(dataset);
    assertClose(Array.from(loss.dataSync()), [41]);
    loss.dispose();
    const limited = await model.fitDataset(dataset.repeat(), { epochs: 2, batchesPerEpoch: 3, verbose: 0 });
    assert.equal(limited.epoch.length, 2);
    await assert.rejects(model.fitDataset(tf.data.array([1, 2]), { epochs: 1, verbose: 0 }), /objects of the form/);
  });
});

test('iris learns', async () => {
  await leavesNothingAsync(async () => {
    const model = await tf.loadLayersModel(iris);
    const rows = readFileSync(path.join(path.dirname(iris), 'iris.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').map(Number));
    const x = tf.tensor2d(rows.map((row) => row.slice(0, 4)));
    const y = tf.tidy(() =>
      tf
        .oneHot(
          tf.tensor1d(
            rows.map((row) => row[4]),
            'int32',
          ),
          3,
        )
        .cast('float32'),
    );
    model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const { history } = await model.fit(x, y, { epochs: 3, verbose: 0 });
    assert.ok(history.acc.at(-1) > 0.9, `accuracy ${history.acc}`);
    tf.dispose([x, y]);
    model.dispose();
  });
});

test('null options are treated as omitted', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' });
    const nothing = {
      batchSize: null,
      epochs: null,
      initialEpoch: null,
      shuffle: null,
      validationSplit: null,
      callbacks: null,
      classWeight: null,
      sampleWeight: null,
      yieldEvery: null,
    };
    const { epoch, history } = await model.fit(x, y, { ...nothing, verbose: 0 });
    assert.deepEqual([epoch, history], [[0], { loss: [41] }]);
    const loss = model.evaluate(x, y, { batchSize: null, verbose: null, steps: null });
    assert.equal(loss.dataSync()[0], 41);
    loss.dispose();
  });
});

test('metric functions keep their names', async () => {
  await withLine({}, async (model) => {
    const { MAPE, mape, MSE, mse, meanSquaredError, binaryAccuracy } = tf.metrics;
    function mine(a, b) {
      return tf.mean(tf.sub(a, b));
    }
    model.compile({
      optimizer: 'sgd',
      loss: 'meanSquaredError',
      metrics: [MAPE, mape, MSE, mse, meanSquaredError, binaryAccuracy, mine, 'MAE'],
    });
    assert.deepEqual(model.metricsNames, [
      'loss',
      'MAPE',
      'mape',
      'MSE',
      'mse',
      'meanSquaredError',
      'binaryAccuracy',
      'mine',
      'MAE',
    ]);
  });
});

test('validation yields to the page', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const framesOf = async (fit) => {
      let frames = 0;
      let now = 0;
      // Each reading of the clock is 100 ms later.
      await fit({ nowFunc: () => (now += 100), nextFrameFunc: async () => void frames++ });
      return frames;
    };
    const batches = () => tf.data.array([1, 2, 3, 4].map((v) => ({ xs: [v], ys: [0] }))).batch(1);
    const args = { epochs: 1, batchSize: 1, verbose: 0 };
    const of = (more) => (callbacks) => model.fit(x, y, { ...args, callbacks, ...more });
    const ofDataset = (more) => (callbacks) =>
      model.fitDataset(batches(), { epochs: 1, verbose: 0, callbacks, ...more });
    const yieldEvery = 'batch';
    assert.equal(await framesOf(of({ yieldEvery })), 4);
    assert.equal(await framesOf(of({ yieldEvery, validationData: [x, y] })), 8);
    assert.equal(await framesOf(of({ yieldEvery: 150, validationData: [x, y] })), 4);
    assert.equal(await framesOf(of({ yieldEvery: 'epoch', validationData: [x, y] })), 1);
    assert.equal(await framesOf(of({ yieldEvery: 'never', validationData: [x, y] })), 0);
    assert.equal(await framesOf(ofDataset({ yieldEvery, validationData: [x, y], validationBatchSize: 1 })), 8);
    assert.equal(await framesOf(ofDataset({ yieldEvery, validationData: batches() })), 8);
  });
});

test('a discriminator frozen after its compilation still trains on its own', async () => {
  await leavesNothingAsync(async () => {
    const { layers } = tf;
    const features = tf.sequential({
      layers: [layers.dense({ units: 4, inputShape: [3], kernelInitializer: 'zeros' })],
    });
    const image = tf.input({ shape: [3] });
    const judge = layers
      .dense({ units: 1, activation: 'sigmoid', kernelInitializer: 'ones' })
      .apply(features.apply(image));
    const discriminator = tf.model({ inputs: image, outputs: judge });
    discriminator.compile({ optimizer: 'sgd', loss: 'binaryCrossentropy' });
    discriminator.trainable = false;
    const [x, y] = [tf.ones([4, 3]), tf.ones([4, 1])];
    const before = weightsOf(discriminator);
    const losses = [];
    for (let i = 0; i < 3; i++) losses.push(await discriminator.trainOnBatch(x, y));
    assertClose([losses[0]], [Math.log(2)]);
    assert.notDeepEqual(weightsOf(discriminator), before);
    tf.dispose([x, y, discriminator, features]);
  });
});

test('a model recompiled in a callback continues with its new optimizer', async () => {
  await withLine({ kernel_constraint: null }, async (model, x, y) => {
    model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
    const seen = [];
    await model.fit(x, y, {
      epochs: 4,
      verbose: 0,
      callbacks: {
        onEpochBegin(epoch) {
          if (epoch === 2) model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' });
        },
        onEpochEnd: () => void seen.push(weightsOf(model)),
      },
    });
    assert.notDeepEqual(seen[1], seen[0]);
    assert.deepEqual(seen[3], seen[1]);
  });
});

test('stepsPerEpoch and validationSteps have no effect, as in TensorFlow.js', async () => {
  await withLine({}, async (model, x, y) => {
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    let batches = 0;
    const callbacks = { onBatchEnd: () => void batches++ };
    const { history } = await model.fit(x, y, {
      batchSize: 1,
      epochs: 1,
      stepsPerEpoch: 2,
      validationSplit: 0.5,
      validationSteps: 1,
      verbose: 0,
      callbacks,
    });
    assert.equal(batches, 2);
    assert.ok('val_loss' in history);
  });
});
