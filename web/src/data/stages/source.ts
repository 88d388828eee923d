import type { Element, Pipeline, Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/** Result of a source function, as of an iterator's next(). */
export interface IteratorResultLike<T> {
  /** Element, or null at the end. */
  value: T | null;
  /** True at the end. */
  done?: boolean;
}
type SourceResult<T> = IteratorResultLike<T> | Promise<IteratorResultLike<T>>;

/** Stage that emits the items of an array. Tensors in them stay with their owner. */
export class ArraySource<T> implements Stage<T> {
  #at = 0;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly items: readonly T[],
  ) {}

  // eslint-disable-next-line @typescript-eslint/require-await
  async next(): Promise<Element<T> | undefined> {
    if (this.#at >= this.items.length || this.pipeline.closed) return undefined;
    return this.pipeline.share(this.items[this.#at++]!);
  }
  skip(count: number): Promise<number> {
    const skipped = Math.min(count, this.items.length - this.#at);
    this.#at += skipped;
    return Promise.resolve(skipped);
  }
}

/** Stage that emits what a function returns, until it is done. The pipeline takes ownership of the tensors. */
export class FunctionSource<T> extends SerialStage<T> {
  #ended = false;
  #isProducing = false;

  /** `close` is called when the pass ends. */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly produce: () => SourceResult<T>,
    close?: () => unknown,
  ) {
    super();
    if (close) pipeline.onClose(close, () => this.#isProducing);
  }

  protected override async read(): Promise<Element<T> | undefined> {
    if (this.#ended || this.pipeline.closed) return undefined;
    this.#isProducing = true;
    let given: IteratorResultLike<T>;
    try {
      given = await this.pipeline.run(() => this.#call());
    } finally {
      this.#isProducing = false;
    }
    if (typeof given !== 'object' || given === null)
      throw new Error(`expected a source to return {value, done}, got ${String(given)}`);
    const { value, done } = given;
    if (done) {
      this.#ended = true;
      return undefined;
    }
    const element = this.pipeline.adopt(value as T);
    return this.pipeline.closed ? undefined : element;
  }

  #call(): SourceResult<T> {
    try {
      return this.produce();
    } catch (error) {
      // A frozen error keeps its message.
      if (error instanceof Error)
        Reflect.set(error, 'message', `Error thrown while iterating through a dataset: ${error.message}`);
      throw error;
    }
  }
}
