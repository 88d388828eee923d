// Trains a classifier of irises from a CSV file, row by row, and evaluates it on held-out flowers.
// `npm run build && node examples/iris_training/main.mjs`
import * as tf from 'tenure';

const kSpecies = ['setosa', 'versicolor', 'virginica'];
const kFlowers = 150;
const kTest = 30;
const kSeed = 'irises';

await tf.ready();
const csv = tf.data.csv(new URL('../iris/iris.csv', import.meta.url).href, {
  columnConfigs: { species: { isLabel: true } },
});
// Shuffled once, so that no flower is in both the training and the test set.
const flowers = tf.data.array(await csv.shuffle(kFlowers, kSeed).toArray()).map(({ xs, ys }) => ({
  xs: Object.values(xs),
  ys: tf.tidy(() => tf.oneHot(tf.scalar(ys.species, 'int32'), kSpecies.length)),
}));
const training = flowers.skip(kTest).shuffle(kFlowers, kSeed).batch(40);
const test = flowers.take(kTest).batch(kTest);

const initializer = (seed) => tf.initializers.glorotNormal({ seed });
const model = tf.sequential({
  layers: [
    tf.layers.dense({ units: 16, activation: 'tanh', inputShape: [4], kernelInitializer: initializer(1) }),
    tf.layers.dense({ units: kSpecies.length, activation: 'softmax', kernelInitializer: initializer(2) }),
  ],
});
const optimizer = tf.train.adam(0.02);
model.compile({ optimizer, loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
model.summary();

await model.fitDataset(training, {
  epochs: 100,
  verbose: 0,
  validationData: test,
  callbacks: {
    onEpochEnd: (epoch, { loss, acc, val_acc }) => {
      if ((epoch + 1) % 20 === 0)
        console.log(
          `epoch ${epoch + 1}: loss ${loss.toFixed(3)}, accuracy ${percent(acc)}, of unseen flowers ${percent(val_acc)}`,
        );
    },
  },
});
const [seen, unseen] = [await accuracyOf(training), await accuracyOf(test)];
console.log(`${percent(seen)} of ${kFlowers - kTest} flowers, ${percent(unseen)} of ${kTest} that it has not seen`);

model.dispose();
optimizer.dispose();
console.log(`${tf.memory().numTensors} tensors at the end`);

async function accuracyOf(dataset) {
  const numbers = await model.evaluateDataset(dataset);
  const [, accuracy] = numbers.map((number) => number.dataSync()[0]);
  tf.dispose(numbers);
  return accuracy;
}

function percent(part) {
  return `${(100 * part).toFixed(1)} %`;
}
