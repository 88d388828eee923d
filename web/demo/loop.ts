import { ContextLostError } from 'tenure';
import type { WayName, Work } from './works.js';

export type LoopName = WayName | 'peer';

/** What owns the tensors of a loop, and counts them: a scope of Tenure's, or as much of one as there is elsewhere. */
export interface Owner {
  readonly numTensors: number;
  readonly numBytes: number;
  run<T>(fn: () => T): T;
  /** Frees them. */
  close(): void;
}

export interface LoopOptions {
  readonly name: LoopName;
  readonly way: WayName;
  readonly open: () => Owner;
  readonly onError: (error: unknown) => void;
}

// Loops share a frame of 16 ms, and the page needs some of it.
const kSlice = 4;
/** Milliseconds between two pictures of a camera. */
const kPeriod = 1000 / 30;
/** How many turns the time of one is the median of. */
const kTimes = 31;

/** The turn that was begun last: the next waits for it, or its time would be in that of the other. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Does some work over and over, until it is stopped. What it makes belongs to an owner of its own. */
export class Loop {
  /** Turns since the start, or since everything was disposed. */
  turns = 0;
  /** What the last outputs said. */
  last = '';
  /** Outputs that went with the GPU's context before they were read. */
  lost = 0;
  /** Whether it turns as often as fits in a frame, or as often as a camera gives a picture. */
  flatOut = false;
  way: WayName;
  readonly name: LoopName;
  readonly #open: LoopOptions['open'];
  readonly #onError: LoopOptions['onError'];
  readonly #times: number[] = [];
  #owner: Owner;
  #wanted = false;
  #ended = Promise.resolve();

  constructor({ name, way, open, onError }: LoopOptions) {
    this.name = name;
    this.way = way;
    this.#open = open;
    this.#onError = onError;
    this.#owner = open();
  }

  get isRunning(): boolean {
    return this.#wanted;
  }
  get numTensors(): number {
    return this.#owner.numTensors;
  }
  get numBytes(): number {
    return this.#owner.numBytes;
  }
  /** What a turn takes, in milliseconds, until its outputs are read. */
  get milliseconds(): number {
    return [...this.#times].sort((a, b) => a - b)[this.#times.length >> 1] ?? 0;
  }

  start(work: Work): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#ended = this.#run(work).catch((error: unknown) => {
      this.#wanted = false;
      this.#onError(error);
    });
  }
  /** Resolves when no turn is at work any more. What was made stays. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#ended;
  }
  /** Stops, and frees everything that the loop has made. */
  async dispose(): Promise<void> {
    await this.stop();
    this.#owner.close();
    this.#owner = this.#open();
    this.turns = this.lost = this.#times.length = 0;
    this.last = '';
  }

  async #run(work: Work): Promise<void> {
    let due = performance.now();
    while (this.#wanted) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      if (this.flatOut) due = now;
      // A frame comes a little early or late.
      else if (now < due - kPeriod / 4) continue;
      due = Math.max(due + kPeriod, now);
      do {
        if (!this.#wanted) break;
        const turn = lastTurn.then(() => this.#turn(work));
        lastTurn = turn.catch(() => {});
        await turn;
      } while (this.#wanted && this.flatOut && performance.now() < now + kSlice);
    }
  }

  async #turn({ ways, numInputs, describe }: Work): Promise<void> {
    const index = this.turns % numInputs;
    const start = performance.now();
    const { values } = this.#owner.run(() => ways[this.way](index));
    this.turns++;
    try {
      const outputs = await values;
      this.#times.push(performance.now() - start);
      if (this.#times.length > kTimes) this.#times.shift();
      this.last = describe(index, outputs);
    } catch (error) {
      if (!(error instanceof ContextLostError)) throw error;
      this.lost++;
    }
  }
}
