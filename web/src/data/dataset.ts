import { Holder, type TensorContainer } from '../owner/scope.js';
import { assert } from '../util/checks.js';
import { now } from '../util/numbers.js';
import { processors } from './processors.js';
import { DatasetIterator } from './iterator.js';
import type { PipelineOptions } from './options.js';
import { skip, type Pipeline, type Stage } from './pipeline.js';
import { ShuffleSeeds } from './shuffle_seeds.js';
import { BatchStage, UnbatchStage, WindowStage } from './stages/batch.js';
import { Cache } from './stages/cache.js';
import { ChainStage, InterleaveStage } from './stages/join.js';
import { FilterStage, MapAsyncStage, MapStage } from './stages/map.js';
import { PrefetchStage } from './stages/prefetch.js';
import { EveryStage, TakeStage } from './stages/select.js';
import { ShuffleStage } from './stages/shuffle.js';
import { FunctionSource } from './stages/source.js';
import { WorkerPool } from './workers/pool.js';

/** How mapAsync() works. */
export interface MapAsyncOptions {
  /** Elements at a time; 'auto' is one for each processor, at most 8. Without it two for each worker, or as many as are asked for. */
  parallel?: number | 'auto';
  /** False gives elements as they are ready; by default they stay in order. */
  deterministic?: boolean;
}

/** How far prefetch() reads ahead: by elements, by bytes, or by both. */
export interface PrefetchOptions {
  /** Elements ahead of the consumer; with `maxBytes`, 1000 by default. */
  elements?: number;
  /** Bytes of the tensors ahead of the consumer; without a bound by default. */
  maxBytes?: number;
}

/** How interleave() takes turns. */
export interface InterleaveOptions {
  /** Datasets that are open at a time. */
  cycleLength?: number;
  /** Elements of one before the turn of the next. */
  blockLength?: number;
}

type Open<T> = (pipeline: Pipeline) => Stage<T> | Promise<Stage<T>>;

/**
 * Elements that are made one by one, as they are asked for, by a source and what maps, filters and groups them. Each pass
 * is an iterator of its own, whose tensors have an owner at every moment: the pass, then whoever gets them.
 * @example
 * const batches = tf.data.array([1, 2, 3, 4, 5]).map((x) => x * 10).batch(2);
 * const sizes = [];
 * await batches.forEachAsync((batch) => sizes.push(batch.shape[0])); // each batch is freed behind it
 * sizes; // [2, 2, 1]
 */
export abstract class Dataset<T = unknown> extends Holder implements AsyncIterable<T> {
  /** Number of elements; Infinity where there is no end, null where it is not known. */
  readonly size: number | null = null;
  #options: PipelineOptions = {};

