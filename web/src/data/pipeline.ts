import { runAsCalled } from '../debug/ledger.js';
import { scopeAsyncIn } from '../owner/scope_async.js';
import { Scope } from '../owner/scope_object.js';
import { runInInternalScope, tensorsIn } from '../owner/scope.js';
import { wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import type { Tensor } from '../tensor/tensor.js';
import { totalBytes, mapTensors, copyTypedArrays } from './element.js';
import type { PipelineOptions, PipelineSnapshot, PipelineStats } from './options.js';
import type { ShuffleSeeds } from './shuffle_seeds.js';

/** An item that stages pass on: a value and its tensors, all of which the pipeline owns. */
export interface Element<T = unknown> {
  readonly value: T;
  readonly tensors: readonly Tensor[];
  /** Bytes of the tensors. */
  readonly bytes: number;
}

/** A step of a pipeline. next() may be called again before it has resolved; results come in order. */
export interface Stage<T = unknown> {
  /** Resolves to the next element, or to undefined at the end. */
  next(): Promise<Element<T> | undefined>;
  /** Skips elements, without computing them if possible, and resolves to how many there were. Called before next(). */
  skip?(count: number): Promise<number>;
}

const kNone: readonly Tensor[] = [];

/**
 * State of one pass over a dataset, common to its stages: a scope that owns every tensor in flight, and counts of
 * bytes. Closing it frees the tensors, except those that a function of the user works on, which are freed when it
 * returns.
 */
export class Pipeline {
  readonly options: PipelineOptions;
  readonly stats: PipelineStats = {
    elements: 0,
    bytesAhead: 0,
    peakBytesAhead: 0,
    waitedForProducer: 0,
    waitedForConsumer: 0,
  };
  readonly #scope = new Scope(0, 'pipeline');
  readonly #shuffles = new Map<ShuffleSeeds, PipelineSnapshot['shuffles'][number]>();
  readonly #ahead = new Set<Element>();
  readonly #inUse = new Set<Element>();
  readonly #closers: { close: () => unknown; isBusy: () => boolean }[] = [];
  readonly #listeners = new Set<() => void>();
  /** True if a stage transfers typed arrays to workers. Arrays that the pipeline does not own must then be copied. */
  transfersBuffers = false;
  #working = 0;
  #largest = 0;
  #closed = false;

  constructor(options: PipelineOptions = {}) {
    this.options = options;
    wasm._tn_put_in_pipeline(this.#scope.id);
  }

  /** Id of the scope that owns the tensors in flight; 0 once it is closed. */
  get scope(): number {
    return this.#scope.id;
  }

  /**
   * Moves a shuffle's seeds to their state in the snapshot, if there is one, and records the state. Called before the
   * pass draws a seed.
   */
  restoreShuffle(seeds: ShuffleSeeds): void {
    if (this.#shuffles.has(seeds)) return;
    const saved = this.options.from?.shuffles[this.#shuffles.size];
    if (saved) seeds.restore(saved);
    this.#shuffles.set(seeds, seeds.state);
  }
  /** Returns the position of the pass. */
  snapshot(): PipelineSnapshot {
    const elements = (this.options.from?.elements ?? 0) + this.stats.elements;
    return { elements, shuffles: [...this.#shuffles.values()] };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Registers a function that closes a file or generator when the pipeline ends, even if it is abandoned. Calls it at
   * once if the pipeline is closed. `isBusy` tells whether the source is still producing an element, which may never end.
   */
  onClose(close: () => unknown, isBusy = () => false): void {
    if (this.#closed) close();
    else this.#closers.push({ close, isBusy });
  }
  /**
   * Registers a function that is called when an element with tensors leaves the pipeline, and when the pipeline closes.
   */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Makes a value an element, and takes ownership of its tensors. Those that belong to a holder are cloned. */
  adopt<T>(value: T): Element<T> {
    return this.#toElement(value, (tensor) => this.#attach(tensor));
  }
  /**
   * Makes a value an element with clones of its tensors; the value's own stay with their owner. If a stage transfers
   * typed arrays, these are copied.
   */
  share<T>(value: T): Element<T> {
    return this.#toElement(this.transfersBuffers ? copyTypedArrays(value) : value, () => false);
  }

  /** Merges elements into one, whose value contains theirs. */
  join<R>(inputs: readonly Element[], value: R): Element<R> {
    let bytes = 0;
    const tensors: Tensor[] = [];
    for (const input of inputs) {
      tensors.push(...input.tensors);
      bytes += input.bytes;
      this.#ahead.delete(input);
    }
    const element = { value, tensors, bytes };
    if (tensors.length === 0) return element;
    this.#ahead.add(element);
    this.#largest = Math.max(this.#largest, bytes);
    return element;
  }

  /**
   * Applies a synchronous function to elements. Frees the inputs, and tensors that the function created and did not
   * return.
   */
  map<R>(inputs: readonly Element[], fn: () => R): Element<R> {
    // Tensors that were created inside belong to the pipeline by now, as the inputs do. All others are their owner's.
    const element = this.#toElement(
      this.run(() => runInInternalScope(fn)),
      (tensor) => this.#owns(tensor),
    );
    this.#replace(inputs, element.tensors);
    return element;
  }

  /**
   * Applies an asynchronous function to a stage's next element. Frees the input, and tensors that the function created
   * and did not return. Resolves to undefined at the end, or if the pipeline was closed.
   */
  async mapNext<T, R>(upstream: Stage<T>, fn: (value: T) => Promise<R> | R): Promise<Element<R> | undefined> {
    const input = await upstream.next();
    if (!input || this.#closed) return undefined;
    this.#working++;
    if (input.bytes > 0) this.#inUse.add(input);
    try {
      const element = this.adopt(await scopeAsyncIn(this.#scope.id, '', () => fn(input.value)));
      this.#replace([input], element.tensors);
      if (!this.#closed) return element;
      this.drop(element);
      return undefined;
    } finally {
      this.#inUse.delete(input);
      this.#working--;
      this.#finish();
    }
  }

  /**
   * Evaluates a predicate, and frees the tensors that it creates before its first await. For later ones, the predicate
   * needs a scopeAsync().
   */
  async test(predicate: () => boolean | Promise<boolean>): Promise<boolean> {
    return this.run(() => runInInternalScope(predicate));
  }

  /** Calls a function with the pipeline's scope as the current one. */
  run<R>(fn: () => R): R {
    return __DEBUG__ ? runAsCalled(this, () => this.#scope.run(fn)) : this.#scope.run(fn);
  }

  /** Frees an element that is not passed on. */
  drop(element: Element): void {
    this.#untrack(element);
    for (const tensor of element.tensors) if (this.#owns(tensor)) tensor.dispose();
  }
  /** Hands an element to the consumer. Its tensors move to `scope` if that is open, else to the caller. */
  handOff<T>(element: Element<T>, scope: number): T {
    this.#untrack(element);
    const isOpen = scope !== 0 && wasm._tn_scope_is_open(scope) === 1;
    for (const { id } of element.tensors) {
      if (isOpen) wasm._tn_attach(id, scope);
      else wasm._tn_keep(id);
    }
    return element.value;
  }

  /** Moves a tensor to the caller if the pipeline owns it. */
  release(tensor: Tensor): void {
    if (this.#owns(tensor)) wasm._tn_keep(tensor.id);
  }

  /**
   * True if reading another element ahead stays within a bound on bytes.
   * @param pending Number of elements that are being read already.
   * @param maxBytes The bound; by default that of the options.
   * @param handles Number of copies of an element that may exist until it arrives.
   */
  hasRoom(pending: number, maxBytes = this.options.maxBytes ?? Infinity, handles = 1): boolean {
    if (maxBytes === Infinity) return true;
    // Until the first element has arrived, the size of elements is unknown.
    if (this.#largest === 0) return pending === 0;
    let ready = this.stats.bytesAhead;
    for (const { bytes } of this.#inUse) ready -= bytes;
    return ready + (pending + 1) * handles * this.#largest <= maxBytes;
  }

  /**
   * Frees everything at once. Tensors of functions that are still at work are freed when these return. Waits until the
   * sources have closed, but at most one turn of the event loop for those that are still producing an element.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const element of [...this.#ahead]) this.drop(element);
    this.#finish();
    for (const listener of this.#listeners) listener();
    await Promise.all(this.#closers.splice(0).map(closeSource));
  }

  /** Closes the scope once the pipeline is closed and no function is at work in it. */
  #finish(): void {
    if (this.#closed && this.#working === 0) this.#scope.close();
  }

  #attach(tensor: Tensor): boolean {
    wasm._tn_attach(tensor.id, this.#scope.id);
    return this.#owns(tensor);
  }

  #owns(tensor: Tensor): boolean {
    return wasm._tn_owns(this.#scope.id, tensor.id) === 1;
  }

  /** Makes a value an element. Tensors for which `owns` returns false are replaced by clones. */
  #toElement<T>(value: T, owns: (tensor: Tensor) => boolean): Element<T> {
    if (typeof value !== 'object' || value === null) return { value, tensors: kNone, bytes: 0 };
    let tensors = tensorsIn(value);
    if (this.#scope.closed) for (const tensor of tensors.splice(0)) tensor.dispose();
    if (tensors.length === 0) return { value, tensors: kNone, bytes: 0 };
    const foreign = new Map<unknown, Tensor>();
    this.run(() => {
      for (const tensor of tensors) if (!owns(tensor)) foreign.set(tensor, tensor.clone());
    });
    if (foreign.size > 0) {
      value = mapTensors(value, (tensor) => foreign.get(tensor) ?? tensor);
      tensors = tensors.map((tensor) => foreign.get(tensor) ?? tensor);
    }
    const element = { value, tensors, bytes: totalBytes(tensors) };
    this.#track(element);
    return element;
  }

  #track(element: Element): void {
    this.#ahead.add(element);
    this.#largest = Math.max(this.#largest, element.bytes);
    this.stats.bytesAhead += element.bytes;
    this.stats.peakBytesAhead = Math.max(this.stats.peakBytesAhead, this.stats.bytesAhead);
  }

  #untrack(element: Element): void {
    if (!this.#ahead.delete(element)) return;
    this.stats.bytesAhead -= element.bytes;
    for (const listener of this.#listeners) listener();
  }

  /** Frees elements, except for the tensors in `kept`. */
  #replace(inputs: readonly Element[], kept: readonly Tensor[]): void {
    for (const input of inputs) {
      if (input.tensors.length === 0) continue;
      this.#untrack(input);
      for (const tensor of input.tensors) if (!kept.includes(tensor) && this.#owns(tensor)) tensor.dispose();
    }
  }
}

async function closeSource({ close, isBusy }: { close: () => unknown; isBusy: () => boolean }): Promise<void> {
  const isBounded = isBusy();
  const closing = Promise.resolve().then(close);
  if (isBounded) await Promise.race([closing, new Promise((resolve) => setTimeout(resolve))]);
  else await closing;
  // Failures of a source that takes longer are ignored.
  closing.catch(() => undefined);
}

/** Skips the next elements of a stage that has emitted none yet, and resolves to how many there were. */
export async function skip(pipeline: Pipeline, stage: Stage, count: number): Promise<number> {
  return stage.skip ? stage.skip(count) : dropNext(pipeline, stage, count);
}

/**
 * Skips the next elements of a stage by computing and freeing them, and resolves to how many there were. For stages
 * that cannot count elements without computing them.
 */
export async function dropNext(pipeline: Pipeline, stage: Stage, count: number): Promise<number> {
  for (let skipped = 0; skipped < count; skipped++) {
    const element = await stage.next();
    if (!element) return skipped;
    pipeline.drop(element);
  }
  return count;
}

/** Returns the id of the current scope; 0 if there is none. */
export function currentScopeId(): number {
  syncCurrentScope();
  return wasm._tn_current_scope();
}
