import * as tf from 'tenure';
import { Chart, type ChartOptions, type Line } from './chart.js';
import { bytes, count, rate } from './format.js';
import type { LoopSample, Sample } from './history.js';
import type { Loop } from './loop.js';
import { byId, setText } from './page.js';

const kPowersOfTwo = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);
const kLeastCount = 10;
const kLeastBytes = 1024;
const kDash = [6, 5];

/** Charts by the end of their element's id. */
export const charts = {
  tensors: chart('tensors', { name: 'Tensors', format: count, least: kLeastCount }, ({ tensors }) => tensors),
  bytes: chart('bytes', { name: 'Bytes of tensors', ...inBytes() }, (sample) => sample.bytes),
  rate: chart('rate', { name: 'Predicts per second', format: rate, least: kLeastCount }, (sample) => sample.rate),
  gpu: new Chart(byId('chart-gpu'), {
    name: 'GPU bytes of the whole engine',
    lines: [{ name: 'all tensors', color: '--gpu', value: ({ gpuBytes }) => gpuBytes }],
    ...inBytes(),
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

/** Shows tf.memory(). */
export function showEngine(): void {
  const { numTensors, numBytes, numBytesInGPU = 0, numBytesInGPUAllocated = 0, detail } = tf.memory();
  setText('engine-tensors', count(numTensors));
  setText('engine-bytes', bytes(numBytes));
  setText('engine-gpu', bytes(numBytesInGPU));
  setText('engine-gpu-allocated', bytes(numBytesInGPUAllocated));
  setText('engine-heap', bytes(detail.heapUsed));
}

function inBytes(): Omit<ChartOptions, 'name' | 'lines'> {
  return { format: bytes, least: kLeastBytes, increments: kPowersOfTwo };
}

/** One with a line for each loop. */
function chart(id: string, options: Omit<ChartOptions, 'lines'>, value: (sample: LoopSample) => number): Chart {
  const lines: Line[] = [
    { name: 'leaking', color: '--leaking', value: ({ leaking }) => value(leaking) },
    { name: 'under tidy', color: '--tidy', dash: kDash, value: ({ tidy }) => value(tidy) },
  ];
  return new Chart(byId(`chart-${id}`), { ...options, lines });
}
