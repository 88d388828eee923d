import * as tf from 'tenure';
import { Chart, type ChartOptions, type Line, type Spread } from './chart.js';
import { bytes, count, duration, milliseconds, rate } from './format.js';
import { kSpan, type History, type LoopSample, type Sample } from './history.js';
import type { Loop, LoopName } from './loop.js';
import { byId, setText } from './page.js';

export const kPowersOfTwo = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);
const kMinCount = 10;
const kMinBytes = 2 ** 20;
const kMinMilliseconds = 1;
const kMinSpan = 15;
const kDash = [6, 5];
const kDots = [2, 4];

const lastMinute: Spread<Sample> = {
  words: 'over the last minute',
  place: ({ time }, last) => time - last.time,
  // Limits the empty part of the chart while there are few samples.
  range: (end, start) => [-Math.min(kSpan, Math.max(kMinSpan, end - start)), 0],
  format: (seconds) => (seconds === 0 ? 'now' : `${seconds} s`),
  increments: [kMinSpan / 3, kMinSpan],
};

/** The charts, by the end of their element's id. */
export const charts = {
  bytes: chart('bytes', { name: 'Bytes of tensors', ...inBytes() }, (sample) => sample.bytes),
  tensors: chart('tensors', { name: 'Tensors', format: count, least: kMinCount }, ({ tensors }) => tensors),
  time: chart(
    'time',
    { name: 'Time of a turn', format: milliseconds, least: kMinMilliseconds },
    (sample) => sample.milliseconds,
  ),
  gpu: new Chart(byId('chart-gpu'), {
    name: 'GPU bytes of the whole engine',
    spread: lastMinute,
    lines: [{ name: 'all tensors', color: '--gpu', value: ({ gpuBytes }) => gpuBytes }],
    ...inBytes(),
  }),
};

/** Shows the last sample, in figures and in the charts. */
export function showSamples(history: History, loops: readonly Loop[]): void {
  const last = history.samples.at(-1);
  if (!last) return;
  for (const loop of loops) {
    const { name } = loop;
    const sample = last[name];
    if (!sample) continue;
    setText(`${name}-bytes`, bytes(sample.bytes));
    setText(`${name}-tensors`, count(sample.tensors));
    setText(`${name}-rate`, rate(sample.rate));
    setText(`${name}-time`, sample.milliseconds ? milliseconds(sample.milliseconds) : '-');
    showForecast(loop, history.secondsLeft(name));
  }
  for (const chart of Object.values(charts)) chart.show(history.samples);
}

/** Shows a loop's last outputs, and whether its button starts or stops it. */
export function showLoop({ name, isRunning, turns, last, lost }: Loop): void {
  const gone = lost > 0 ? ` ${count(lost)} outputs went with the context.` : '';
  if (name !== 'peer') setText(`${name}-last`, `${last || 'Nothing yet.'}${gone}`);
  setText(`${name}-does`, isRunning ? 'Stop' : turns > 0 ? 'Go on with' : 'Start');
  byId(name).classList.toggle('runs', isRunning);
}

/** Shows TensorFlow.js's time beside Tenure's for the same work. */
export function showRatio(peer: Loop, { milliseconds }: Loop): void {
  const ratio = peer.milliseconds / milliseconds;
  setText(
    'peer-last',
    Number.isFinite(ratio) && ratio > 0
      ? `A turn takes ${ratio.toFixed(1)} times Tenure's time. ${peer.last}`
      : peer.last,
  );
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

/** The loops' names in sentences. */
export const kSpoken: Readonly<Record<LoopName, string>> = {
  leaking: 'the leaking loop',
  tidy: 'the loop under tidy',
  peer: 'the loop on TensorFlow.js',
};

/** Shows when a loop's tensors will fill the tab; the last forecast stays while the loop is stopped. */
function showForecast({ name, isRunning, turns, numTensors }: Loop, seconds: number): void {
  if (turns === 0) setText(`${name}-forecast`, 'Not started');
  else if (numTensors === 0) setText(`${name}-forecast`, 'Never full');
  else if (isRunning && Number.isNaN(seconds)) setText(`${name}-forecast`, 'Filling the tab');
  else if (isRunning && Number.isFinite(seconds)) setText(`${name}-forecast`, `Tab full in ${duration(seconds)}`);
}

function inBytes(): Omit<ChartOptions<Sample>, 'name' | 'spread' | 'lines'> {
  return { format: bytes, least: kMinBytes, increments: kPowersOfTwo };
}

/** Makes a chart with a line for each loop. */
function chart(
  id: string,
  options: Omit<ChartOptions<Sample>, 'spread' | 'lines'>,
  value: (sample: LoopSample) => number,
): Chart<Sample> {
  const lines: Line<Sample>[] = [
    { name: 'leaking', color: '--leaking', value: ({ leaking }) => value(leaking) },
    { name: 'under tidy', color: '--tidy', dash: kDash, value: ({ tidy }) => value(tidy) },
    { name: 'TensorFlow.js', color: '--peer', dash: kDots, value: ({ peer }) => peer && value(peer) },
  ];
  return new Chart(byId(`chart-${id}`), { ...options, spread: lastMinute, lines });
}
