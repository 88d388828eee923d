import { Holder, type TensorContainer } from '../owner/scope.js';
import { assert } from '../util/checks.js';
import { now } from '../util/numbers.js';
import { getHardwareConcurrency } from './hardware_concurrency.js';
import { DatasetIterator } from './iterator.js';
import type { CacheOptions, PipelineOptions, WindowOptions } from './options.js';
import { skip, type Pipeline, type Stage } from './pipeline.js';
import { ShuffleSeeds } from './shuffle_seeds.js';
import { BatchStage, UnbatchStage, WindowStage } from './stages/batch.js';
import { Cache } from './stages/cache.js';
import { ChainStage, InterleaveStage } from './stages/join.js';
import { FilterStage, MapAsyncStage, MapStage } from './stages/map.js';
import { PrefetchStage } from './stages/prefetch.js';
import { StrideStage, TakeStage } from './stages/select.js';
import { ShuffleStage } from './stages/shuffle.js';
import { FunctionSource } from './stages/source.js';
import { WorkerPool } from './workers/pool.js';

/** Options of mapAsync(). */
export interface MapAsyncOptions {
  /**
   * Number of elements that are processed concurrently; 'auto' is one per processor, at most 8. By default, two per
   * worker of workers(), else the pipeline's `parallel`, else as many as are requested downstream.
   */
  parallel?: number | 'auto';
  /** False emits elements as they are ready; by default they stay in order. */
  deterministic?: boolean;
}

/** Bounds of prefetch(), in elements, bytes, or both. */
export interface PrefetchOptions {
  /** Maximum number of elements ahead of the consumer; 1000 by default if `maxBytes` is set. */
  elements?: number;
  /** Maximum bytes of tensors ahead of the consumer; unbounded by default. */
  maxBytes?: number;
}

/** Options of interleave(). */
export interface InterleaveOptions {
  /** Number of datasets that are open at a time; 4 by default. */
  cycleLength?: number;
  /** Number of consecutive elements from one dataset; 1 by default. */
  blockLength?: number;
}

type Open<T> = (pipeline: Pipeline) => Stage<T> | Promise<Stage<T>>;

/**
 * A lazy sequence of elements, made of a source and stages that map, filter and group. Each pass over it is a new
 * iterator. The tensors of a pass always have an owner: the pass, then its consumer.
 * @example
 * const batches = tf.data.array([1, 2, 3, 4, 5]).map((x) => x * 10).batch(2);
 * const sizes = [];
 * await batches.forEachAsync((batch) => sizes.push(batch.shape[0])); // each batch is freed behind it
 * sizes; // [2, 2, 1]
 */
export abstract class Dataset<T = unknown> extends Holder implements AsyncIterable<T> {
  /** Number of elements; Infinity if endless, null if unknown. */
  readonly size: number | null = null;
  #options: PipelineOptions = {};

