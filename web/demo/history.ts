import * as tf from 'tenure';
import type { Loop, LoopName } from './loop.js';

/** What one loop had made and kept at a moment. */
export interface LoopSample {
  readonly tensors: number;
  readonly bytes: number;
  readonly turns: number;
  /** Turns a second, over the last second. */
  readonly rate: number;
  /** What a turn takes. */
  readonly milliseconds: number;
}

/** The loops and the GPU at a moment, in seconds since the page began. */
export interface Sample extends Readonly<Partial<Record<LoopName, LoopSample>>> {
  readonly time: number;
  readonly leaking: LoopSample;
  readonly tidy: LoopSample;
  /** Bytes of the textures behind all tensors, the models' among them. */
  readonly gpuBytes: number;
}

/** How far back the charts go, in seconds. */
export const kSpan = 60;
const kRateSpan = 1;
/** What a forecast goes by: longer, as it is to stand still. */
const kGrowthSpan = 4;
/** What it goes by at least. */
const kLeastGrowthSpan = 1.5;
/** As much as WebAssembly can address, and so a tab can hold in an engine. */
const kRoom = 4 * 2 ** 30;

/** What the charts show: the samples of the last minute. */
export class History {
  readonly samples: Sample[] = [];

  take(leaking: Loop, tidy: Loop, peer?: Loop): Sample {
    const time = performance.now() / 1000;
    const sample = {
      time,
      leaking: this.#sampleOf(leaking, time),
      tidy: this.#sampleOf(tidy, time),
      ...(peer && { peer: this.#sampleOf(peer, time) }),
      gpuBytes: tf.memory().numBytesInGPU ?? 0,
    };
    this.samples.push(sample);
    // One before the edge of the chart, so that its line reaches the edge.
    while (this.samples.length > 1 && this.samples[1]!.time < time - kSpan) this.samples.shift();
    return sample;
  }

  /** In how many seconds a loop will have filled the tab; Infinity for one that does not grow, NaN while it is too early to say. */
  secondsLeft(name: LoopName): number {
    const last = this.samples.at(-1);
    const first = last && this.samples.find((sample) => sample[name] && sample.time >= last.time - kGrowthSpan);
    if (!first || last.time - first.time < kLeastGrowthSpan) return NaN;
    const growth = (last[name]!.bytes - first[name]!.bytes) / (last.time - first.time);
    return growth > 0 ? (kRoom - last[name]!.bytes) / growth : Infinity;
  }

  #sampleOf({ name, numTensors, numBytes, turns, milliseconds }: Loop, time: number): LoopSample {
    const earlier = this.samples.find((sample) => sample.time >= time - kRateSpan) ?? this.samples.at(-1);
    const gained = turns - (earlier?.[name]?.turns ?? turns);
    // Disposing begins the count anew.
    const rate = earlier && gained > 0 ? gained / (time - earlier.time) : 0;
    return { tensors: numTensors, bytes: numBytes, turns, rate, milliseconds };
  }
}
