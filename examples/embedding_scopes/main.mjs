// A capped scope of a model accepts no more tensors: a batch's tensors belong to the batch, and a bug that attaches them to the
// model throws where it is made. `npm run build && node examples/embedding_scopes/main.mjs`
import assert from 'node:assert/strict';
import * as tf from 'tenure';
import { IdEmbedding } from './id_embedding.mjs';

const kBatches = Number(process.argv[2] ?? 10_000);
const kIds = 500;

const model = tf.scope('model');
const embedding = new IdEmbedding(model, kIds, 16, 1);
const weight = model.run(() => tf.randomNormal([16, 1], 0, 1, 'float32', 2));
model.cap();
const { numTensors, numBytes } = model;

/** Returns a score for each id. */
function score(batch, ids, forward) {
  const scores = batch.run(() => forward(ids).matMul(weight).sigmoid());
  return [...scores.dataSync()];
}

let sum = 0;
for (let i = 0; i < kBatches; i++) {
  const batch = model.child('batch');
  const ids = Array.from({ length: 8 }, (_, k) => (i * 31 + k * 7) % kIds);
  sum += score(batch, ids, (x) => embedding.forward(x)).reduce((a, b) => a + b);
  assert.equal(batch.numTensors, 4);
  batch.close();
  assert.deepEqual([model.numTensors, model.numBytes, tf.memory().numTensors], [numTensors, numBytes, numTensors]);
}
console.log(
  `${kBatches} batches, mean score ${(sum / kBatches / 8).toFixed(4)}; the model has its ${numTensors} tensors, ${numBytes} bytes`,
);

const batch = model.child('batch');
assert.throws(
  () => score(batch, [1, 2, 3], (x) => embedding.forwardIntoModel(x)),
  (error) => {
    console.log(`the buggy variant, at its first batch: ${error.message}`);
    return /scope 'model' is capped/.test(error.message);
  },
);
console.log(model.dump().trimEnd());
model.close();
console.log(`${tf.memory().numTensors} tensors at the end`);
