import { formatCount } from '../debug/records.js';
import { groupTensors, listGroups } from './memory_breakdown.js';
import { LeakError } from '../runtime/errors.js';
import { wasm } from '../runtime/runtime.js';
import { ActivityObserver } from '../runtime/activity_observer.js';
import { isPromise } from '../util/checks.js';
import { runInScope, startTracking, stopTracking } from './async_context.js';
import { scope, type Scope } from './scope_object.js';

/** Options of expectNoLeaks(). */
export interface LeakOptions {
  /** Number of calls of the function, 5 by default: 2 at least, since the first call may fill caches. */
  iterations?: number;
}

/**
 * Calls a function several times, and throws LeakError if the calls after the first leave tensors alive. For unit tests. It
 * counts tensors that were not disposed, that were kept, that a variable, another holder or an enclosing scope owns, and that
 * `fn` returns, since nothing disposes them. Tensors that the first call leaves may be a cache and are ignored. For an async
 * `fn`, returns a promise that rejects instead. In Node concurrent tests do not affect each other; in a browser concurrent tests
 * of async functions do.
 * @example
 * const cache = [];
 * tf.expectNoLeaks(() => cache.push(tf.ones([2]))); // throws LeakError: [expectNoLeaks] 4 tensors (32 bytes) left by 4 calls
 * tf.expectNoLeaks(() => tf.tidy(() => tf.ones([2]).add(1).dataSync()));
 * tf.memory().numTensors; // 1: what the first call left, which may be a cache
 * tf.dispose(cache);
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
  readonly #around = wasm._tn_current_scope();
  readonly #made = new Set<number>();
  #most = 1024;
  #before: ReadonlySet<number> = new Set();

  constructor(
    readonly fn: () => unknown,
    readonly iterations: number,
  ) {}

  run(): void | Promise<void> {
    startTracking();
    creationObserver.begin(this);
    let pending: Promise<void> | undefined;
    try {
      pending = this.#callFrom(0);
      if (!pending) this.#reportLeak();
    } finally {
      if (!pending) this.#end();
    }
    return pending?.then(() => this.#reportLeak()).finally(() => this.#end());
  }

  /** Records a tensor that the calls have made. */
  note(id: number): void {
    this.#made.add(id);
    if (this.#made.size > this.#most) this.#most = 2 * this.#alive().size + 1024;
  }

  /** Makes the calls from index `first` on. Returns a promise once one of them is async. */
  #callFrom(first: number): Promise<void> | undefined {
    for (let i = first; i < this.iterations; i++) {
      const result = creationObserver.run(this, () => runInScope(this.#scope, this.#around, this.fn));
      if (isPromise(result)) return Promise.resolve(result).then(() => this.#endOf(i) ?? this.#callFrom(i + 1));
      this.#endOf(i);
    }
    return undefined;
  }

  #endOf(call: number): undefined {
    creationObserver.flush();
    if (call === 0) this.#before = new Set(this.#alive());
  }

  #alive(): ReadonlySet<number> {
    for (const id of this.#made) if (wasm._tn_alive(id) === 0) this.#made.delete(id);
    return this.#made;
  }

  #reportLeak(): void {
    creationObserver.flush();
    const alive = this.#alive();
    const more = alive.size - this.#before.size;
    if (more <= 0) return;
    const groups = groupTensors(0, (id) => alive.has(id) && !this.#before.has(id));
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
    throw new LeakError(
      `[expectNoLeaks] ${formatCount(more)} (${formatCount(bytes, 'byte')}) left by ${formatCount(this.iterations - 1, 'call')}: ${listGroups(groups)}`,
    );
  }

  /** Closes the check's scope. Tensors that the first call left survive, since a cache of the program may hold them. */
  #end(): void {
    creationObserver.end(this);
    for (const id of this.#before) wasm._tn_pass_out(id, this.#scope.id);
    this.#scope.close();
    stopTracking();
  }
}

/** Reports to each check the tensors that its calls have made, whoever owns them now. */
const creationObserver = new ActivityObserver<LeakCheck>({
  start: () => wasm._tn_watch_births(1),
  flush(checks) {
    for (let id; (id = wasm._tn_take_birth()) !== 0; ) for (const check of checks) check.note(id);
  },
  stop: () => wasm._tn_watch_births(0),
});
