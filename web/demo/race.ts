import { kSide } from './camera.js';
import type { Engine, Net } from './engines.js';
import type { Tf } from './tf.js';
import * as programs from './tracker.js';
import type { Tensor } from 'tenure';

export type Version = keyof typeof programs;

/** Milliseconds between two frames of a camera. */
const kPeriod = 1000 / 30;
/** The frames that a program may run at once to catch up with one that was loaded earlier. */
const kMaxCatchUp = 4;
/** The longest pause that counts as running time, in seconds: frames stop in a hidden tab. */
const kMaxPause = 1;
/** Seconds over which the frame rate is measured. */
const kRateSpan = 3;
/** The address space of WebAssembly, which limits the memory of a tab. */
const kRoom = 4 * 2 ** 30;

/** The program on one engine, with the tensors that it holds. */
export class Runner {
  turns = 0;
  numTensors = 0;
  numBytes = 0;
  readonly #tf: Tf;
  readonly #openNet: () => Net;
  #net: Net;
  #last: Tensor;

  constructor({ tf, openNet }: Engine) {
    this.#tf = tf;
    this.#openNet = openNet;
    this.#net = openNet();
    this.#last = this.#count(() => tf.zeros([kSide, kSide]));
  }

  run(version: Version, frame: ImageData): void {
    this.#last = this.#count(() => programs[version](this.#tf, frame, this.#last).last);
    this.turns++;
  }

  /** Frees what the program has left behind, and starts it anew. */
  startOver(): void {
    this.#net.close();
    this.#net = this.#openNet();
    this.turns = this.numTensors = this.numBytes = 0;
    this.#last = this.#count(() => this.#tf.zeros([kSide, kSide]));
  }

  /** Runs `fn`, and counts the tensors that it adds. */
  #count<T>(fn: () => T): T {
    const before = this.#tf.memory();
    const result = this.#net.run(fn);
    const after = this.#tf.memory();
    this.numTensors += after.numTensors - before.numTensors;
    this.numBytes += after.numBytes - before.numBytes;
    return result;
  }
}

/** Runs the program on several engines, on the same frames of a camera. */
export class Race {
  isRunning = true;
  /** Seconds for which the programs have run. */
  seconds = 0;
  readonly runners: Runner[] = [];
  /** The number of frames from the start on which the leaking version runs. */
  #leakingTurns = Infinity;
  #last: number | undefined;
  #due = 0;
  /** The times of the last frames, in seconds. */
  #times: number[] = [];

  get version(): Version {
    return this.#leakingTurns === Infinity ? 'leaking' : 'mended';
  }
  /** Frames that the fastest program has run. */
  get turns(): number {
    return Math.max(0, ...this.runners.map(({ turns }) => turns));
  }

  /** Adds an engine. It catches up with the frames that the others have run. */
  join(engine: Engine): Runner {
    const runner = new Runner(engine);
    this.runners.push(runner);
    return runner;
  }

  /** Continues with the mended version. What has leaked stays. */
  mend(): void {
    if (this.version === 'leaking') this.#leakingTurns = this.turns;
  }

  /** Frees everything, and starts over with the leaking version. */
  leak(): void {
    for (const runner of this.runners) runner.startOver();
    this.#leakingTurns = Infinity;
    this.#times = [];
    this.seconds = 0;
  }

  /** Runs the programs on a frame if one is due. Call it with requestAnimationFrame()'s time, in milliseconds. */
  tick(now: number, frame: ImageData): void {
    const pause = (now - (this.#last ?? now)) / 1000;
    this.#last = now;
    // A frame comes slightly early or late.
    if (!this.isRunning || this.runners.length === 0) return;
    this.seconds += Math.min(pause, kMaxPause);
    if (now < this.#due - kPeriod / 4) return;
    this.#due = Math.max(this.#due + kPeriod, now);
    this.#times.push(this.seconds);
    while (this.#times[0]! < this.seconds - kRateSpan) this.#times.shift();
    const goal = this.turns + 1;
    for (const runner of this.runners) {
      for (let i = 0; i < kMaxCatchUp && runner.turns < goal; i++) {
        runner.run(runner.turns < this.#leakingTurns ? 'leaking' : 'mended', frame);
      }
    }
  }

  /** Returns the seconds until a program will have filled the tab: Infinity if never, NaN if it is too early to tell. */
  secondsLeft({ numBytes, turns }: Runner): number {
    if (this.version === 'mended') return Infinity;
    const span = this.seconds - (this.#times[0] ?? 0);
    if (turns === 0 || this.#times.length < 5 || span < 1) return NaN;
    return (kRoom - numBytes) / ((numBytes / turns) * (this.#times.length / span));
  }
}