  /** Starts a pass. Subclasses may override this, and may return any object with next(). */
  iterator(options: PipelineOptions = {}): Promise<DatasetIterator<T>> {
    const all = { ...this.#options, ...options };
    return Promise.resolve(new DatasetIterator(async (pipeline) => this.open(pipeline), all, this.size));
  }

  /** @internal Opens the dataset as a stage of a pass. */
  async open(pipeline: Pipeline): Promise<Stage<T>> {
    const iterator = await this.iterator();
    return new FunctionSource(
      pipeline,
      () => iterator.next(),
      () => iterator.close?.(),
    );
  }

  /** @internal Default options of a pass. */
  protected get options(): PipelineOptions {
    return this.#options;
  }

  /**
   * Groups `batchSize` elements into one. Numbers at the same position become a vector, arrays and tensors a tensor
   * with a new first dimension; objects are batched entry by entry. With `smallLastBatch` false, an incomplete last
   * batch is dropped.
   */
  batch(batchSize: number, smallLastBatch = true): Dataset<TensorContainer> {
    assert(batchSize > 0, () => `batchSize needs to be positive, but it is\n      ${batchSize}`);
    const round = smallLastBatch ? Math.ceil : Math.floor;
    const size = isKnown(this.size) ? round(this.size / batchSize) : this.size;
    return this.#through((pipeline, stage) => new BatchStage(pipeline, stage, batchSize, smallLastBatch), size);
  }
  /** Splits each element along the first dimension of its tensors, as the inverse of batch(). */
  unbatch(): Dataset {
    return this.#through(
      (pipeline, stage) => new UnbatchStage(pipeline, stage),
      this.size === Infinity ? Infinity : null,
    );
  }
  /**
   * Groups `size` consecutive elements into an array. The next window begins `shift` elements later, by default `size`.
   * With `smallLast` false, an incomplete window is dropped.
   */
  window(size: number, { shift = size, smallLast = true }: WindowOptions = {}): Dataset<T[]> {
    checkCount('window', 'size', size, 1);
    checkCount('window', 'shift', shift, 1);
    return this.#through(
      (pipeline, stage) => new WindowStage(pipeline, stage, size, shift, smallLast),
      countWindows(this.size, size, shift, smallLast),
    );
  }
  /** Appends the elements of another dataset. */
  concatenate(dataset: Dataset<T>): Dataset<T> {
    const size = this.size === null || dataset.size === null ? null : this.size + dataset.size;
    const isEndless = this.size === Infinity || dataset.size === Infinity;
    return this.#derive(
      (pipeline) => chainStages(pipeline, [this, dataset][Symbol.iterator]()),
      isEndless ? Infinity : size,
      dataset,
    );
  }
  /** Keeps the elements for which the predicate is true, and frees the others. */
  filter(predicate: (value: T) => boolean | Promise<boolean>): Dataset<T> {
    return this.#through(
      (pipeline, stage) => new FilterStage(pipeline, stage, predicate, false),
      this.size === Infinity ? Infinity : null,
    );
  }
  /** Keeps the elements up to the first for which the predicate is false, excluding it. */
  takeWhile(predicate: (value: T) => boolean | Promise<boolean>): Dataset<T> {
    return this.#through((pipeline, stage) => new FilterStage(pipeline, stage, predicate, true), null);
  }
  /** Calls `f` for each element. Its tensors are freed when `f` has returned, or its promise has settled. */
  async forEachAsync(f: (value: T) => unknown, options?: PipelineOptions): Promise<void> {
    await (await this.iterator(options)).forEachAsync(f);
  }
  /**
   * Applies `transform` to each element, under tidy: tensors that it creates and does not return are freed, as is its
   * argument.
   */
  map<R>(transform: (value: T) => R): Dataset<R> {
    return this.#through((pipeline, stage) => new MapStage(pipeline, stage, transform), this.size);
  }
  /**
   * Applies an asynchronous function, or workers(), to each element, possibly several at a time. Tensors that it
   * creates and does not return are freed, as is its argument.
   */
  mapAsync<R>(transform: ((value: T) => Promise<R> | R) | WorkerPool, options: MapAsyncOptions = {}): Dataset<R> {
    const { parallel, deterministic = true } = options;
    if (parallel !== undefined && parallel !== 'auto') checkCount('mapAsync', 'parallel', parallel, 1);
    const pool = transform instanceof WorkerPool ? transform : undefined;
    const work = pool ? (value: T) => pool.map(value) as Promise<R> : (transform as (value: T) => Promise<R> | R);
    return this.#through((pipeline, stage) => {
      if (pool?.transfers) pipeline.transfersBuffers = true;
      const mapped = new MapAsyncStage(pipeline, stage, work);
      // Twice the number of workers, as finished results wait for earlier ones.
      const asked = parallel ?? (pool ? 2 * pool.size : pipeline.options.parallel);
      const count = asked === 'auto' ? getHardwareConcurrency() : asked;
      return count === undefined ? mapped : new PrefetchStage(pipeline, mapped, count, undefined, deterministic, 2);
    }, this.size);
  }
  /** Reads elements ahead of the consumer, up to a number of elements, of bytes, or both. */
  prefetch(bufferSize: number | PrefetchOptions): Dataset<T> {
    if (bufferSize === null || bufferSize === undefined) {
      throw new RangeError('`Dataset.prefetch()` requires bufferSize to be specified.');
    }
    const { count, maxBytes } = prefetchBounds(bufferSize);
    return this.#through((pipeline, stage) => new PrefetchStage(pipeline, stage, count, maxBytes), this.size);
  }
  /** Repeats the elements `count` times; endlessly if it is omitted or negative. */
  repeat(count?: number): Dataset<T> {
    const isEndless = count === undefined || count < 0;
    const size = count === 0 ? 0 : this.size === null ? null : isEndless ? Infinity : this.size * count;
    return this.#derive((pipeline) => repeatStage(pipeline, this, isEndless ? Infinity : count), size);
  }
  /** Skips the first `count` elements and frees them. Skips none for a negative count. */
  skip(count: number): Dataset<T> {
    const skips = count > 0 ? count : 0;
    const size = isKnown(this.size) ? Math.max(0, this.size - skips) : this.size;
    return this.#through((pipeline, stage) => new StrideStage(pipeline, stage, skips, 1), size);
  }
  /** Keeps every `count`-th element, from `index` on, as the share of one of `count` workers. */
  shard(count: number, index: number): Dataset<T> {
    checkCount('shard', 'count', count, 1);
    checkCount('shard', 'index', index, 0);
    assert(index < count, () => `[shard] expected an index below ${count}, got ${index}`);
    const size = isKnown(this.size) ? Math.max(0, Math.ceil((this.size - index) / count)) : this.size;
    return this.#through((pipeline, stage) => new StrideStage(pipeline, stage, index, count), size);
  }
  /**
   * Shuffles the elements through a buffer of `bufferSize`. The order for a seed is that of TensorFlow.js. Each pass
   * has another order.
   * @param bufferSize Number of elements to draw from.
   * @param seed Seed of the generator; the time by default.
   * @param reshuffleEachIteration False draws one number less per pass. As in TensorFlow.js, passes differ in either
   *   case.
   */
  shuffle(bufferSize: number, seed?: string | number, reshuffleEachIteration = true): Dataset<T> {
    if (bufferSize === null || bufferSize === undefined || bufferSize < 0) {
      const hint =
        this.size === null
          ? ''
          : `  If your data fits in main memory (for regular JS objects), and/or GPU memory (for \`tf.Tensor\`s), consider setting bufferSize to the dataset size (${this.size} elements)`;
      throw new RangeError(`\`Dataset.shuffle()\` requires bufferSize to be specified.${hint}`);
    }
    checkCount('shuffle', 'bufferSize', bufferSize, 1);
    const seeds = new ShuffleSeeds(String(seed || now()), reshuffleEachIteration);
    return this.#through((pipeline, stage) => {
      pipeline.restoreShuffle(seeds);
      return new ShuffleStage(stage, bufferSize, seeds.next());
    }, this.size);
  }
  /** Keeps the first `count` elements; all of them if it is omitted or negative. */
  take(count?: number): Dataset<T> {
    if (count === undefined || count === null || count < 0) return this.#through((_, stage) => stage, this.size);
    const size = this.size === null ? null : Math.min(this.size, count);
    return this.#through((pipeline, stage) => new TakeStage(pipeline, stage, count), size);
  }
  /**
   * Interleaves the elements of the datasets that `open` returns for this one's elements, `blockLength` from each in
   * turn.
   */
  interleave<R>(
    open: (value: T) => Dataset<R>,
    { cycleLength = 4, blockLength = 1 }: InterleaveOptions = {},
  ): Dataset<R> {
    checkCount('interleave', 'cycleLength', cycleLength, 1);
    checkCount('interleave', 'blockLength', blockLength, 1);
    return this.#through((pipeline, stage) => {
      const openNext = async () => {
        const element = await stage.next();
        if (!element || pipeline.closed) return undefined;
        try {
          return await pipeline.run(() => open(element.value)).open(pipeline);
        } finally {
          pipeline.drop(element);
        }
      };
      return new InterleaveStage(openNext, cycleLength, blockLength);
    }, null);
  }
  /**
   * Caches the elements of the first complete pass for later passes. dispose() of the returned dataset frees them. A
   * pass throws if their tensors exceed `maxBytes`.
   */
  cache({ maxBytes = Infinity }: CacheOptions = {}): Dataset<T> {
    const cache = new Cache<T>(maxBytes);
    return this.#derive((pipeline) => cache.open(pipeline, () => this.open(pipeline)), this.size, cache);
  }
  /** Returns the dataset with default options for each pass, such as bounds on how far all of its stages work ahead. */
  withOptions(options: PipelineOptions): Dataset<T> {
    const merged = { ...this.#options, ...options };
    const derived = this.#through((_, stage) => stage, this.size);
    derived.#options = merged;
    return derived;
  }

  /**
   * Resolves to all elements. Their tensors belong to the current scope, or else to the caller. Rejects for an endless
   * dataset.
   */
  async toArray(): Promise<T[]> {
    if (this.size === Infinity) throw new Error('Can not convert infinite data stream to array.');
    return (await this.iterator()).toArray();
  }
  /** Resolves to all elements, like toArray(), but reads 100 ahead, so that promises are resolved in another order. */
  async toArrayForTest(): Promise<T[]> {
    return this.prefetch(100).toArray();
  }
  /** Frees the contents of each cache() that this dataset is made of. The next pass fills them again. */
  dispose(): void {
    // Only caches own tensors.
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
    return Promise.resolve();
  }
  /**
   * Starts a pass for `for await (const x of dataset)`. The tensors of x are freed at the next iteration; tf.keep()
   * those that must outlive it.
   */
  [Symbol.asyncIterator](): AsyncIterator<T, null, void> {
    let lender: Promise<AsyncIterator<T, null, void>> | undefined;
    const begin = () => (lender ??= this.iterator().then((iterator) => iterator[Symbol.asyncIterator]()));
    return {
      next: async () => (await begin()).next(),
      return: async () => (await (await begin()).return?.()) ?? { value: null, done: true },
    };
  }

  /** Returns the dataset with an additional stage. */
  #through<R>(add: (pipeline: Pipeline, stage: Stage<T>) => Stage<R>, size: number | null): Dataset<R> {
    return this.#derive(async (pipeline) => add(pipeline, await this.open(pipeline)), size);
  }
  #derive<R>(open: Open<R>, size: number | null, other?: { dispose(): void }): Dataset<R> {
    const derived = new OpenedDataset(open, size, other ? [this, other] : [this]);
    derived.#options = this.#options;
    return derived;
  }
}