  /** Begins a pass. A class of your own overrides this; it may give any object with next(). */
  iterator(options: PipelineOptions = {}): Promise<DatasetIterator<T>> {
    const all = { ...this.#options, ...options };
    return Promise.resolve(new DatasetIterator(async (pipeline) => this.open(pipeline), all, this.size));
  }

  /** @internal The dataset as a stage of a pass. */
  async open(pipeline: Pipeline): Promise<Stage<T>> {
    const iterator = await this.iterator();
    pipeline.onClose(() => iterator.close?.());
    return new FunctionSource(pipeline, () => iterator.next());
  }

  /** @internal What a pass is told unless it says otherwise. */
  protected get options(): PipelineOptions {
    return this.#options;
  }

  /**
   * Groups of `batchSize` elements. Numbers at the same place become a vector, arrays and tensors a tensor with one more
   * dimension, objects are batched entry by entry. With `smallLastBatch` false, what does not fill a batch is left out.
   */
  batch(batchSize: number, smallLastBatch = true): Dataset<TensorContainer> {
    assert(batchSize > 0, () => `batchSize needs to be positive, but it is\n      ${batchSize}`);
    const round = smallLastBatch ? Math.ceil : Math.floor;
    const size = isKnown(this.size) ? round(this.size / batchSize) : this.size;
    return this.#through((pipeline, stage) => new BatchStage(pipeline, stage, batchSize, smallLastBatch) as Stage<TensorContainer>, size);
  }
  /** One element for each place along the first dimension of this one's tensors: batch() turned round. */
  unbatch(): Dataset {
    return this.#through((pipeline, stage) => new UnbatchStage(pipeline, stage), this.size === Infinity ? Infinity : null);
  }
  /** Arrays of `size` elements that follow each other; the next begins `shift` elements later. */
  window(size: number, { shift = size, smallLast = true }: { shift?: number; smallLast?: boolean } = {}): Dataset<T[]> {
    checkCount('window', 'size', size, 1);
    checkCount('window', 'shift', shift, 1);
    return this.#through((pipeline, stage) => new WindowStage(pipeline, stage, size, shift, smallLast), windows(this.size, size, shift, smallLast));
  }
  /** The elements of this dataset, then those of another. */
  concatenate(dataset: Dataset<T>): Dataset<T> {
    const size = this.size === null || dataset.size === null ? null : this.size + dataset.size;
    const isEndless = this.size === Infinity || dataset.size === Infinity;
    return this.#derive((pipeline) => chain(pipeline, [this, dataset][Symbol.iterator]()), isEndless ? Infinity : size, dataset);
  }
  /** The elements for which the predicate is true. The others are freed. */
  filter(predicate: (value: T) => boolean | Promise<boolean>): Dataset<T> {
    return this.#through((pipeline, stage) => new FilterStage(pipeline, stage, predicate, false), this.size === Infinity ? Infinity : null);
  }
  /** Elements up to the first for which the predicate is false. */
  takeWhile(predicate: (value: T) => boolean | Promise<boolean>): Dataset<T> {
    return this.#through((pipeline, stage) => new FilterStage(pipeline, stage, predicate, true), null);
  }
  /** Calls `f` for each element; its tensors are freed when `f` has returned, or its promise is settled. */
  async forEachAsync(f: (value: T) => unknown, options?: PipelineOptions): Promise<void> {
    await (await this.iterator(options)).forEachAsync(f);
  }
  /** What `transform` makes of each element, under tidy: what it made and did not return is freed, like its argument. */
  map<R>(transform: (value: T) => R): Dataset<R> {
    return this.#through((pipeline, stage) => new MapStage(pipeline, stage, transform), this.size);
  }
  /** Likewise for an asynchronous function, or workers(), which may work on several elements at a time. */
  mapAsync<R>(transform: ((value: T) => Promise<R> | R) | WorkerPool, options: MapAsyncOptions = {}): Dataset<R> {
    const { parallel, deterministic = true } = options;
    if (parallel !== undefined && parallel !== 'auto') checkCount('mapAsync', 'parallel', parallel, 1);
    const pool = transform instanceof WorkerPool ? transform : undefined;
    const work = pool ? (value: T) => pool.map(value) as Promise<R> : (transform as (value: T) => Promise<R> | R);
    return this.#through((pipeline, stage) => {
      if (pool?.transfers) pipeline.sendsAway = true;
      const mapped = new MapAsyncStage(pipeline, stage, work);
      // Twice as many as there are workers: what is ready waits for the one before it.
      const asked = parallel ?? (pool ? 2 * pool.size : pipeline.options.parallel);
      const count = asked === 'auto' ? processors() : asked;
      return count === undefined ? mapped : new PrefetchStage(pipeline, mapped, count, undefined, deterministic, 2);
    }, this.size);
  }
  /** The same elements, read before they are asked for: so many, or as many as their bytes allow. */
  prefetch(bufferSize: number | PrefetchOptions): Dataset<T> {
    if (bufferSize === null || bufferSize === undefined) {
      throw new RangeError('`Dataset.prefetch()` requires bufferSize to be specified.');
    }
    const { count, maxBytes } = prefetchBounds(bufferSize);
    return this.#through((pipeline, stage) => new PrefetchStage(pipeline, stage, count, maxBytes), this.size);
  }
  /** The elements `count` times over; without it, or for a negative one, without end. */
  repeat(count?: number): Dataset<T> {
    const isEndless = count === undefined || count < 0;
    const size = count === 0 ? 0 : this.size === null ? null : isEndless ? Infinity : this.size * count;
    return this.#derive((pipeline) => repeated(pipeline, this, isEndless ? Infinity : count), size);
  }
  /** The elements but for the first `count`, which are freed; all of them for a negative count. */
  skip(count: number): Dataset<T> {
    const skips = count > 0 ? count : 0;
    const size = isKnown(this.size) ? Math.max(0, this.size - skips) : this.size;
    return this.#through((pipeline, stage) => new EveryStage(pipeline, stage, skips, 1), size);
  }
  /** Of every `count` elements the one at `index`: the share of one worker of several. */
  shard(count: number, index: number): Dataset<T> {
    checkCount('shard', 'count', count, 1);
    checkCount('shard', 'index', index, 0);
    assert(index < count, () => `[shard] expected an index below ${count}, got ${index}`);
    const size = isKnown(this.size) ? Math.max(0, Math.ceil((this.size - index) / count)) : this.size;
    return this.#through((pipeline, stage) => new EveryStage(pipeline, stage, index, count), size);
  }
  /** The elements in an order drawn from a buffer of `bufferSize`; the same for the same seed as in TensorFlow.js. */
  shuffle(bufferSize: number, seed?: string | number, reshuffleEachIteration = true): Dataset<T> {
    if (bufferSize === null || bufferSize === undefined || bufferSize < 0) {
      const hint = this.size === null ? '' : `  If your data fits in main memory (for regular JS objects), and/or GPU memory (for \`tf.Tensor\`s), consider setting bufferSize to the dataset size (${this.size} elements)`;
      throw new RangeError(`\`Dataset.shuffle()\` requires bufferSize to be specified.${hint}`);
    }
    checkCount('shuffle', 'bufferSize', bufferSize, 1);
    const seeds = new ShuffleSeeds(String(seed || now()), reshuffleEachIteration);
    return this.#through((pipeline, stage) => {
      pipeline.meet(seeds);
      return new ShuffleStage(stage, bufferSize, seeds.next());
    }, this.size);
  }
  /** The first `count` elements; all of them for a negative count or none. */
  take(count?: number): Dataset<T> {
    if (count === undefined || count === null || count < 0) return this.#through((_, stage) => stage, this.size);
    const size = this.size === null ? null : Math.min(this.size, count);
    return this.#through((pipeline, stage) => new TakeStage(pipeline, stage, count), size);
  }
  /** The elements of the datasets that `open` makes of this one's, some of each in turn. */
  interleave<R>(open: (value: T) => Dataset<R>, { cycleLength = 4, blockLength = 1 }: InterleaveOptions = {}): Dataset<R> {
    checkCount('interleave', 'cycleLength', cycleLength, 1);
    checkCount('interleave', 'blockLength', blockLength, 1);
    return this.#through((pipeline, stage) => {
      const more = async () => {
        const element = await stage.next();
        if (!element || pipeline.closed) return undefined;
        try {
          return await pipeline.run(() => open(element.value)).open(pipeline);
        } finally {
          pipeline.drop(element);
        }
      };
      return new InterleaveStage(more, cycleLength, blockLength);
    }, null);
  }
  /** Keeps the elements of the first whole pass for those that follow; dispose() of what this gives frees them. */
  cache({ maxBytes = Infinity }: { maxBytes?: number } = {}): Dataset<T> {
    const cache = new Cache<T>(maxBytes);
    return this.#derive((pipeline) => cache.open(pipeline, () => this.open(pipeline)), this.size, cache);
  }
  /** The dataset with bounds on what each pass over it does ahead of its consumer, in all of its stages. */
  withOptions(options: PipelineOptions): Dataset<T> {
    const merged = { ...this.#options, ...options };
    const derived = this.#through((_, stage) => stage, this.size);
    derived.#options = merged;
    return derived;
  }

  /** All elements. Their tensors are yours, or the current scope's. Throws for a dataset without an end. */
  async toArray(): Promise<T[]> {
    if (this.size === Infinity) throw new Error('Can not convert infinite data stream to array.');
    return (await this.iterator()).toArray();
  }
  /** toArray() that reads 100 elements ahead, so that promises are resolved in another order. */
  async toArrayForTest(): Promise<T[]> {
    return this.prefetch(100).toArray();
  }
  /** Frees what each cache() holds that this dataset is made of; the next pass over it fills them again. */
  dispose(): void {
    // Only caches hold something.
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
    return Promise.resolve();
  }
  /** `for await (const x of dataset)`: the tensors of x are freed when the loop goes on; tf.keep() what shall live longer. */
  [Symbol.asyncIterator](): AsyncIterator<T, null, void> {
    let lender: Promise<AsyncIterator<T, null, void>> | undefined;
    const begin = () => (lender ??= this.iterator().then((iterator) => iterator[Symbol.asyncIterator]()));
    return {
      next: async () => (await begin()).next(),
      return: async () => (await (await begin()).return?.()) ?? { value: null, done: true },
    };
  }

  /** A dataset with one stage more. */
  #through<R>(add: (pipeline: Pipeline, stage: Stage<T>) => Stage<R>, size: number | null): Dataset<R> {
    return this.#derive(async (pipeline) => add(pipeline, await this.open(pipeline)), size);
  }
  #derive<R>(open: Open<R>, size: number | null, other?: { dispose(): void }): Dataset<R> {
    const derived = new OpenedDataset(open, size, other ? [this, other] : [this]);
    derived.#options = this.#options;
    return derived;
  }
}

