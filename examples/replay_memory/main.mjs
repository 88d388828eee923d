// Fills a replay memory with 10,000 steps whose states are pushed twice, as a step's next state and as the next step's state,
// and checks the number of tensors after each step.
// `npm run build && node examples/replay_memory/main.mjs`
import assert from 'node:assert/strict';
import * as tf from 'tenure';
import { makeRandom } from '../random.mjs';
import { CartPole } from './cart_pole.mjs';
import { QNetwork } from './q_network.mjs';

const kSteps = Number(process.argv[2] ?? 10_000);
const kCapacity = 1000;
const kBatch = 32;
const kDiscount = 0.99;
const kCurious = 0.1;
const kSeed = 7;

const random = makeRandom(kSeed);
const world = new CartPole(random);
const network = new QNetwork(4, 24, 2, kSeed);
const memory = new tf.ReplayMemory(kCapacity, { seed: kSeed });

function choose(state) {
  if (random() < kCurious) return random() < 0.5 ? 0 : 1;
  return tf.tidy(() => network.predict(state).argMax(-1).dataSync()[0]);
}

/** Returns the network's mean squared temporal-difference error, which a training step would reduce. */
function surprise(steps) {
  return tf.tidy(() => {
    const now = network.predict(tf.concat(steps.map(({ state }) => state)));
    const next = network.predict(tf.concat(steps.map(({ nextState }) => nextState)));
    const goesOn = tf.tensor1d(steps.map(({ done }) => (done ? 0 : 1)));
    const target = next
      .max(-1)
      .mul(goesOn)
      .mul(kDiscount)
      .add(tf.tensor1d(steps.map(({ reward }) => reward)));
    const taken = tf.oneHot(
      tf.tensor1d(
        steps.map(({ action }) => action),
        'int32',
      ),
      2,
    );
    return now.mul(taken).sum(-1).sub(target).square().mean().dataSync()[0];
  });
}

let state = tf.tensor2d([world.reset()]);
let episodes = 0;
let loss = 0;
for (let step = 1; step <= kSteps; step++) {
  const action = choose(state);
  const { observation, reward, done } = world.step(action);
  const nextState = tf.tensor2d([observation]);
  memory.push({ state, action, reward, nextState, done });
  // The memory has handles of its own, so this handle may be disposed, whatever slots hold the state.
  state.dispose();
  state = nextState;
  if (done) {
    state.dispose();
    state = tf.tensor2d([world.reset()]);
    episodes++;
  }
  if (memory.length >= kBatch) loss = surprise(memory.sample(kBatch));

  const expected = network.size + 1 + 2 * memory.length;
  assert.equal(tf.memory().numTensors, expected, `after step ${step}`);
}

console.log(
  `${kSteps} steps, ${episodes} episodes, ${memory.length} steps remembered, the last surprise ${loss.toFixed(3)}`,
);
console.log(
  `${tf.memory().numTensors} tensors = ${network.size} weights + 1 state + 2 x ${memory.length} remembered, after each step`,
);
tf.dispose(state);
memory.dispose();
network.dispose();
console.log(`${tf.memory().numTensors} tensors at the end`);
