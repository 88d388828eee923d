import { Holder, dispose, tensorsIn } from '../owner/scope.js';
import { isPromise } from '../util/checks.js';
import { noteCall } from '../debug/ledger.js';
import { unwatchIterator, watchIterator } from '../debug/abandoned_iterators.js';
import type { PipelineOptions, PipelineSnapshot, PipelineStats } from './options.js';
import { Pipeline, currentScopeId, skip, type Element, type Stage } from './pipeline.js';
import { createProgress, type Progress } from './progress.js';

/** One pass over a dataset. A holder: elements in flight belong to it until it is closed. */
export class DatasetIterator<T = unknown> extends Holder implements AsyncIterator<T, null, void> {
  readonly #pipeline: Pipeline;
  readonly #opening: Promise<Stage<T>>;
  #stage: Stage<T> | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #onAbort = () => void this.#fail(this.#pipeline.options.signal!.reason);
  readonly #lent = new Set<Element<T>>();
  #failed: { reason: unknown } | undefined;
  readonly #progress: Progress | undefined;
  #emittedAt = 0;

  /** @internal */
  constructor(
    open: (pipeline: Pipeline) => Promise<Stage<T>>,
    options: PipelineOptions = {},
    size: number | null = null,
  ) {
    super();
    checkSnapshot(options.from);
    this.#pipeline = new Pipeline(options);
    if (__DEBUG__) {
      watchIterator(this, this.#pipeline.scope);
      noteCall(this.#pipeline);
    }
    this.#progress = createProgress(options.progress, size);
    this.#opening = openStage(this.#pipeline, open);
    // next() reports the failure. Until then it must not be an unhandled rejection.
    this.#opening.catch(() => undefined);
    const { signal } = options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Returns what the pass has done so far, and how long each side has waited for the other. */
  stats(): PipelineStats {
    return { ...this.#pipeline.stats };
  }
  /**
   * Returns the position of the pass. `dataset.iterator({from})` continues there, with the same shuffles. For elements
   * before it, maps do not run again; filters, shuffles and functions that produce elements do.
   */
  snapshot(): PipelineSnapshot {
    return this.#pipeline.snapshot();
  }

  /**
   * Resolves to the next element. Its tensors belong to the scope that next() was called in, or else to the caller.
   * `done` is true after the last element, after an error, and after close().
   */
  async next(): Promise<IteratorResult<T, null>> {
    const scope = currentScopeId();
    const element = await this.#read();
    return element ? { value: this.#pipeline.handOff(element, scope), done: false } : { value: null, done: true };
  }
  /**
   * Ends the pass and frees the elements ahead. Tensors of functions that are still at work are freed when these
   * return. Waits until the sources have closed, but at most one turn of the event loop for those that are still
   * producing an element. Rejects with what a source throws while it closes.
   */
  async close(): Promise<void> {
    if (__DEBUG__) unwatchIterator(this);
    this.#progress?.end();
    this.#pipeline.options.signal?.removeEventListener('abort', this.#onAbort);
    for (const giveUp of this.#waiting) giveUp();
    await this.#pipeline.close();
  }
  /** Closes the pass. `for await` calls this when its loop is left. */
  async return(): Promise<IteratorResult<T, null>> {
    await this.close();
    return { value: null, done: true };
  }
  override [Symbol.dispose](): void {
    void this.close();
  }
  /** Closes the pass without waiting. */
  dispose(): void {
    void this.close();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
  /**
   * Returns an iterator for `for await`. The tensors of an element are freed at the next iteration; tf.keep() those
   * that must outlive it. Several loops share a pass.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, null, void> {
    let element: Element<T> | undefined;
    const lender: AsyncIterableIterator<T, null, void> = {
      next: async () => {
        element = await this.#lend(element);
        return element ? { value: element.value, done: false } : { value: null, done: true };
      },
      return: async () => this.return(),
      [Symbol.asyncIterator]: () => lender,
    };
    return lender;
  }

  /** Resolves to all remaining elements. Their tensors belong to the current scope, or else to the caller. */
  async toArray(): Promise<T[]> {
    const values: T[] = [];
    try {
      for (;;) {
        const { value, done } = await this.next();
        if (done) return values;
        values.push(value);
      }
    } catch (error) {
      dispose(values);
      throw error;
    }
  }
  /**
   * Calls `f` for each remaining element, and frees its tensors when `f` has returned or its promise has settled.
   * Tensors that `f` returns become the caller's.
   */
  async forEachAsync(f: (value: T) => unknown): Promise<void> {
    let element: Element<T> | undefined;
    try {
      while ((element = await this.#lend(element))) {
        const result: unknown = f(element.value);
        for (const tensor of tensorsIn(isPromise(result) ? await result : result)) this.#pipeline.release(tensor);
      }
    } catch (error) {
      await this.close();
      throw error;
    }
  }
  /** Reads and frees all remaining elements. */
  async resolveFully(): Promise<void> {
    await this.forEachAsync(() => undefined);
  }

  /** Reads the next element for a loop, and frees the loop's last one. */
  async #lend(last: Element<T> | undefined): Promise<Element<T> | undefined> {
    if (last) {
      this.#lent.delete(last);
      this.#pipeline.drop(last);
    }
    const element = await this.#read();
    if (element) this.#lent.add(element);
    return element;
  }

  async #read(): Promise<Element<T> | undefined> {
    if (__DEBUG__) noteCall(this.#pipeline);
    const { stats } = this.#pipeline;
    const start = performance.now();
    if (this.#emittedAt > 0) stats.waitedForConsumer += start - this.#emittedAt;
    let element: Element<T> | undefined;
    try {
      this.#stage ??= await this.#untilClosed(this.#opening);
      element = this.#stage && (await this.#untilClosed(this.#stage.next()));
    } catch (error) {
      await this.#fail(error);
    }
    if (this.#failed) {
      const { reason } = this.#failed;
      this.#failed = undefined;
      throw reason;
    }
    this.#emittedAt = performance.now();
    stats.waitedForProducer += this.#emittedAt - start;
    if (element && !this.#pipeline.closed) {
      stats.elements++;
      this.#progress?.show(this.#pipeline.snapshot().elements, stats, this.#emittedAt);
    }
    // Another loop may still use its last element. Then that loop ends the pass.
    else if (!this.#pipeline.closed && this.#lent.size === 0) await this.close();
    return this.#pipeline.closed ? undefined : element;
  }

  /** Resolves like a promise, or to undefined as soon as the pass is closed. */
  #untilClosed<V>(promise: Promise<V | undefined>): Promise<V | undefined> {
    // Failures after close() are ignored.
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve(undefined);
      if (this.#pipeline.closed) giveUp();
      this.#waiting.add(giveUp);
      promise.then(
        (value) => {
          this.#waiting.delete(giveUp);
          resolve(value);
        },
        (error: Error) => {
          this.#waiting.delete(giveUp);
          reject(error);
        },
      );
    });
  }

  async #fail(reason: unknown): Promise<void> {
    if (this.#pipeline.closed) return;
    this.#failed = { reason };
    await this.close();
  }
}

async function openStage<T>(pipeline: Pipeline, open: (pipeline: Pipeline) => Promise<Stage<T>>): Promise<Stage<T>> {
  const stage = await open(pipeline);
  if (pipeline.options.from) await skip(pipeline, stage, pipeline.options.from.elements);
  return stage;
}

function checkSnapshot(from: PipelineSnapshot | undefined): void {
  if (from === undefined) return;
  const isCount = (count: unknown) => Number.isInteger(count) && (count as number) >= 0;
  const isFine =
    isCount(from?.elements) && Array.isArray(from.shuffles) && from.shuffles.every(({ draws }) => isCount(draws));
  if (!isFine) throw new Error('[iterator] expected `from` to be a result of snapshot()');
}
