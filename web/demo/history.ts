import * as tf from 'tenure';
import type { Loop, LoopName } from './loop.js';

/** Counts of one loop at a moment. */
export interface LoopSample {
  readonly tensors: number;
  readonly bytes: number;
  readonly turns: number;
  /** Turns per second, over the last second. */
  readonly rate: number;
  /** Duration of a turn. */
  readonly milliseconds: number;
}

/** The state of the loops and of the GPU; `time` is in seconds since the page loaded. */
export interface Sample extends Readonly<Partial<Record<LoopName, LoopSample>>> {
  readonly time: number;
  readonly leaking: LoopSample;
  readonly tidy: LoopSample;
  /** Bytes of the textures behind all tensors, including the models'. */
  readonly gpuBytes: number;
}

/** The charts' time span, in seconds. */
export const kSpan = 60;
const kRateSpan = 1;
/** The forecast's time span in seconds, longer than a rate's so that it is stable. */
const kGrowthSpan = 4;
/** The forecast's minimum time span, in seconds. */
const kMinGrowthSpan = 1.5;
/** The address space of WebAssembly, which limits an engine in a tab. */
const kRoom = 4 * 2 ** 30;

/** The charts' data: the samples of the last minute. */
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
    // One sample before the edge of the chart remains, so that its line reaches the edge.
    while (this.samples.length > 1 && this.samples[1]!.time < time - kSpan) this.samples.shift();
    return sample;
  }

  /**
   * Returns the seconds until a loop will have filled the tab; Infinity if it does not grow, NaN if it is too early to tell.
   */
  secondsLeft(name: LoopName): number {
    const last = this.samples.at(-1);
    const first = last && this.samples.find((sample) => sample[name] && sample.time >= last.time - kGrowthSpan);
    if (!first || last.time - first.time < kMinGrowthSpan) return NaN;
    const growth = (last[name]!.bytes - first[name]!.bytes) / (last.time - first.time);
    return growth > 0 ? (kRoom - last[name]!.bytes) / growth : Infinity;
  }

  #sampleOf({ name, numTensors, numBytes, turns, milliseconds }: Loop, time: number): LoopSample {
    const earlier = this.samples.find((sample) => sample.time >= time - kRateSpan) ?? this.samples.at(-1);
    const gained = turns - (earlier?.[name]?.turns ?? turns);
    // Disposing restarts the count.
    const rate = earlier && gained > 0 ? gained / (time - earlier.time) : 0;
    return { tensors: numTensors, bytes: numBytes, turns, rate, milliseconds };
  }
}
