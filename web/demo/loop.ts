import { ContextLostError } from 'tenure';
import type { WayName, Work } from './works.js';

export type LoopName = WayName | 'peer';

/** Owns and counts a loop's tensors: a scope of Tenure, or a partial substitute in other engines. */
export interface Owner {
  readonly numTensors: number;
  readonly numBytes: number;
  run<T>(fn: () => T): T;
  /** Disposes the tensors. */
  close(): void;
}

export interface LoopOptions {
  readonly name: LoopName;
  readonly way: WayName;
  readonly open: () => Owner;
  readonly onError: (error: unknown) => void;
}

// Milliseconds per slice: loops share a frame of 16 ms, and the page needs some of it.
const kSlice = 4;
/** Milliseconds between two pictures of a camera. */
const kPeriod = 1000 / 30;
/** The number of turns whose median is the duration. */
const kTimes = 31;

/** The turn that started last: the next one waits for it, so that their times do not overlap. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Repeats some work until it is stopped. It has an owner of its own for the tensors that it makes. */
export class Loop {
  /** Turns since the start, or since everything was disposed. */
  turns = 0;
  /** Description of the last outputs. */
  last = '';
  /** Outputs lost with the GPU's context before they were read. */
  lost = 0;
  /** True for as many turns as fit in a frame, false for the rate of a camera. */
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
  /** Duration of a turn in milliseconds, until its outputs are read. */
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
  /** Stops; resolves when no turn is running. The tensors stay. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#ended;
  }
  /** Stops, and disposes everything that the loop has made. */
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
      // A frame comes slightly early or late.
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
