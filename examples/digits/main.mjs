// Trains a convolutional network to read digits that are drawn on the fly.
// `npm run build && node examples/digits/main.mjs`
import * as tf from 'tenure';
import { drawDigits } from './digits.mjs';
import { makeReader } from './reader.mjs';

const kTraining = 2000;
const kTest = 500;

const toTensors = ({ images, labels }) => ({
  xs: tf.tensor4d(images, [labels.length, 28, 28, 1]),
  ys: tf.tidy(() => tf.oneHot(tf.tensor1d(labels, 'int32'), 10)),
});

await tf.ready();
const training = toTensors(drawDigits(kTraining, 1));
const test = toTensors(drawDigits(kTest, 2));
const model = makeReader(tf);
const start = performance.now();
await model.fit(training.xs, training.ys, {
  epochs: 4,
  batchSize: 64,
  // Unshuffled, so that each run is the same.
  shuffle: false,
  validationData: [test.xs, test.ys],
  callbacks: {
    onEpochEnd: (epoch, { loss, val_acc }) =>
      console.log(`epoch ${epoch + 1}: loss ${loss.toFixed(3)}, ${(100 * val_acc).toFixed(1)} % of unseen digits read`),
  },
});
console.error(`${((performance.now() - start) / 1000).toFixed(1)} s`);

tf.dispose([training, test, model]);
console.log(`${tf.memory().numTensors} tensors at the end`);
