// What TensorFlow.js's tutorials train, with only the import changed.
import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

test('XOR', async () => {
  await leavesNothingAsync(async () => {
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 8, inputShape: [2], activation: 'tanh', kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }) }));
    model.add(tf.layers.dense({ units: 1, activation: 'sigmoid', kernelInitializer: tf.initializers.glorotNormal({ seed: 2 }) }));
    model.compile({ optimizer: tf.train.sgd(0.5), loss: 'binaryCrossentropy', metrics: ['accuracy'] });
    const xs = tf.tensor2d([[0, 0], [0, 1], [1, 0], [1, 1]]);
    const ys = tf.tensor2d([[0], [1], [1], [0]]);
    const history = await model.fit(xs, ys, { epochs: 800, batchSize: 4, verbose: 0 });
    assert.equal(history.history.acc.at(-1), 1);
    const y = model.predict(xs);
    assert.deepEqual(Array.from(y.dataSync(), Math.round), [0, 1, 1, 0]);
    tf.dispose([xs, ys, y]);
    model.dispose();
  });
});

test('a line by minimize()', async () => {
  await leavesNothingAsync(async () => {
    const xs = tf.tensor1d([0, 1, 2, 3]);
    const ys = tf.tensor1d([1.1, 5.9, 16.8, 33.9]);
    const [a, b, c] = [0.5, 0.5, 0.5].map((value) => tf.variable(value));
    const f = (x) => a.mul(x.square()).add(b.mul(x)).add(c);
    const loss = (prediction, label) => prediction.sub(label).square().mean();
    const optimizer = tf.train.adam(0.1);
    for (let i = 0; i < 400; i++) optimizer.minimize(() => loss(f(xs), ys));
    const left = tf.tidy(() => loss(f(xs), ys).dataSync()[0]);
    assert.ok(left < 0.1, `loss ${left}`);
    tf.dispose([xs, ys, a, b, c]);
    optimizer.dispose();
  });
});

test('a CNN tells bright halves of images', async () => {
  await leavesNothingAsync(async () => {
    const count = 60;
    const labels = Array.from({ length: count }, (_, i) => i % 4);
    const pixels = new Float32Array(count * 64);
    labels.forEach((label, i) => {
      for (let at = 0; at < 64; at++) {
        const [row, column] = [at >> 3, at & 7];
        const isBright = [row < 4, row >= 4, column < 4, column >= 4][label];
        pixels[64 * i + at] = (isBright ? 0.8 : 0.2) + 0.15 * Math.sin(7 * i + at);
      }
    });
    const model = tf.sequential();
    model.add(tf.layers.conv2d({ inputShape: [8, 8, 1], filters: 4, kernelSize: 3, activation: 'relu', kernelInitializer: tf.initializers.varianceScaling({ seed: 3 }) }));
    model.add(tf.layers.maxPooling2d({ poolSize: 2, strides: 2 }));
    model.add(tf.layers.batchNormalization());
    model.add(tf.layers.flatten());
    model.add(tf.layers.dropout({ rate: 0.1 }));
    model.add(tf.layers.dense({ units: 4, activation: 'softmax', kernelInitializer: tf.initializers.varianceScaling({ seed: 4 }) }));
    model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const xs = tf.tensor4d(pixels, [count, 8, 8, 1]);
    const ys = tf.tidy(() => tf.oneHot(tf.tensor1d(labels, 'int32'), 4));
    const { history } = await model.fit(xs, ys, { epochs: 40, batchSize: 12, verbose: 0 });
    assert.ok(history.acc.at(-1) > 0.9, `accuracy ${history.acc.at(-1)}`);
    tf.dispose([xs, ys]);
    model.dispose();
  });
});

