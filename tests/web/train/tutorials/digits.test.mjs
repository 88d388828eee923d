// Digits by a CNN, as in TensorFlow.js's tutorials of MNIST; and transfer from some digits to others.
import { before, test } from 'node:test';
import { drawDigits } from '../../../../examples/digits/digits.mjs';
import './chance.mjs';
import { assert, leavesNothingAsync, tf } from '../../expect.mjs';

const kSize = 28;
const kClasses = 10;

/** All digits, and consecutive batches of them. */
class Digits {
  #next = 0;
  constructor(count, seed) {
    const { images, labels } = drawDigits(count, seed);
    this.images = images;
    this.labels = labels;
  }
  nextBatch(count) {
    const at = this.#next;
    this.#next += count;
    return {
      xs: tf.tensor2d(this.images.slice(at * kSize ** 2, this.#next * kSize ** 2), [count, kSize ** 2]),
      labels: tf.tidy(() => tf.oneHot(tf.tensor1d(this.labels.slice(at, this.#next), 'int32'), kClasses)),
    };
  }
}

const variance = (seed) => tf.initializers.varianceScaling({ seed });

let digits;
before(() => (digits = new Digits(900, 3)));

test('a CNN reads digits', () =>
  leavesNothingAsync(async () => {
    const model = tf.sequential();
    model.add(
      tf.layers.conv2d({
        inputShape: [kSize, kSize, 1],
        kernelSize: 5,
        filters: 8,
        strides: 1,
        activation: 'relu',
        kernelInitializer: variance(1),
      }),
    );
    model.add(tf.layers.maxPooling2d({ poolSize: [2, 2], strides: [2, 2] }));
    model.add(
      tf.layers.conv2d({ kernelSize: 5, filters: 16, strides: 1, activation: 'relu', kernelInitializer: variance(2) }),
    );
    model.add(tf.layers.maxPooling2d({ poolSize: [2, 2], strides: [2, 2] }));
    model.add(tf.layers.flatten());
    model.add(tf.layers.dense({ units: kClasses, kernelInitializer: variance(3), activation: 'softmax' }));
    model.compile({ optimizer: tf.train.adam(0.003), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });

    const [trainXs, trainYs] = tf.tidy(() => {
      const { xs, labels } = digits.nextBatch(600);
      return [xs.reshape([600, kSize, kSize, 1]), labels];
    });
    const [testXs, testYs] = tf.tidy(() => {
      const { xs, labels } = digits.nextBatch(200);
      return [xs.reshape([200, kSize, kSize, 1]), labels];
    });
    const { history } = await model.fit(trainXs, trainYs, {
      batchSize: 32,
      validationData: [testXs, testYs],
      epochs: 6,
      shuffle: true,
      verbose: 0,
    });
    assert.ok(history.val_acc.at(-1) > 0.9, `accuracy ${history.val_acc}`);

    const { xs, labels } = digits.nextBatch(100);
    const input = xs.reshape([100, kSize, kSize, 1]);
    const matrix = tf.tidy(() => tf.math.confusionMatrix(labels.argMax(-1), model.predict(input).argMax(-1), kClasses));
    const hits = (await matrix.array()).reduce((sum, row, i) => sum + row[i], 0);
    assert.ok(hits > 85, `${hits} of 100`);
    tf.dispose([xs, labels, input, matrix, trainXs, trainYs, testXs, testYs]);
    model.optimizer.dispose();
    model.dispose();
  }));
