// Transfer learning, as in TensorFlow.js's tutorials.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import './chance.mjs';
import { drawDigits } from '../../../../examples/digits/digits.mjs';
import { makeRandom } from '../../../../examples/random.mjs';
import { modelsFolder } from '../../../golden_models.mjs';
import { assert, leavesNothingAsync, tf } from '../../expect.mjs';

const mobilenet = path.join(modelsFolder, 'mobilenet025/model.json');
/** With random weights, later layers hardly distinguish pictures. */
const kNear = 're_lu_ReLU1';
const kFar = 'batch_normalization_BatchNormalization3';
const variance = (seed) => tf.initializers.varianceScaling({ seed });
const valuesOf = (model) => model.getWeights().map((weight) => Array.from(weight.dataSync()));

/** Returns a picture of a class that differs by direction: horizontal, vertical or crossed stripes. */
function picture(kind, size, random) {
  const [width, shift] = [6 + 6 * random(), 12 * random()];
  const wave = (at) => Math.sin((2 * Math.PI * (at + shift)) / width);
  const pixels = new Float32Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const value = [wave(y), wave(x), wave(x) * wave(y)][kind];
      pixels.fill(value * (0.5 + 0.5 * random()), 3 * (y * size + x), 3 * (y * size + x + 1));
    }
  }
  return tf.tensor4d(pixels, [1, size, size, 3]);
}

test('a head on the features of a MobileNet', { skip: !existsSync(mobilenet) && 'its files are not here' }, () =>
  leavesNothingAsync(async () => {
    const loaded = await tf.loadLayersModel(mobilenet);
    const layer = loaded.getLayer(kNear);
    const truncated = tf.model({ inputs: loaded.inputs, outputs: layer.output });
    for (const one of truncated.layers) one.trainable = false;
    const frozen = valuesOf(loaded);
    const [, size] = loaded.inputs[0].shape;
    const random = makeRandom(5);

    // The examples are added one by one.
    let xs;
    let ys;
    const kKinds = 3;
    for (let i = 0; i < 24; i++) {
      const features = tf.tidy(() => truncated.predict(picture(i % kKinds, size, random)));
      const y = tf.tidy(() => tf.oneHot(tf.tensor1d([i % kKinds]).toInt(), kKinds));
      if (xs) {
        const [oldX, oldY] = [xs, ys];
        xs = tf.keep(oldX.concat(features, 0));
        ys = tf.keep(oldY.concat(y, 0));
        tf.dispose([oldX, oldY, features, y]);
      } else {
        xs = tf.keep(features);
        ys = tf.keep(y);
      }
    }

    const head = tf.sequential({
      layers: [
        tf.layers.flatten({ inputShape: layer.outputShape.slice(1) }),
        tf.layers.dense({ units: 20, activation: 'relu', kernelInitializer: variance(1), useBias: true }),
        tf.layers.dense({ units: kKinds, kernelInitializer: variance(2), useBias: false, activation: 'softmax' }),
      ],
    });
    const optimizer = tf.train.adam(0.0003);
    head.compile({ optimizer, loss: 'categoricalCrossentropy' });
    const losses = [];
    await head.fit(xs, ys, {
      batchSize: Math.floor(xs.shape[0] * 0.4),
      epochs: 60,
      verbose: 0,
      callbacks: { onBatchEnd: async (batch, logs) => void losses.push(logs.loss) },
    });
    assert.ok(losses.at(-1) < 0.2 * losses[0], `${losses[0]} to ${losses.at(-1)}`);
    for (let kind = 0; kind < kKinds; kind++) {
      const guess = tf.tidy(
        () =>
          head
            .predict(truncated.predict(picture(kind, size, random)))
            .as1D()
            .argMax()
            .dataSync()[0],
      );
      assert.equal(guess, kind);
    }
    assert.deepEqual(valuesOf(loaded), frozen);
    tf.dispose([xs, ys]);
    optimizer.dispose();
    head.dispose();
    truncated.dispose();
    loaded.dispose();
  }),
);

