// Predicts all 150 irises with one trained model in three ways: leaking, under tidy, and with dispose.
// `npm start` builds the package and runs it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tf from 'tenure';

const kSpecies = ['setosa', 'versicolor', 'virginica'];
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

const rows = readFileSync(beside('iris.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').map(Number));

/** Returns the class and its probability for one row. The enclosing scope owns the two tensors that it makes. */
function predictRow(model, row) {
  const x = tf.tensor2d([row.slice(0, 4)]);
  const y = model.predict(x);
  const probabilities = y.dataSync();
  const best = probabilities.indexOf(Math.max(...probabilities));
  return { best, probability: probabilities[best], tensors: [x, y] };
}

const ways = {
  leaking: (model, row) => predictRow(model, row),
  'under tidy': (model, row) => tf.tidy(() => ({ ...predictRow(model, row), tensors: [] })),
  'with dispose': (model, row) => {
    const result = predictRow(model, row);
    tf.dispose(result.tensors);
    return result;
  },
};

await tf.ready();
const model = await tf.loadLayersModel(beside('model.json'));
model.summary();

for (const [way, predict] of Object.entries(ways)) {
  console.log(`\n${way}:`);
  let correct = 0;
  for (const [index, row] of rows.entries()) {
    const { best, probability } = predict(model, row);
    if (best === row[4]) correct++;
    console.log(
      `  ${String(index + 1).padStart(3)}  ${kSpecies[best].padEnd(10)}  ${probability.toFixed(4)}   # of tensors: ${tf.memory().numTensors}`,
    );
  }
  console.log(
    `  accuracy ${((100 * correct) / rows.length).toFixed(1)} %, ${tf.memory().numTensors} tensors, ${tf.memory().numBytes} bytes`,
  );
}

model.dispose();
console.log(`\nafter model.dispose(): ${tf.memory().numTensors} tensors, all of them from the leaking loop`);