/** A dataset of which every pass is opened by a function. */
export class OpenedDataset<T> extends Dataset<T> {
  override readonly size: number | null;
  readonly #open: Open<T>;
  readonly #parts: readonly { dispose(): void }[];

  constructor(open: Open<T>, size: number | null, parts: readonly { dispose(): void }[] = []) {
    super();
    this.#open = open;
    this.size = size;
    this.#parts = parts;
  }
  override async open(pipeline: Pipeline): Promise<Stage<T>> {
    return this.#open(pipeline);
  }
  override dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}

function chain<T>(pipeline: Pipeline, datasets: Iterator<Dataset<T>>): Stage<T> {
  return new ChainStage(pipeline, async () => {
    const next = datasets.next() as IteratorResult<Dataset<T>, undefined>;
    return pipeline.closed ? undefined : next.value?.open(pipeline);
  });
}

function repeated<T>(pipeline: Pipeline, dataset: Dataset<T>, count: number): Stage<T> {
  let passes = 0;
  let isEmpty = false;
  return new ChainStage(pipeline, async () => {
    // A pass without elements will not have any the next time: repeating it for ever would never end.
    if (passes++ >= count || isEmpty || pipeline.closed) return undefined;
    const stage = await dataset.open(pipeline);
    isEmpty = true;
    return {
      next: async () => {
        const element = await stage.next();
        if (element) isEmpty = false;
        return element;
      },
      skip: async (asked) => {
        const skipped = await skip(pipeline, stage, asked);
        if (skipped > 0) isEmpty = false;
        return skipped;
      },
    };
  });
}

