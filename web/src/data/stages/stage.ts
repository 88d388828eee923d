import type { Element, Stage } from '../pipeline.js';

/** A stage that reads one element at a time, in the order of the calls of next(). */
export abstract class SerialStage<T> implements Stage<T> {
  #last: Promise<unknown> | undefined;

  next(): Promise<Element<T> | undefined> {
    const result = this.#last ? this.#last.then(() => this.read()) : this.read();
    // A failed read rejects the next() that caused it, and closes the pipeline.
    const settled: Promise<void> = result.then(
      () => this.#forget(settled),
      () => this.#forget(settled),
    );
    this.#last = settled;
    return result;
  }

  /** Reads the next element. Not called again before it has settled. */
  protected abstract read(): Promise<Element<T> | undefined>;

  #forget(settled: Promise<unknown>): void {
    if (this.#last === settled) this.#last = undefined;
  }
}
