import { Chart, type Spread } from './chart.js';
import { count } from './format.js';
import type { Learner, Lesson } from './learner.js';
import { byId, setText } from './page.js';

const kMinCount = 10;
const kMinSteps = 100;
const kMinLoss = 2.5;

const lessons: Spread<Lesson> = {
  words: 'over the steps of training',
  place: ({ step }) => step,
  range: (end) => [0, Math.max(kMinSteps, end)],
  format: count,
};

/** The training charts, by the end of their element's id. */
export const learningCharts = {
  loss: new Chart(byId('chart-loss'), {
    name: 'Loss',
    spread: lessons,
    lines: [{ name: 'of a step', color: '--tidy', value: ({ loss }) => loss }],
    format: (loss) => loss.toFixed(1),
    least: kMinLoss,
  }),
  'step-tensors': new Chart(byId('chart-step-tensors'), {
    name: 'Tensors of the whole engine',
    spread: lessons,
    lines: [{ name: 'all', color: '--gpu', value: ({ tensors }) => tensors }],
    format: count,
    least: kMinCount,
  }),
};

/** Shows the network's progress, and its predictions for unseen digits. */
export function showLearner({ isRunning, lessons: samples, share, words }: Learner): void {
  const last = samples.at(-1);
  setText('learn-steps', count(last?.step ?? 0));
  setText('learn-loss', last ? last.loss.toFixed(3) : '-');
  setText('learn-share', share === undefined ? '-' : `${(100 * share).toFixed(0)} %`);
  setText('learn-tensors', count(last?.tensors ?? 0));
  setText('learn-words', words || 'Nothing read yet.');
  setText('learn-toggle', `${isRunning ? 'Stop' : 'Start'} the training`);
  for (const chart of Object.values(learningCharts)) chart.show(samples);
}
