import { scopeAsyncIn } from '../owner/scope_async.js';
import { Scope } from '../owner/scope_object.js';
import { composed, tensorsIn } from '../owner/scope.js';
import { wasm } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import type { Tensor } from '../tensor/tensor.js';
import { bytesOf, mapTensors, withOwnArrays } from './element.js';
import type { PipelineOptions, PipelineSnapshot, PipelineStats } from './options.js';
import type { ShuffleSeeds } from './shuffle_seeds.js';

/** What passes from stage to stage: a value, and the tensors in it, all of which the pipeline owns. */
export interface Element<T = unknown> {
  readonly value: T;
  readonly tensors: readonly Tensor[];
  /** Of the tensors. */
  readonly bytes: number;
}

/** A step of a pipeline. It may be asked again before it has answered, and answers in order. */
export interface Stage<T = unknown> {
  /** The next element; undefined at the end. */
  next(): Promise<Element<T> | undefined>;
  /** Passes over elements without making them, where it can, and gives how many there were. Called before next(). */
  skip?(count: number): Promise<number>;
}

const kNone: readonly Tensor[] = [];

/**
 * What all stages of one pass over a dataset share: a scope that owns whatever tensor is on its way, and what is known of
 * bytes. Closing it frees them all, wherever they are; only what a function of the user works on waits until that returns.
 */
export class Pipeline {
  readonly options: PipelineOptions;
  readonly stats: PipelineStats = { elements: 0, bytesAhead: 0, peakBytesAhead: 0, waitedForProducer: 0, waitedForConsumer: 0 };
  readonly #scope = new Scope(0, 'pipeline');
  readonly #shuffles = new Map<ShuffleSeeds, PipelineSnapshot['shuffles'][number]>();
  readonly #ahead = new Set<Element>();
  readonly #inUse = new Set<Element>();
  readonly #closers: (() => unknown)[] = [];
  readonly #listeners = new Set<() => void>();
  /** Whether a stage transfers typed arrays to workers: what is not the pipeline's own it must copy. */
  sendsAway = false;
  #working = 0;
  #largest = 0;
  #closed = false;

