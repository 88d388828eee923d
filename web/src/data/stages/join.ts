import { deepMap, isIterable } from '../element.js';
import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/** Stage that concatenates the stages that `open` returns, until it returns undefined. */
export class ChainStage<T> extends SerialStage<T> {
  #current: Stage<T> | undefined;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly open: () => Promise<Stage<T> | undefined>,
  ) {
    super();
  }

  async skip(count: number): Promise<number> {
    let skipped = 0;
    while (skipped < count) {
      this.#current ??= await this.open();
      if (!this.#current) break;
      skipped += await skip(this.pipeline, this.#current, count - skipped);
      if (skipped < count) this.#current = undefined;
    }
    return skipped;
  }

  protected override async read(): Promise<Element<T> | undefined> {
    for (;;) {
      this.#current ??= await this.open();
      const element = await this.#current?.next();
      if (element || !this.#current) return element;
      this.#current = undefined;
    }
  }
}

/**
 * Stage that emits elements of `cycleLength` stages in turn, `blockLength` of each. A stage that ends is replaced by
 * the next.
 */
export class InterleaveStage<T> extends SerialStage<T> {
  readonly #open: Stage<T>[] = [];
  #hasMore = true;
  #turn = 0;
  #left: number;

  constructor(
    private readonly openNext: () => Promise<Stage<T> | undefined>,
    private readonly cycleLength: number,
    private readonly blockLength: number,
  ) {
    super();
    this.#left = blockLength;
  }

  protected override async read(): Promise<Element<T> | undefined> {
    for (;;) {
      await this.#fill();
      if (this.#open.length === 0) return undefined;
      this.#turn %= this.#open.length;
      const element = this.#left > 0 ? await this.#open[this.#turn]!.next() : undefined;
      if (element) {
        this.#left--;
        return element;
      }
      if (this.#left > 0) await this.#replaceEnded();
      else this.#turn++;
      this.#left = this.blockLength;
    }
  }

  async #fill(): Promise<void> {
    while (this.#hasMore && this.#open.length < this.cycleLength) {
      const stage = await this.openNext();
      if (stage) this.#open.push(stage);
      else this.#hasMore = false;
    }
  }

  /** Replaces the stage that has ended by the next one, which emits when its turn comes again. */
  async #replaceEnded(): Promise<void> {
    const next = this.#hasMore ? await this.openNext() : undefined;
    if (next) {
      this.#open[this.#turn++] = next;
      return;
    }
    this.#hasMore = false;
    this.#open.splice(this.#turn, 1);
  }
}

/** Stage that combines one element of each stage in a structure, until one of them ends. */
export class ZipStage extends SerialStage<unknown> {
  readonly #leaves: readonly { leaf: unknown; stage: Stage }[];

  constructor(
    private readonly pipeline: Pipeline,
    private readonly structure: unknown,
    leaves: ReadonlyMap<unknown, Stage>,
  ) {
    super();
    this.#leaves = [...leaves].map(([leaf, stage]) => ({ leaf, stage }));
  }

  async skip(count: number): Promise<number> {
    let minSkipped = count;
    for (const { stage } of this.#leaves) minSkipped = Math.min(minSkipped, await skip(this.pipeline, stage, count));
    return minSkipped;
  }

  protected override async read(): Promise<Element | undefined> {
    const found = await Promise.all(this.#leaves.map(({ stage }) => stage.next()));
    const elements = found.filter((element) => element !== undefined);
    if (elements.length < found.length || found.length === 0 || this.pipeline.closed) {
      for (const element of elements) this.pipeline.drop(element);
      return undefined;
    }
    const values = new Map(this.#leaves.map(({ leaf }, i) => [leaf, elements[i]!.value]));
    const value = deepMap(this.structure, (node) => {
      if (values.has(node)) return { value: values.get(node) };
      return isIterable(node) ? 'children' : { value: node };
    });
    return this.pipeline.join(elements, value);
  }
}