/** A dataset whose passes are opened by a function. */
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

function chainStages<T>(pipeline: Pipeline, datasets: Iterator<Dataset<T>>): Stage<T> {
  return new ChainStage(pipeline, async () => {
    const next = datasets.next() as IteratorResult<Dataset<T>, undefined>;
    return pipeline.closed ? undefined : next.value?.open(pipeline);
  });
}

function repeatStage<T>(pipeline: Pipeline, dataset: Dataset<T>, count: number): Stage<T> {
  let passes = 0;
  let isEmpty = false;
  return new ChainStage(pipeline, async () => {
    // An empty pass ends the repetition, which would otherwise never end.
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

function countWindows(count: number | null, size: number, shift: number, smallLast: boolean): number | null {
  if (!isKnown(count)) return count;
  return smallLast ? Math.ceil(count / shift) : Math.max(0, Math.floor((count - size) / shift) + 1);
}

/** Elements read ahead if only bytes are bounded, because elements without tensors have no bytes. */
const kDefaultPrefetch = 1000;

function prefetchBounds(size: number | PrefetchOptions): { count: number; maxBytes: number | undefined } {
  const { elements, maxBytes } = typeof size === 'object' ? size : { elements: size, maxBytes: undefined };
  const isGiven = elements !== undefined && elements !== null;
  if (maxBytes === undefined || maxBytes === null) {
    assert(typeof size !== 'object' || isGiven, () => '[prefetch] expected {elements} or {maxBytes}, got neither');
  } else {
    assert(maxBytes > 0, () => `[prefetch] expected maxBytes to be a number above 0, got ${String(maxBytes)}`);
  }
  const count = isGiven || typeof size !== 'object' ? elements! : kDefaultPrefetch;
  checkCount('prefetch', typeof size === 'object' ? 'elements' : 'bufferSize', count, 1);
  return { count, maxBytes };
}

function checkCount(where: string, name: string, count: number, min: number): void {
  assert(
    Number.isInteger(count) && count >= min,
    () => `[${where}] expected ${name} to be an integer of at least ${min}, got ${String(count)}`,
  );
}
