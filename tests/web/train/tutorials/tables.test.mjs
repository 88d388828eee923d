// Tabular data, as in TensorFlow.js's tutorials.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeRandom } from '../../../../examples/random.mjs';
import './chance.mjs';
import { assert, iris, leavesNothingAsync, tf } from '../../expect.mjs';

/** Returns rows of lists in random order. */
function shuffled(rows, seed) {
  const random = makeRandom(seed);
  return rows
    .map((row) => [random(), row])
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row);
}

test('consumption from horsepower: between 0 and 1, and back', () =>
  leavesNothingAsync(async () => {
    const random = makeRandom(5);
    const cars = Array.from({ length: 200 }, () => {
      const horsepower = 50 + 180 * random();
      return { horsepower, mpg: 2200 / (horsepower + 30) + 2 * random() };
    });
    const { inputs, labels, inputMax, inputMin, labelMax, labelMin } = tf.tidy(() => {
      tf.util.shuffle(cars);
      const x = tf.tensor2d(
        cars.map(({ horsepower }) => horsepower),
        [cars.length, 1],
      );
      const y = tf.tensor2d(
        cars.map(({ mpg }) => mpg),
        [cars.length, 1],
      );
      const [inputMin, inputMax, labelMin, labelMax] = [x.min(), x.max(), y.min(), y.max()];
      return {
        inputs: x.sub(inputMin).div(inputMax.sub(inputMin)),
        labels: y.sub(labelMin).div(labelMax.sub(labelMin)),
        inputMax,
        inputMin,
        labelMax,
        labelMin,
      };
    });
    const model = tf.sequential();
    model.add(
      tf.layers.dense({
        inputShape: [1],
        units: 20,
        useBias: true,
        activation: 'sigmoid',
        kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }),
      }),
    );
    model.add(
      tf.layers.dense({ units: 1, useBias: true, kernelInitializer: tf.initializers.glorotNormal({ seed: 2 }) }),
    );
    model.compile({ optimizer: tf.train.adam(0.02), loss: tf.losses.meanSquaredError, metrics: ['mse'] });
    const seen = [];
    const { history } = await model.fit(inputs, labels, {
      batchSize: 32,
      epochs: 50,
      shuffle: true,
      verbose: 0,
      callbacks: { onEpochEnd: (epoch, { loss, mse }) => seen.push([epoch, loss, mse]) },
    });
    assert.equal(seen.length, 50);
    assert.deepEqual(
      seen.map(([, , mse]) => mse),
      history.mse,
    );
    const at = (horsepower) =>
      tf.tidy(() => {
        const x = tf.tensor2d([horsepower], [1, 1]).sub(inputMin).div(inputMax.sub(inputMin));
        return model.predict(x).mul(labelMax.sub(labelMin)).add(labelMin).dataSync()[0];
      });
    for (const horsepower of [60, 100, 150, 200]) {
      const wanted = 2200 / (horsepower + 30) + 1;
      assert.ok(Math.abs(at(horsepower) - wanted) < 3, `${at(horsepower)} for ${wanted}`);
    }
    tf.dispose([inputs, labels, inputMax, inputMin, labelMax, labelMin]);
    model.dispose();
    // Its creator owns the optimizer.
    model.optimizer.dispose();
  }));

const kClasses = 3;
const flowers = () =>
  readFileSync(path.join(path.dirname(iris), 'iris.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

test('irises: two layers, one-hot targets, and a validation split', () =>
  leavesNothingAsync(async () => {
    const rows = shuffled(flowers(), 11);
    const split = rows.length - 30;
    const [xTrain, yTrain, xTest, yTest] = tf.tidy(() => {
      const xs = tf.tensor2d(rows.map((row) => row.slice(0, 4)));
      const ys = tf.oneHot(tf.tensor1d(rows.map((row) => row[4])).toInt(), kClasses);
      return [
        xs.slice([0, 0], [split, 4]),
        ys.slice([0, 0], [split, kClasses]),
        xs.slice([split, 0]),
        ys.slice([split, 0]),
      ];
    });
    const model = tf.sequential();
    model.add(
      tf.layers.dense({
        units: 10,
        activation: 'sigmoid',
        inputShape: [xTrain.shape[1]],
        kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }),
      }),
    );
    model.add(
      tf.layers.dense({
        units: 3,
        activation: 'softmax',
        kernelInitializer: tf.initializers.glorotNormal({ seed: 2 }),
      }),
    );
    model.compile({ optimizer: tf.train.adam(0.02), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const epochs = [];
    await model.fit(xTrain, yTrain, {
      epochs: 60,
      verbose: 0,
      validationData: [xTest, yTest],
      callbacks: {
        onEpochEnd: async (epoch, logs) => {
          epochs.push(logs);
          await tf.nextFrame();
        },
      },
    });
    assert.deepEqual(Object.keys(epochs[0]).sort(), ['acc', 'loss', 'val_acc', 'val_loss']);
    assert.ok(epochs.at(-1).val_acc > 0.9, JSON.stringify(epochs.at(-1)));
    tf.tidy(() => {
      const logits = model.predict(xTest);
      const matrix = tf.math.confusionMatrix(yTest.argMax(-1), logits.argMax(-1), kClasses);
      const right = tf.linalg.bandPart(matrix, 0, 0).sum().dataSync()[0];
      assert.ok(right >= 27 && matrix.sum().dataSync()[0] === 30);
    });
    tf.dispose([xTrain, yTrain, xTest, yTest]);
    model.optimizer.dispose();
    model.dispose();
  }));

test('irises as a dataset in batches', () =>
  leavesNothingAsync(async () => {
    const rows = shuffled(flowers(), 3);
    const xs = tf.data.array(rows.map((row) => row.slice(0, 4)));
    const ys = tf.data
      .array(rows.map((row) => row[4]))
      .map((label) => tf.tidy(() => tf.oneHot(tf.scalar(label, 'int32'), kClasses)));
    const dataset = tf.data.zip({ xs, ys }).shuffle(150, 'seed').batch(15);
    const model = tf.sequential({
      layers: [
        tf.layers.dense({
          units: 12,
          activation: 'relu',
          inputShape: [4],
          kernelInitializer: tf.initializers.heNormal({ seed: 4 }),
        }),
        tf.layers.dense({
          units: 3,
          activation: 'softmax',
          kernelInitializer: tf.initializers.glorotNormal({ seed: 5 }),
        }),
      ],
    });
    model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const { history } = await model.fitDataset(dataset, { epochs: 60, verbose: 0 });
    assert.ok(history.acc.at(-1) > 0.9, `accuracy ${history.acc.at(-1)}`);
    const [loss, accuracy] = await model.evaluateDataset(dataset);
    assert.ok(accuracy.dataSync()[0] > 0.9);
    tf.dispose([loss, accuracy, model]);
  }));
