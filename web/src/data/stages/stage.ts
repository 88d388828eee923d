import type { Element, Stage } from '../pipeline.js';

/** A stage that reads one element at a time, in the order in which it is asked. */
export abstract class SerialStage<T> implements Stage<T> {
  #last: Promise<unknown> | undefined;

  next(): Promise<Element<T> | undefined> {
    const result = this.#last ? this.#last.then(() => this.read()) : this.read();
    // A failed read is told to whoever asked for it, and the pipeline is closed.
    const settled: Promise<void> = result.then(
      () => this.#forget(settled),
      () => this.#forget(settled),
    );
    this.#last = settled;
    return result;
  }

  /** The next element; never called again before it has answered. */
  protected abstract read(): Promise<Element<T> | undefined>;

  #forget(settled: Promise<unknown>): void {
    if (this.#last === settled) this.#last = undefined;
  }
}
