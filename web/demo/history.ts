import * as tf from 'tenure';
import type { Loop } from './loop.js';

/** What one loop had made and kept at a moment. */
export interface LoopSample {
  readonly tensors: number;
  readonly bytes: number;
  readonly predicts: number;
  /** Predicts a second, over the last second. */
  readonly rate: number;
}

/** Both loops and the GPU at a moment, in seconds since the page began. */
export interface Sample {
  readonly time: number;
  readonly leaking: LoopSample;
  readonly tidy: LoopSample;
  /** Bytes of the textures behind all tensors, the models' among them. */
  readonly gpuBytes: number;
}

/** How far back the charts go, in seconds. */
export const kSpan = 60;
const kRateSpan = 1;

/** What the charts show: the samples of the last minute. */
export class History {
  readonly samples: Sample[] = [];

  take(leaking: Loop, tidy: Loop): Sample {
    const time = performance.now() / 1000;
    const sample = {
      time,
      leaking: this.#sampleOf(leaking, time),
      tidy: this.#sampleOf(tidy, time),
      gpuBytes: tf.memory().numBytesInGPU ?? 0,
    };
    this.samples.push(sample);
    // One before the edge of the chart, so that its line reaches the edge.
    while (this.samples.length > 1 && this.samples[1]!.time < time - kSpan) this.samples.shift();
    return sample;
  }

  #sampleOf({ name, numTensors, numBytes, predicts }: Loop, time: number): LoopSample {
    const earlier = this.samples.find((sample) => sample.time >= time - kRateSpan) ?? this.samples.at(-1);
    const gained = earlier ? predicts - earlier[name].predicts : 0;
    // Disposing begins the count anew.
    const rate = earlier && gained > 0 ? gained / (time - earlier.time) : 0;
    return { tensors: numTensors, bytes: numBytes, predicts, rate };
  }
}
