import * as tf from 'tenure';
import { backendName, on, openDevice } from './device.js';
import { count } from './format.js';
import { Learner, showDigits } from './learner.js';
import { byId, complain, say } from './page.js';
import { learningCharts, showLearner } from './learning_readouts.js';

declare global {
  /** The charts' state, for tests. */
  var tenureTraining: { charts: typeof learningCharts; learner: Learner };
}

const learner = new Learner(() => showLearner(learner), complain);
globalThis.tenureTraining = { charts: learningCharts, learner };

await openDevice();
on('learn-toggle', 'click', toggle);
on('dispose', 'click', dispose);
showDigits(byId<HTMLCanvasElement>('learn-digits'), learner.unseen.images);
if (!new URLSearchParams(location.search).has('wait')) learner.start();
showLearner(learner);
say(`Ready: the release build on ${backendName()}. ${learner.isRunning ? 'The training runs' : 'Start the training'}.`);

async function toggle(): Promise<string> {
  if (learner.isRunning) await learner.stop();
  else learner.start();
  showLearner(learner);
  return learner.isRunning ? 'The training runs.' : 'The training has stopped. What was learned stays.';
}

async function dispose(): Promise<string> {
  await learner.dispose();
  tf.trim();
  showLearner(learner);
  return `Everything is disposed: tf.memory().numTensors is ${count(tf.memory().numTensors)}.`;
}