  constructor(options: PipelineOptions = {}) {
    this.options = options;
    wasm._tn_put_in_pipeline(this.#scope.id);
  }

  /** The engine's number of the scope that owns what is on its way; 0 once it is closed. */
  get scope(): number {
    return this.#scope.id;
  }

  /** To be called before the pass draws a seed: puts the draws where a snapshot found them, and writes them down. */
  meet(seeds: ShuffleSeeds): void {
    if (this.#shuffles.has(seeds)) return;
    const saved = this.options.from?.shuffles[this.#shuffles.size];
    if (saved) seeds.moveTo(saved);
    this.#shuffles.set(seeds, seeds.state);
  }
  snapshot(): PipelineSnapshot {
    const elements = (this.options.from?.elements ?? 0) + this.stats.elements;
    return { elements, shuffles: [...this.#shuffles.values()] };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** To be called when the pipeline ends, also where it is abandoned: closes files and generators. */
  onClose(close: () => unknown): void {
    if (this.#closed) close();
    else this.#closers.push(close);
  }
  /** To be called whenever elements come or go. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Makes a value an element: its tensors are the pipeline's from here on, whoever had them, but for holders'. */
  take<T>(value: T): Element<T> {
    return this.#claim(value, (tensor) => this.#attach(tensor));
  }
  /** Likewise, with handles of its own on the same bytes; the value's own stay with their owner. */
  copy<T>(value: T): Element<T> {
    return this.#claim(this.sendsAway ? withOwnArrays(value) : value, () => false);
  }

  /** One element of several, whose value has theirs. */
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

  /** What a synchronous function makes of elements: what it made and did not return is freed, and so are they. */
  map<R>(inputs: readonly Element[], fn: () => R): Element<R> {
    // What was made inside is the pipeline's by then, like the inputs; anything else stays its owner's.
    const element = this.#claim(this.run(() => composed(fn)), (tensor) => this.#owns(tensor));
    this.#replace(inputs, element.tensors);
    return element;
  }

  /** Likewise for an asynchronous function of a stage's next element; undefined where there is none, or the pipeline was closed. */
  async mapNext<T, R>(upstream: Stage<T>, fn: (value: T) => Promise<R> | R): Promise<Element<R> | undefined> {
    const input = await upstream.next();
    if (!input || this.#closed) return undefined;
    this.#working++;
    if (input.bytes > 0) this.#inUse.add(input);
    try {
      const element = this.take(await scopeAsyncIn(this.#scope.id, '', () => fn(input.value)));
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

  /** Asks a predicate, and frees what it made; what it makes after an await is for a scopeAsync() of its own. */
  async test(predicate: () => boolean | Promise<boolean>): Promise<boolean> {
    return this.run(() => composed(predicate));
  }

  /** Calls a function that makes values, with the pipeline's scope current. */
  run<R>(fn: () => R): R {
    return this.#scope.run(fn);
  }

  /** Frees an element that goes nowhere. */
  drop(element: Element): void {
    this.#forget(element);
    for (const tensor of element.tensors) if (this.#owns(tensor)) tensor.dispose();
  }
  /** Gives an element to the consumer: its tensors belong to the scope that is current there, or to the caller. */
  give<T>(element: Element<T>, scope: number): T {
    this.#forget(element);
    const isOpen = scope !== 0 && wasm._tn_scope_is_open(scope) === 1;
    for (const { id } of element.tensors) {
      if (isOpen) wasm._tn_attach(id, scope);
      else wasm._tn_keep(id);
    }
    return element.value;
  }

  /** Leaves a tensor to the caller. */
  release(tensor: Tensor): void {
    if (this.#owns(tensor)) wasm._tn_keep(tensor.id);
  }

  /**
   * Whether reading another element ahead keeps within `maxBytes`, when `pending` more are already on their way and each
   * may be there `handles` times until it arrives.
   */
  hasRoom(pending: number, maxBytes = this.options.maxBytes ?? Infinity, handles = 1): boolean {
    if (maxBytes === Infinity) return true;
    // Until the first element is there, nobody knows how large they are.
    if (this.#largest === 0) return pending === 0;
    let ready = this.stats.bytesAhead;
    for (const { bytes } of this.#inUse) ready -= bytes;
    return ready + (pending + 1) * handles * this.#largest <= maxBytes;
  }

  /** Frees everything at once; what functions that are at work make goes when they return. Waits a turn for sources. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const element of [...this.#ahead]) this.drop(element);
    this.#finish();
    for (const listener of this.#listeners) listener();
    const closing = Promise.all(this.#closers.splice(0).map((close) => Promise.resolve().then(close)));
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve))]);
    // A source that takes longer may fail unseen: nobody waits for it any more.
    closing.catch(() => undefined);
  }

  /** Closes the scope once the pipeline is closed and nothing works in it any more. */
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

  /** An element of a value whose tensors are the pipeline's where `owns` says so; of the others it gets its own handles. */
  #claim<T>(value: T, owns: (tensor: Tensor) => boolean): Element<T> {
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
    const element = { value, tensors, bytes: bytesOf(tensors) };
    this.#remember(element);
    return element;
  }

  #remember(element: Element): void {
    this.#ahead.add(element);
    this.#largest = Math.max(this.#largest, element.bytes);
    this.stats.bytesAhead += element.bytes;
    this.stats.peakBytesAhead = Math.max(this.stats.peakBytesAhead, this.stats.bytesAhead);
  }

  #forget(element: Element): void {
    if (!this.#ahead.delete(element)) return;
    this.stats.bytesAhead -= element.bytes;
    for (const listener of this.#listeners) listener();
  }

  /** Frees elements but for the tensors that their successor still has. */
  #replace(inputs: readonly Element[], kept: readonly Tensor[]): void {
    for (const input of inputs) {
      if (input.tensors.length === 0) continue;
      this.#forget(input);
      for (const tensor of input.tensors) if (!kept.includes(tensor) && this.#owns(tensor)) tensor.dispose();
    }
  }
}

/** Passes over the next elements of a stage that has given none yet; gives how many there were. */
export async function skip(pipeline: Pipeline, stage: Stage, count: number): Promise<number> {
  return stage.skip ? stage.skip(count) : dropNext(pipeline, stage, count);
}

/** Likewise, by making the elements: for a stage that cannot say how many there are without. */
export async function dropNext(pipeline: Pipeline, stage: Stage, count: number): Promise<number> {
  for (let skipped = 0; skipped < count; skipped++) {
    const element = await stage.next();
    if (!element) return skipped;
    pipeline.drop(element);
  }
  return count;
}

/** The number of the scope that the running code is in; 0 for none. */
export function scopeHere(): number {
  follow();
  return wasm._tn_current_scope();
}
