import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/** Stage that ends after `count` elements, and reads none beyond them. */
export class TakeStage<T> implements Stage<T> {
  #taken = 0;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly count: number,
  ) {}

  next(): Promise<Element<T> | undefined> {
    if (this.#taken++ >= this.count) return Promise.resolve(undefined);
    return this.upstream.next();
  }
  async skip(count: number): Promise<number> {
    const asked = Math.min(count, this.count - this.#taken);
    this.#taken += asked;
    return skip(this.pipeline, this.upstream, asked);
  }
}

/** Stage that keeps every `stride`-th element, from `first` on. skip() has a stride of 1, shard() the number of shards. */
export class StrideStage<T> extends SerialStage<T> {
  #skip: number;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly first: number,
    private readonly stride: number,
  ) {
    super();
    this.#skip = first;
  }

  async skip(count: number): Promise<number> {
    const skipped = await skip(
      this.pipeline,
      this.upstream,
      count === 0 ? 0 : this.first + (count - 1) * this.stride + 1,
    );
    const given = Math.max(0, Math.ceil((skipped - this.first) / this.stride));
    if (given > 0) this.#skip = this.stride - 1;
    return given;
  }

  protected override async read(): Promise<Element<T> | undefined> {
    for (; this.#skip > 0; this.#skip--) {
      const skipped = await this.upstream.next();
      if (!skipped) return undefined;
      this.pipeline.drop(skipped);
    }
    this.#skip = this.stride - 1;
    return this.upstream.next();
  }
}
