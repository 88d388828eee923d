import { forEachTensor, groupTensors, listGroups } from './census.js';
import { LeakError } from '../runtime/errors.js';
import { wasm } from '../runtime/runtime.js';
import { kFollowsAwaits, runIn, startFollowing, stopFollowing } from './scope_async.js';
import { scope, type Scope } from './scope_object.js';

/** How often the function is called: at least twice, since the first call may fill caches. */
export interface LeakOptions {
  iterations?: number;
}

/**
 * For unit tests: calls a function again and again, and throws LeakError when tensors are left by the later calls:
 * tensors that were not disposed, that were kept, or that a variable or another holder has; also those that `fn` returns,
 * for nobody disposes them. What the first call leaves may be a cache, and is let be. For an async `fn` it gives a
 * promise that rejects instead. In Node, tests that run at the same time are told apart; in a browser those with async
 * functions are not.
 */
export function expectNoLeaks(fn: () => Promise<unknown>, options?: LeakOptions): Promise<void>;
export function expectNoLeaks(fn: () => unknown, options?: LeakOptions): void;
export function expectNoLeaks(fn: () => unknown, { iterations = 5 }: LeakOptions = {}): void | Promise<void> {
  if (typeof fn !== 'function') throw new Error('Please provide a function to expectNoLeaks()');
  if (!(Number.isInteger(iterations) && iterations >= 2)) {
    throw new Error(`[expectNoLeaks] expected at least 2 iterations, got ${iterations}`);
  }
  return new LeakCheck(fn, iterations).run();
}

class LeakCheck {
  readonly #scope: Scope = scope('expectNoLeaks');
  readonly #left = new Set<number>();
  #countsAll = false;
  #before: ReadonlySet<number> = new Set();

  constructor(
    readonly fn: () => unknown,
    readonly iterations: number,
  ) {}

  run(): void | Promise<void> {
    startFollowing();
    let pending: Promise<void> | undefined;
    try {
      pending = this.#callFrom(0);
      if (!pending) this.#judge();
    } finally {
      if (!pending) this.#end();
    }
    return pending?.then(() => this.#judge()).finally(() => this.#end());
  }

  /** The calls from one on; a promise as soon as one of them is async. */
  #callFrom(first: number): Promise<void> | undefined {
    for (let i = first; i < this.iterations; i++) {
      const result = runIn(this.#scope, this.fn, (id) => this.#left.add(id));
      if (isPromise(result)) {
        this.#countsAll ||= !kFollowsAwaits;
        return Promise.resolve(result).then(() => this.#note(i) ?? this.#callFrom(i + 1));
      }
      this.#note(i);
    }
    return undefined;
  }

  #note(call: number): undefined {
    if (call === 0) this.#before = this.#alive();
  }

  #alive(): Set<number> {
    const alive = new Set<number>();
    forEachTensor(this.#countsAll ? 0 : this.#scope.id, (id) => alive.add(id));
    for (const id of this.#left) {
      if (wasm._tn_alive(id) !== 0) alive.add(id);
    }
    return alive;
  }

  #judge(): void {
    const alive = this.#alive();
    const more = alive.size - this.#before.size;
    if (more <= 0) return;
    const groups = groupTensors(0, (id) => alive.has(id) && !this.#before.has(id));
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
    throw new LeakError(
      `[expectNoLeaks] ${more} tensors (${bytes} bytes) left by ${this.iterations - 1} calls: ${listGroups(groups)}`,
    );
  }

  /** What the first call left survives, for a cache of the program may hold it. */
  #end(): void {
    for (const id of this.#before) wasm._tn_pass_out(id, this.#scope.id);
    this.#scope.close();
    stopFollowing();
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}
