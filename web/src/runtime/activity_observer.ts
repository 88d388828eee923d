import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from './node_builtins.js';
import { addSyncListener, removeSyncListener } from './async_scope_tracking.js';

/** A source of events in the engine, which records them while there is an observer. */
export interface ActivitySource<W> {
  /** Starts to record events. */
  start(): void;
  /** Reports the events since the last call to the observers whose code has caused them. */
  flush(watching: readonly W[]): void;
  /** Stops recording events. */
  stop(): void;
}

/** The observer that code runs for, and those around it. */
interface ObserverContext<W> {
  readonly own: W;
  readonly around: ObserverContext<W> | undefined;
}

/**
 * Reports events in the engine to the observers of the code that causes them. In Node an observer sees the events of its own
 * code, across awaits, and none of other code. Elsewhere every observer sees all events.
 */
export class ActivityObserver<W> {
  readonly #source: ActivitySource<W>;
  readonly #storage: AsyncLocalStorage<ObserverContext<W>> | undefined;
  readonly #watching = new Set<W>();
  #running: ObserverContext<W> | undefined;
  #current: readonly W[] = [];

  constructor(source: ActivitySource<W>) {
    this.#source = source;
    this.#storage = asyncHooks && new asyncHooks.AsyncLocalStorage();
  }

  /** Adds an observer, which receives the events of its run() until end(). */
  begin(own: W): void {
    if (this.#watching.size === 0) {
      this.#source.start();
      addSyncListener(this.#turn);
    }
    this.#watching.add(own);
    this.#turn();
    this.flush();
  }
  /** Calls `body`, whose events are reported to `own`, and returns what it returns. */
  run<T>(own: W, body: () => T): T {
    const start = () => (this.#turn(), body());
    return this.#storage ? this.#storage.run({ own, around: this.#storage.getStore() }, start) : start();
  }
  /** Reports the events that are not reported yet. */
  flush(): void {
    this.#source.flush(this.#current);
  }
  /** Reports pending events and removes an observer. */
  end(own: W): void {
    this.flush();
    this.#watching.delete(own);
    this.#running = undefined;
    this.#current = [];
    if (this.#watching.size > 0) return;
    this.#source.stop();
    removeSyncListener(this.#turn);
  }

  /** Reports pending events, and switches to the observers of the code that runs now. */
  readonly #turn = (): void => {
    const running = this.#storage?.getStore();
    if (this.#storage ? running === this.#running : this.#current.length === this.#watching.size) return;
    this.flush();
    this.#running = running;
    this.#current = this.#storage ? this.#chain(running) : [...this.#watching];
  };

  #chain(mark: ObserverContext<W> | undefined): W[] {
    const chain: W[] = [];
    for (; mark; mark = mark.around) if (this.#watching.has(mark.own)) chain.push(mark.own);
    return chain;
  }
}