test('a head and its frozen MobileNet as one model', { skip: !existsSync(mobilenet) && 'its files are not here' }, () =>
  leavesNothingAsync(async () => {
    const loaded = await tf.loadLayersModel(mobilenet);
    // As in TensorFlow.js, a frozen layer's moving statistics are updated too.
    const kernels = () =>
      loaded.weights.filter(({ name }) => !/moving/.test(name)).map((weight) => Array.from(weight.read().dataSync()));
    const frozen = kernels();
    for (const layer of loaded.layers) layer.trainable = false;
    const pooled = tf.layers.globalAveragePooling2d({}).apply(loaded.getLayer(kFar).output);
    const answer = tf.layers.dense({ units: 2, activation: 'softmax', kernelInitializer: variance(3) }).apply(pooled);
    const model = tf.model({ inputs: loaded.inputs, outputs: answer });
    assert.equal(model.trainableWeights.length, 2);
    const [, size] = loaded.inputs[0].shape;
    const random = makeRandom(8);
    const kinds = Int32Array.from({ length: 16 }, (_, i) => i % 2);
    const xs = tf.tidy(() => tf.concat(Array.from(kinds, (kind) => picture(kind, size, random))));
    const ys = tf.tidy(() => tf.oneHot(kinds, 2));
    model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const { history } = await model.fit(xs, ys, { epochs: 8, batchSize: 8, verbose: 0 });
    assert.equal(history.acc.at(-1), 1);
    assert.deepEqual(kernels(), frozen);
    tf.dispose([xs, ys]);
    model.optimizer.dispose();
    model.dispose();
    loaded.dispose();
  }),
);

test('transfer from the digits below five to those above', () =>
  leavesNothingAsync(async () => {
    const { images, labels } = drawDigits(800, 21);
    const chosen = (isChosen) => {
      const at = Array.from(labels.keys()).filter((i) => isChosen(labels[i]));
      return tf.tidy(() => ({
        x: tf.tensor4d(images, [800, 28, 28, 1]).gather(tf.tensor1d(at, 'int32')),
        y: tf
          .oneHot(
            Int32Array.from(at, (i) => labels[i] % 5),
            5,
          )
          .toFloat(),
      }));
    };
    const [low, high] = [chosen((label) => label < 5), chosen((label) => label >= 5)];
    const model = tf.sequential({
      layers: [
        tf.layers.conv2d({
          inputShape: [28, 28, 1],
          filters: 8,
          kernelSize: 5,
          strides: 2,
          activation: 'relu',
          kernelInitializer: variance(1),
        }),
        tf.layers.conv2d({
          filters: 16,
          kernelSize: 3,
          strides: 2,
          activation: 'relu',
          kernelInitializer: variance(2),
        }),
        tf.layers.dropout({ rate: 0.25, seed: 1 }),
        tf.layers.flatten(),
        tf.layers.dense({ units: 32, activation: 'relu', kernelInitializer: variance(3) }),
        tf.layers.dense({ units: 5, activation: 'softmax', kernelInitializer: variance(4) }),
      ],
    });
    const optimizer = tf.train.adam(0.005);
    const compile = () => model.compile({ optimizer, loss: 'categoricalCrossentropy', metrics: ['acc'] });
    compile();
    await model.fit(low.x, low.y, { batchSize: 32, epochs: 8, verbose: 0 });

    for (const layer of model.layers.slice(0, 4)) layer.trainable = false;
    compile();
    assert.equal(model.trainableWeights.length, 4);
    const frozen = model.layers.slice(0, 2).flatMap(valuesOf);
    const numbers = tf.tidy(() => model.evaluate(high.x, high.y).map((number) => number.dataSync()[0]));
    const { history } = await model.fit(high.x, high.y, {
      batchSize: 32,
      epochs: 12,
      validationSplit: 0.2,
      verbose: 0,
    });
    assert.ok(numbers[1] < 0.5 && history.val_acc.at(-1) > 0.85, `accuracy ${numbers[1]} to ${history.val_acc}`);
    assert.deepEqual(model.layers.slice(0, 2).flatMap(valuesOf), frozen);
    tf.dispose([low, high]);
    optimizer.dispose();
    model.dispose();
  }));
