import * as tf from 'tenure';
import type { Workload } from './models.js';

/** Predicts once, and gives a promise of the outputs. */
type Way = (model: tf.LayersModel, x: tf.Tensor) => Promise<ArrayLike<number>>;

/** The same predict, twice: the difference between the two loops is here, and nowhere else. */
export const ways = {
  leaking(model, x) {
    const y = model.predict(x) as tf.Tensor;
    return y.data();
  },
  tidy(model, x) {
    const { values } = tf.tidy(() => {
      const y = model.predict(x) as tf.Tensor;
      return { values: y.data() };
    });
    return values;
  },
} satisfies Record<string, Way>;
export type WayName = keyof typeof ways;

// Two loops share a frame of 16 ms, and the page needs some of it.
const kSlice = 5;

/** Predicts one input after the other, until it is stopped. What it makes belongs to a scope of its own. */
export class Loop {
  /** Predicts since the start, or since everything was disposed. */
  predicts = 0;
  /** What the last outputs said. */
  last = '';
  /** Outputs that went with the GPU's context before they were read. */
  lost = 0;
  /** Whether it predicts as often as fits in a frame, or once. */
  flatOut = false;
  readonly name: WayName;
  readonly #onError: (error: unknown) => void;
  #scope: tf.Scope;
  #wanted = false;
  #ended = Promise.resolve();

  constructor(name: WayName, onError: (error: unknown) => void) {
    this.name = name;
    this.#onError = onError;
    this.#scope = tf.scope(name);
  }

  get isRunning(): boolean {
    return this.#wanted;
  }
  get numTensors(): number {
    return this.#scope.numTensors;
  }
  get numBytes(): number {
    return this.#scope.numBytes;
  }

  start(workload: Workload): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#ended = this.#run(workload).catch((error: unknown) => {
      this.#wanted = false;
      this.#onError(error);
    });
  }
  /** Resolves when no predict is at work any more. What was made stays. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#ended;
  }
  /** Stops, and frees everything that the loop has made. */
  async dispose(): Promise<void> {
    await this.stop();
    this.#scope.close();
    this.#scope = tf.scope(this.name);
    this.predicts = this.lost = 0;
    this.last = '';
  }

  async #run(workload: Workload): Promise<void> {
    while (this.#wanted) {
      await tf.nextFrame();
      const end = performance.now() + kSlice;
      do {
        if (this.#wanted) await this.#turn(workload);
      } while (this.#wanted && this.flatOut && performance.now() < end);
    }
  }

  async #turn({ model, inputs, describe }: Workload): Promise<void> {
    const index = this.predicts % inputs.length;
    const outputs = this.#scope.run(() => ways[this.name](model, inputs[index]!));
    this.predicts++;
    try {
      this.last = describe(index, await outputs);
    } catch (error) {
      if (!(error instanceof tf.ContextLostError)) throw error;
      this.lost++;
    }
  }
}
