import { test } from 'node:test';
import { difference, filesOf, losses, models, optimizers, trainFiles } from '../../conformance/training.mjs';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const kSteps = 25;
const kTolerance = 2e-3;
const theirs = await loadPeer();

async function compare(row, makeOptimizer, steps = kSteps) {
  await leavesNothingAsync(async () => {
    const files = await filesOf(theirs, row);
    const expected = await trainFiles(theirs, files, row, makeOptimizer, steps);
    const got = await trainFiles(tf, files, row, makeOptimizer, steps);
    assert.deepEqual(got.names, expected.names);
    const by = difference(got, expected);
    assert.ok(by < kTolerance, `differs by ${by}`);
  });
}

for (const row of models) {
  test(`${row.name} trains as in TensorFlow.js`, () => compare(row, optimizers.sgd));
}
for (const name of Object.keys(optimizers)) {
  for (const row of models.slice(0, 3)) test(`${row.name} with ${name}`, () => compare(row, optimizers[name]));
}
/** Targets of 0 give percentages slopes of 1e9: after one step, results from random weights are not comparable. */
const stepsOf = (loss) => (loss === 'meanAbsolutePercentageError' ? 1 : 5);

for (const loss of losses) {
  test(`the loss ${loss}`, () =>
    compare(
      { ...models[0], loss, metrics: ['accuracy', 'crossentropy', 'precision', 'mape'] },
      optimizers.sgd,
      stepsOf(loss),
    ));
}