function isKnown(size: number | null): size is number {
  return size !== null && size !== Infinity;
}

function windows(count: number | null, size: number, shift: number, smallLast: boolean): number | null {
  if (!isKnown(count)) return count;
  return smallLast ? Math.ceil(count / shift) : Math.max(0, Math.floor((count - size) / shift) + 1);
}

/** Elements without tensors have no bytes: so many of them are read ahead where only bytes are bounded. */
const kPrefetchedByBytes = 1000;

function prefetchBounds(size: number | PrefetchOptions): { count: number; maxBytes: number | undefined } {
  const { elements, maxBytes } = typeof size === 'object' ? size : { elements: size, maxBytes: undefined };
  const isGiven = elements !== undefined && elements !== null;
  if (maxBytes === undefined || maxBytes === null) {
    assert(typeof size !== 'object' || isGiven, () => '[prefetch] expected {elements} or {maxBytes}, got neither');
  } else {
    assert(maxBytes > 0, () => `[prefetch] expected maxBytes to be a number above 0, got ${String(maxBytes)}`);
  }
  const count = isGiven || typeof size !== 'object' ? elements! : kPrefetchedByBytes;
  checkCount('prefetch', typeof size === 'object' ? 'elements' : 'bufferSize', count, 1);
  return { count, maxBytes };
}

function checkCount(where: string, name: string, count: number, least: number): void {
  assert(
    Number.isInteger(count) && count >= least,
    () => `[${where}] expected ${name} to be an integer of at least ${least}, got ${String(count)}`,
  );
}
