import type { Element, Pipeline, Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/** What a source function gives: as an iterator's next(). */
export interface IteratorResultLike<T> {
  value: T | null;
  done?: boolean;
}
type Given<T> = IteratorResultLike<T> | Promise<IteratorResultLike<T>>;

/** The items of an array, one after the other; tensors in them stay their owner's. */
export class ArraySource<T> implements Stage<T> {
  #at = 0;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly items: readonly T[],
  ) {}

  // eslint-disable-next-line @typescript-eslint/require-await
  async next(): Promise<Element<T> | undefined> {
    if (this.#at >= this.items.length || this.pipeline.closed) return undefined;
    return this.pipeline.copy(this.items[this.#at++]!);
  }
  skip(count: number): Promise<number> {
    const skipped = Math.min(count, this.items.length - this.#at);
    this.#at += skipped;
    return Promise.resolve(skipped);
  }
}

/** What a function gives until it says that it is done; the tensors are the pipeline's from then on. */
export class FunctionSource<T> extends SerialStage<T> {
  #ended = false;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly give: () => Given<T>,
  ) {
    super();
  }

  protected override async read(): Promise<Element<T> | undefined> {
    if (this.#ended || this.pipeline.closed) return undefined;
    const given = await this.pipeline.run(() => this.#call());
    if (typeof given !== 'object' || given === null) throw new Error(`expected {value, done} of a source, got ${String(given)}`);
    const { value, done } = given;
    if (done) {
      this.#ended = true;
      return undefined;
    }
    const element = this.pipeline.take(value as T);
    return this.pipeline.closed ? undefined : element;
  }

  #call(): Given<T> {
    try {
      return this.give();
    } catch (error) {
      // A frozen one stays as it is.
      if (error instanceof Error) Reflect.set(error, 'message', `Error thrown while iterating through a dataset: ${error.message}`);
      throw error;
    }
  }
}
