import { test } from 'node:test';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { Training } from '../../conformance/random/models/training.mjs';
import { assert, tf } from '../expect.mjs';

const kModels = 40;
const kSeed = 30;

test(`${kModels} random models train as in TensorFlow.js, and leak nothing`, async () => {
  const before = tf.memory().numTensors;
  const training = new Training(tf, await loadPeer({ withMethods: true }));
  const differ = [];
  for (let place = 0; place < kModels; place++) {
    const found = await training.run(kSeed, place);
    if (found) differ.push(`--train --seed ${kSeed} --only ${place}: ${found.words}`);
  }
  assert.deepEqual(differ, []);
  assert.ok(training.trained > kModels / 3, `only ${training.trained} trained`);
  assert.ok(
    training.unsteady < training.trained / 4,
    `${training.unsteady} of ${training.trained} hang on the last bits`,
  );
  assert.equal(tf.memory().numTensors, before);
});
