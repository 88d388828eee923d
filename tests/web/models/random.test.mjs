import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tf from '../../../dist/index.js';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { Session } from '../../conformance/random/models/session.mjs';

const kModels = 100;
const kSeed = 20;

test(`${kModels} random models match TensorFlow.js or Keras, and leak nothing`, async () => {
  await tf.ready();
  const before = tf.memory().numTensors;
  const session = new Session(tf, await loadPeer());
  const differ = [];
  for (let place = 0; place < kModels; place++) {
    const found = await session.run(kSeed, place);
    if (found) differ.push(`--seed ${kSeed} --only ${place}: ${found.words}`);
  }
  assert.deepEqual(differ, []);
  assert.ok(session.predictions - session.refused > 2 * kModels, `only ${session.predictions} predictions`);
  assert.equal(tf.memory().numTensors, before);
});
