import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/** Stage that applies a synchronous function to each element. */
export class MapStage<T, R> implements Stage<R> {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly transform: (value: T) => R,
  ) {}

  async next(): Promise<Element<R> | undefined> {
    const element = await this.upstream.next();
    if (!element || this.pipeline.closed) return undefined;
    return this.pipeline.map([element], () => this.transform(element.value));
  }
  skip(count: number): Promise<number> {
    return skip(this.pipeline, this.upstream, count);
  }
}

/** Stage that applies an asynchronous function to each element, concurrently for concurrent calls of next(). */
export class MapAsyncStage<T, R> implements Stage<R> {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly transform: (value: T) => Promise<R> | R,
  ) {}

  next(): Promise<Element<R> | undefined> {
    return this.pipeline.mapNext(this.upstream, this.transform);
  }
  skip(count: number): Promise<number> {
    return skip(this.pipeline, this.upstream, count);
  }
}

/**
 * Stage that keeps the elements for which a predicate holds; with `endsAtFirst`, it ends at the first for which it does
 * not. The predicate may return a promise.
 */
export class FilterStage<T> extends SerialStage<T> {
  #ended = false;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly predicate: (value: T) => boolean | Promise<boolean>,
    private readonly endsAtFirst: boolean,
  ) {
    super();
  }

  protected override async read(): Promise<Element<T> | undefined> {
    for (;;) {
      const element = this.#ended ? undefined : await this.upstream.next();
      if (!element || this.pipeline.closed) return undefined;
      if (await this.pipeline.test(() => this.predicate(element.value))) return element;
      this.pipeline.drop(element);
      this.#ended = this.endsAtFirst;
    }
  }
}
