// Performance thresholds: Tenure's time as a fraction of a peer's, by workload.
import { kLowerBound, partOf, peersOf, ratioToBest } from './compare.mjs';

const kEvery = /^(?!first|download)/;
const kGraphs = /^(?!load).*(blazeface|facemesh|selfie|eye-iris|handtrack|faceboxes)$/;

/**
 * `most`: maximum fraction of the time of `peer`, or of the fastest peer if there is none; `mostUs`: maximum time in
 * microseconds.
 */
const kThresholds = {
  wasm: [
    { workloads: /^matmul/, peer: 'tfjs wasm', most: 0.72 },
    { workloads: /^matmul/, peer: 'litert', most: 0.95 },
    { workloads: /^(conv|depthwise)/, peer: 'tfjs wasm', most: 0.6 },
    { workloads: /^(conv|depthwise)/, peer: 'ort wasm', most: 0.6 },
    { workloads: /^(conv|depthwise)/, peer: 'litert', most: 0.9 },
    { workloads: /^predict [Mm]obile[Nn]et/, peer: 'tfjs wasm', most: 0.4 },
    { workloads: /^predict [Mm]obile[Nn]et/, peer: 'litert', most: 0.85 },
    { workloads: /^(softmax|sigmoid|x \* y)/, most: 0.8 },
    { workloads: /^predict lstm/, peer: 'tfjs wasm', most: 0.05 },
    { workloads: /^predict lstm/, peer: 'ort wasm', most: 1 },
    { workloads: /^one small op/, mostUs: 0.15 },
    { workloads: /^predict iris/, mostUs: 2 },
    { workloads: kGraphs, peer: 'tfjs wasm', most: 0.5 },
    { workloads: /^first/, most: 0.6 },
  ],
  webgl: [
    { workloads: kEvery, peer: 'tfjs webgl', most: 1 },
    { workloads: /^train MNIST/, ours: 'tenure wasm', peer: 'tfjs webgl', most: 0.1 },
    { workloads: kGraphs, peer: 'tfjs webgl', most: 0.6 },
  ],
  // For regressions, on a software renderer: no claim about GPUs.
  webgpu: [{ workloads: kEvery, most: 1.5 }],
  node: [
    { workloads: kGraphs, peer: 'tfjs wasm', most: 0.5 },
    { workloads: /^train MLP/, peer: 'tfjs wasm', most: 1 / 6 },
    { workloads: /^train LSTM/, peer: 'tfjs wasm', most: 1 / 8 },
    { workloads: /^peak memory, train/, peer: 'tfjs cpu', most: 0.5 },
  ],
};
/** Maximum geometric mean of the ratios to the best peer, over all workloads. */
const kMean = { webgl: 0.35, webgpu: 0.8 };

/** Returns a line for each threshold that the rows of a run miss. */
export function missedThresholds(place, rows) {
  const missed = rows.flatMap((row) =>
    kThresholds[place]
      .filter(({ workloads }) => workloads.test(row.work))
      .flatMap((threshold) => missedBy(row, threshold)),
  );
  const mean = geometricMean(rows);
  if (mean > kMean[place]) missed.push(`MISSED geometric mean: ${mean.toFixed(2)}, at most ${kMean[place]}`);
  return missed;
}

function missedBy(row, { ours = 'tenure', peer, most, mostUs }) {
  if (mostUs) {
    const time = row.median[ours] * 1000;
    return time > mostUs ? [`MISSED ${row.work}: ${time.toFixed(2)} us, at most ${mostUs}`] : [];
  }
  const parts = (peer ? [peer] : peersOf(row)).map((name) => ({ name, part: partOf(row, name, ours) }));
  return parts
    .filter(({ part }) => part > most)
    .map(
      ({ name, part }) =>
        `MISSED ${row.work}: ${part.toFixed(2)} of ${name}, at most ${most.toFixed(2)}${formatLowerBound(partOf(row, name, kLowerBound))}`,
    );
}

/** Formats the lower bound (lower_bound.mjs) as a fraction of a peer's time. Winograd convolution goes below it. */
const formatLowerBound = (part) =>
  part ? `; its multiply-adds in registers and its copies alone take ${part.toFixed(2)}` : '';

/** Returns the geometric mean of Tenure's time over the best peer's; undefined if no row has a peer. */
export function geometricMean(rows) {
  const ratios = rows.filter(({ work }) => kEvery.test(work)).flatMap((row) => 1 / ratioToBest(row)?.ratio || []);
  if (ratios.length === 0) return undefined;
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