test('an LSTM goes on with a text', async () => {
  await leavesNothingAsync(async () => {
    const text = 'abcdabcdabcdabcdabcdabcdabcd';
    const letters = [...new Set(text)];
    const kLength = 5;
    const samples = Array.from({ length: text.length - kLength }, (_, i) => i);
    const index = (at) => letters.indexOf(text[at]);
    const xs = tf.tidy(() => tf.oneHot(tf.tensor2d(samples.map((i) => Array.from({ length: kLength }, (_, k) => index(i + k))), undefined, 'int32'), 4).toFloat());
    const ys = tf.tidy(() => tf.oneHot(tf.tensor1d(samples.map((i) => index(i + kLength)), 'int32'), 4));
    const model = tf.sequential();
    model.add(tf.layers.lstm({ units: 12, inputShape: [kLength, 4], kernelInitializer: tf.initializers.glorotNormal({ seed: 5 }), recurrentInitializer: tf.initializers.orthogonal({ seed: 6 }) }));
    model.add(tf.layers.dense({ units: 4, activation: 'softmax', kernelInitializer: tf.initializers.glorotNormal({ seed: 7 }) }));
    const optimizer = tf.train.rmsprop(0.02);
    model.compile({ optimizer, loss: 'categoricalCrossentropy' });
    await model.fit(xs, ys, { epochs: 40, batchSize: 8, verbose: 0 });
    const next = tf.tidy(() => model.predict(xs).argMax(-1).dataSync());
    assert.deepEqual(Array.from(next), samples.map((i) => index(i + kLength)));
    tf.dispose([xs, ys]);
    optimizer.dispose();
    model.dispose();
  });
});

test('a head learns on the features of a frozen model', async () => {
  await leavesNothingAsync(async () => {
    const base = tf.sequential({ layers: [tf.layers.dense({ units: 6, inputShape: [3], activation: 'relu', trainable: false })] });
    const head = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [6] })] });
    const model = tf.sequential();
    model.add(base);
    model.add(head);
    const frozen = base.getWeights().map((weight) => Array.from(weight.dataSync()));
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const xs = tf.tensor2d(Array.from({ length: 30 }, (_, i) => Math.sin(i)), [10, 3]);
    const ys = tf.ones([10, 1]);
    const { history } = await model.fit(xs, ys, { epochs: 50, verbose: 0 });
    assert.ok(history.loss.at(-1) < history.loss[0]);
    assert.deepEqual(base.getWeights().map((weight) => Array.from(weight.dataSync())), frozen);
    tf.dispose([xs, ys]);
    model.dispose();
  });
});

test('a network that is asked and taught in turns, as by deep Q-learning', async () => {
  await leavesNothingAsync(async () => {
    const online = tf.sequential({ layers: [tf.layers.dense({ units: 16, inputShape: [4], activation: 'relu' }), tf.layers.dense({ units: 2 })] });
    const optimizer = tf.train.adam(0.01);
    const states = tf.tensor2d(Array.from({ length: 32 }, (_, i) => Math.sin(3 * i)), [8, 4]);
    const actions = tf.tidy(() => tf.oneHot(tf.tensor1d([0, 1, 0, 1, 1, 0, 1, 0], 'int32'), 2).toFloat());
    const wanted = tf.tensor1d([1, -1, 0.5, 2, 0, 1, -2, 0.3]);
    const lossOf = () => {
      const values = online.apply(states, { training: true }).mul(actions).sum(-1);
      return tf.losses.meanSquaredError(wanted, values);
    };
    const losses = [];
    for (let i = 0; i < 120; i++) {
      tf.tidy(() => void online.predict(states.slice([i % 8, 0], [1, 4])).argMax(-1).dataSync());
      const { value, grads } = tf.variableGrads(lossOf, online.trainableWeights.map((weight) => weight.read()));
      optimizer.applyGradients(grads);
      losses.push(value.dataSync()[0]);
      tf.dispose([value, grads]);
    }
    assert.ok(losses.at(-1) < 0.2 * losses[0], `${losses[0]} to ${losses.at(-1)}`);
    tf.dispose([states, actions, wanted]);
    optimizer.dispose();
    online.dispose();
  });
});
