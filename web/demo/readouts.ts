import * as tf from 'tenure';
import { Chart, type ChartOptions, type Line, type Spread } from './chart.js';
import { bytes, count, rate } from './format.js';
import { kSpan, type LoopSample, type Sample } from './history.js';
import type { Learner, Lesson } from './learner.js';
import type { Loop } from './loop.js';
import { byId, setText } from './page.js';

const kPowersOfTwo = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);
const kLeastCount = 10;
const kLeastBytes = 1024;
const kDash = [6, 5];
const kLeastSteps = 100;
const kLeastLoss = 2.5;

const lastMinute: Spread<Sample> = {
  words: 'over the last minute',
  place: ({ time }, last) => time - last.time,
  range: () => [-kSpan, 0],
  format: (seconds) => (seconds === 0 ? 'now' : `${seconds} s`),
  increments: [kSpan / 4],
};
const lessons: Spread<Lesson> = {
  words: 'over the steps of training',
  place: ({ step }) => step,
  range: (end) => [0, Math.max(kLeastSteps, end)],
  format: count,
};

/** Charts by the end of their element's id. */
export const charts = {
  tensors: chart('tensors', { name: 'Tensors', format: count, least: kLeastCount }, ({ tensors }) => tensors),
  bytes: chart('bytes', { name: 'Bytes of tensors', ...inBytes() }, (sample) => sample.bytes),
  rate: chart('rate', { name: 'Predicts per second', format: rate, least: kLeastCount }, (sample) => sample.rate),
  gpu: new Chart(byId('chart-gpu'), {
    name: 'GPU bytes of the whole engine',
    spread: lastMinute,
    lines: [{ name: 'all tensors', color: '--gpu', value: ({ gpuBytes }) => gpuBytes }],
    ...inBytes(),
  }),
};

/** Those of what is learned, likewise. */
export const learningCharts = {
  'loss': new Chart(byId('chart-loss'), {
    name: 'Loss',
    spread: lessons,
    lines: [{ name: 'of a step', color: '--tidy', value: ({ loss }) => loss }],
    format: (loss) => loss.toFixed(1),
    least: kLeastLoss,
  }),
  'step-tensors': new Chart(byId('chart-step-tensors'), {
    name: 'Tensors of the whole engine',
    spread: lessons,
    lines: [{ name: 'all', color: '--gpu', value: ({ tensors }) => tensors }],
    format: count,
    least: kLeastCount,
  }),
};

/** Shows what was sampled last, in figures and in the charts. */
export function showSamples(samples: readonly Sample[]): void {
  const last = samples.at(-1);
  if (!last) return;
  for (const name of ['leaking', 'tidy'] as const) {
    setText(`${name}-tensors`, count(last[name].tensors));
    setText(`${name}-bytes`, bytes(last[name].bytes));
    setText(`${name}-predicts`, count(last[name].predicts));
    setText(`${name}-rate`, rate(last[name].rate));
  }
  for (const chart of Object.values(charts)) chart.show(samples);
}

/** Shows what a loop predicted last, and whether its button starts or stops it. */
export function showLoop({ name, isRunning, last, lost }: Loop): void {
  const gone = lost > 0 ? ` ${count(lost)} outputs went with the context.` : '';
  setText(`${name}-last`, `${last || 'No prediction yet.'}${gone}`);
  setText(`${name}-toggle`, `${isRunning ? 'Stop' : 'Start'} the ${name === 'tidy' ? 'loop under tidy' : 'leaking loop'}`);
}

/** Shows how far the network is, and what it takes unseen digits for. */
export function showLearner({ isRunning, lessons: samples, share, words }: Learner): void {
  const last = samples.at(-1);
  setText('learn-steps', count(last?.step ?? 0));
  setText('learn-loss', last ? last.loss.toFixed(3) : '-');
  setText('learn-share', share === undefined ? '-' : `${(100 * share).toFixed(0)} %`);
  setText('learn-words', words || 'Nothing read yet.');
  setText('learn-toggle', `${isRunning ? 'Stop' : 'Start'} the training`);
  for (const chart of Object.values(learningCharts)) chart.show(samples);
}

/** Shows tf.memory(). */
export function showEngine(): void {
  const { numTensors, numBytes, numBytesInGPU = 0, numBytesInGPUAllocated = 0, detail } = tf.memory();
  setText('engine-tensors', count(numTensors));
  setText('engine-bytes', bytes(numBytes));
  setText('engine-gpu', bytes(numBytesInGPU));
  setText('engine-gpu-allocated', bytes(numBytesInGPUAllocated));
  setText('engine-heap', bytes(detail.heapUsed));
}

function inBytes(): Omit<ChartOptions<Sample>, 'name' | 'spread' | 'lines'> {
  return { format: bytes, least: kLeastBytes, increments: kPowersOfTwo };
}

/** One with a line for each loop. */
function chart(id: string, options: Omit<ChartOptions<Sample>, 'spread' | 'lines'>, value: (sample: LoopSample) => number): Chart<Sample> {
  const lines: Line<Sample>[] = [
    { name: 'leaking', color: '--leaking', value: ({ leaking }) => value(leaking) },
    { name: 'under tidy', color: '--tidy', dash: kDash, value: ({ tidy }) => value(tidy) },
  ];
  return new Chart(byId(`chart-${id}`), { ...options, spread: lastMinute, lines });
}
