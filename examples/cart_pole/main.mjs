// Trains an agent to balance a pole on a cart from its replay memory.
// `npm run build && node examples/cart_pole/main.mjs`
import * as tf from 'tenure';
import { makeRandom } from '../random.mjs';
import { CartPole } from '../replay_memory/cart_pole.mjs';
import { Agent } from './agent.mjs';

const kSeed = Number(process.argv[2] ?? 7);
const kMaxEpisodes = 400;
const kMaxSteps = 200;
const kLast = 20;
/** The task is solved when the last episodes have this many steps on average. */
const kEnough = 175;

const random = makeRandom(kSeed);
const world = new CartPole(random);
const agent = new Agent(4, 2, random, kSeed);
const lengths = [];
const meanOfLast = () => lengths.slice(-kLast).reduce((sum, length) => sum + length, 0) / kLast;

/** Runs an episode, until the pole falls or after 200 steps; returns the number of steps. */
async function episode() {
  let state = tf.tensor2d([world.reset()]);
  for (let step = 1; ; step++) {
    const action = agent.act(state);
    const { observation, reward, done } = world.step(action);
    const nextState = tf.tensor2d([observation]);
    await agent.observe({ state, action, reward, nextState, done });
    // The memory has handles of its own, so this one may be disposed, though two of its steps use this state.
    state.dispose();
    state = nextState;
    if (!done && step < kMaxSteps) continue;
    state.dispose();
    return step;
  }
}

while (lengths.length < kMaxEpisodes && (lengths.length < kLast || meanOfLast() < kEnough)) {
  lengths.push(await episode());
  if (lengths.length % kLast === 0) {
    console.log(
      `${lengths.length} episodes: mean of the last ${kLast} ${meanOfLast().toFixed(1)}, ${tf.memory().numTensors} tensors, ${agent.remembered} steps remembered`,
    );
  }
}
console.log(
  `mean of the last ${kLast} of ${lengths.length} episodes: ${meanOfLast().toFixed(1)} of ${kMaxSteps} steps`,
);
agent.dispose();
console.log(`${tf.memory().numTensors} tensors at the end`);
