// The first steps of TensorFlow.js's tutorials, with only the import changed.
import { test } from 'node:test';
import './chance.mjs';
import { assert, leavesNothingAsync, tf } from '../../expect.mjs';

/** The variable does not own its initial tensor. */
const variable = (value) => tf.tidy(() => tf.variable(tf.scalar(value)));
const glorot = (seed) => tf.initializers.glorotNormal({ seed });

test('a line, by one dense unit', () =>
  leavesNothingAsync(async () => {
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 1, inputShape: [1] }));
    model.compile({ loss: 'meanSquaredError', optimizer: tf.train.sgd(0.1) });
    const xs = tf.tensor2d([-1, 0, 1, 2, 3, 4], [6, 1]);
    const ys = tf.tensor2d([-3, -1, 1, 3, 5, 7], [6, 1]);
    await model.fit(xs, ys, { epochs: 250, verbose: 0 });
    const answer = tf.tidy(() => model.predict(tf.tensor2d([20], [1, 1])));
    const [value] = await answer.data();
    assert.ok(Math.abs(value - 39) < 0.5, String(value));
    tf.dispose([xs, ys, model, answer]);
  }));

test('XOR', () =>
  leavesNothingAsync(async () => {
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 8, inputShape: [2], activation: 'tanh', kernelInitializer: glorot(1) }));
    model.add(tf.layers.dense({ units: 1, activation: 'sigmoid', kernelInitializer: glorot(2) }));
    model.compile({ optimizer: tf.train.sgd(0.5), loss: 'binaryCrossentropy', metrics: ['accuracy'] });
    const xs = tf.tensor2d([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    const ys = tf.tensor2d([[0], [1], [1], [0]]);
    const history = await model.fit(xs, ys, { epochs: 800, batchSize: 4, verbose: 0 });
    assert.equal(history.history.acc.at(-1), 1);
    const y = model.predict(xs);
    assert.deepEqual(Array.from(y.dataSync(), Math.round), [0, 1, 1, 0]);
    tf.dispose([xs, ys, y]);
    model.dispose();
  }));

test('a line by minimize()', () =>
  leavesNothingAsync(async () => {
    const xs = tf.tensor1d([0, 1, 2, 3]);
    const ys = tf.tidy(() => xs.mul(2.5).sub(1));
    const m = variable(0.3);
    const b = variable(0.1);
    const predict = (x) => tf.tidy(() => m.mul(x).add(b));
    const optimizer = tf.train.sgd(0.1);
    let last;
    for (let i = 0; i < 150; i++) {
      const cost = optimizer.minimize(() => predict(xs).sub(ys).square().mean(), true);
      [last] = await cost.data();
      cost.dispose();
    }
    assert.ok(last < 1e-3, `loss ${last}`);
    assert.ok(Math.abs(m.dataSync()[0] - 2.5) < 0.05);
    assert.ok(Math.abs(b.dataSync()[0] + 1) < 0.1);
    tf.dispose([xs, ys, m, b]);
    optimizer.dispose();
  }));

test('a cubic by core ops', () =>
  leavesNothingAsync(async () => {
    const wanted = { a: -0.8, b: -0.2, c: 0.9, d: 0.5 };
    const polynomial = ({ a, b, c, d }, x) =>
      tf.tidy(() =>
        a
          .mul(x.pow(tf.scalar(3, 'int32')))
          .add(b.mul(x.square()))
          .add(c.mul(x))
          .add(d),
      );
    const constants = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, tf.scalar(value)]));
    const [xs, ys] = tf.tidy(() => {
      const x = tf.randomUniform([100], -1, 1, 'float32', 1);
      const y = polynomial(constants, x).add(tf.randomNormal([100], 0, 0.04, 'float32', 2));
      const yMin = y.min();
      return [x, y.sub(yMin).div(y.max().sub(yMin))];
    });
    const coefficients = { a: variable(0.1), b: variable(0.6), c: variable(0.3), d: variable(0.9) };
    const optimizer = tf.train.sgd(0.5);
    const loss = () => polynomial(coefficients, xs).sub(ys).square().mean();
    for (let i = 0; i < 75; i++) {
      optimizer.minimize(loss);
      if (i % 25 === 0) await tf.nextFrame();
    }
    const left = tf.tidy(() => loss().dataSync()[0]);
    assert.ok(left < 0.005, `loss ${left}`);
    tf.dispose([xs, ys, constants, coefficients]);
  }));

test('a parabola by Adam, whose slots are disposed with it', () =>
  leavesNothingAsync(async () => {
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
  }));
