import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from './built_in.js';
import { addWatcher, removeWatcher } from './scope_following.js';

/** What is watched, for as long as anybody is at it. */
export interface Source<W> {
  start(): void;
  /** Tells what happened since the last time to those whose code it was. */
  settle(watching: readonly W[]): void;
  stop(): void;
}

/** What code runs for, inside of what. */
interface Mark<W> {
  readonly own: W;
  readonly around: Mark<W> | undefined;
}

/**
 * Tells what happens in the engine to those who watch the code that does it: in Node across its awaits, and nothing that
 * other code does; elsewhere whoever watches sees everything.
 */
export class Watch<W> {
  readonly #source: Source<W>;
  readonly #storage: AsyncLocalStorage<Mark<W>> | undefined;
  readonly #watching = new Set<W>();
  #running: Mark<W> | undefined;
  #current: readonly W[] = [];

  constructor(source: Source<W>) {
    this.#source = source;
    this.#storage = asyncHooks && new asyncHooks.AsyncLocalStorage();
  }

  /** From now on `own` is told of what runs in run(), until end(). */
  begin(own: W): void {
    if (this.#watching.size === 0) {
      this.#source.start();
      addWatcher(this.#turn);
    }
    this.#watching.add(own);
    this.#turn();
    this.settle();
  }
  run<T>(own: W, body: () => T): T {
    const start = () => (this.#turn(), body());
    return this.#storage ? this.#storage.run({ own, around: this.#storage.getStore() }, start) : start();
  }
  /** Tells what is not told yet. */
  settle(): void {
    this.#source.settle(this.#current);
  }
  end(own: W): void {
    this.settle();
    this.#watching.delete(own);
    this.#running = undefined;
    this.#current = [];
    if (this.#watching.size > 0) return;
    this.#source.stop();
    removeWatcher(this.#turn);
  }

  /** Turns to those who watch the code that runs now. */
  readonly #turn = (): void => {
    const running = this.#storage?.getStore();
    if (this.#storage ? running === this.#running : this.#current.length === this.#watching.size) return;
    this.settle();
    this.#running = running;
    this.#current = this.#storage ? this.#chain(running) : [...this.#watching];
  };

  #chain(mark: Mark<W> | undefined): W[] {
    const chain: W[] = [];
    for (; mark; mark = mark.around) if (this.#watching.has(mark.own)) chain.push(mark.own);
    return chain;
  }
}
