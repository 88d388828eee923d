import { Encoder } from '../runtime/text_coding.js';
import { formatCount } from '../debug/records.js';
import { groupTensors, listGroups } from './memory_breakdown.js';
import {
  setCurrentOp,
  attributeFrees,
  opened,
  describeOpening,
  onScopeReturn,
  runTracked,
  recordLeak,
  flushWarnings,
} from '../debug/ledger.js';
import { LeakError } from '../runtime/errors.js';
import { raise, scratch, wasm } from '../runtime/runtime.js';
import { tensorsIn, type TensorContainer } from './scope.js';
import { endFrame, syncCurrentScope, frame, startFrame } from '../runtime/async_scope_tracking.js';
import { restoreContext, captureContext } from './async_context.js';
import { Tensor, disposed } from '../tensor/tensor.js';

/** Options of scope(). */
export interface ScopeOptions {
  /**
   * Reaction of close() to tensors that are still alive, which it frees in any case: 'dispose' (the default) is silent, 'report'
   * warns on the console, 'throw' throws LeakError.
   */
  onExit?: 'dispose' | 'report' | 'throw';
}

/**
 * An owner of tensors with an explicit lifetime: across awaits, in an object, beside other scopes. Tensors that are made in its
 * run() belong to it until close().
 * @example
 * const frame = tf.scope('frame');
 * const result = frame.run(() => tf.tensor([1, 2]).square());
 * result; // [1, 4]
 * frame.numTensors; // 2: the tensor and its square
 * frame.close();
 * tf.memory().numTensors; // 0
 */
export class Scope {
  /** The name of the scope in reports and errors. */
  readonly name: string;
  readonly #id: number;
  readonly #onExit: ScopeOptions['onExit'];
  readonly #pending = new Set<Promise<unknown>>();

  /** @internal */
  constructor(parent: number, name: string, options: ScopeOptions = {}, isDetachable = false) {
    this.#id = makeScope(parent, name, isDetachable);
    if (__DEBUG__) opened(this.#id, describeOpening('scope', name));
    this.name = name;
    this.#onExit = options.onExit;
  }

  /** @internal The engine's id of the scope; 0 once it is closed. */
  get id(): number {
    return this.closed ? 0 : this.#id;
  }
  /** True once it was closed, by itself or with an enclosing scope. */
  get closed(): boolean {
    return wasm._tn_scope_is_open(this.#id) === 0;
  }
  /** Number of tensors that the scope and those inside own. */
  get numTensors(): number {
    return wasm._tn_scope_totals(this.#id);
  }
  /** Bytes of the tensors that the scope and those inside own. */
  get numBytes(): number {
    wasm._tn_scope_totals(this.#id);
    return scratch()[0]! >>> 0;
  }

  /**
   * Calls `fn` with this scope current, so that tensors made inside belong to it, and returns what `fn` returns. For an async
   * `fn` this covers the part up to its first await: call run() again after it. Throws if the scope is closed.
   * @example
   * const scope = tf.scope();
   * const x = scope.run(() => tf.ones([2]));
   * const y = scope.run(() => x.add(1)); // [2, 2]
   * scope.close();
   * scope.run(() => tf.ones([2])); // throws Error: [run] scope '' is closed
   */
  run<T>(fn: () => T): T {
    const result = this.enter(fn);
    if (result instanceof Promise) this.waitFor(result);
    return result;
  }
  /** @internal Does what run() does, but leaves the waiting for a returned promise to the caller. */
  enter<T>(fn: () => T): T {
    const previous = wasm._tn_enter_scope(this.#open('run'));
    const started = startFrame(0, previous);
    const place = captureContext();
    try {
      return __DEBUG__ ? runTracked(this.#id, fn) : fn();
    } finally {
      frame.ending = started;
      restoreContext(place);
      endFrame(started);
    }
  }
  /**
   * Moves tensors from their owners to this scope and returns the argument. Tensors of a holder stay with it. Throws
   * DisposedError, and if the scope is closed or capped.
   * @example
   * const x = tf.ones([2]); // yours
   * const scope = tf.scope();
   * scope.attach(x); // the scope's
   * scope.close();
   * x.isDisposed; // true
   */
  attach<T extends TensorContainer>(x: T): T {
    return this.#forEach('attach', x, (id, scope) => wasm._tn_attach(id, scope));
  }
  /**
   * Takes tensors out of their scopes and returns the argument. The caller must dispose them. Tensors of a holder stay with it.
   * Throws DisposedError, and if the scope is closed.
   * @example
   * const scope = tf.scope();
   * const x = scope.run(() => tf.ones([2]));
   * scope.detach(x); // yours from now on
   * scope.close();
   * x; // [1, 1]
   * x.dispose();
   */
  detach<T extends TensorContainer>(x: T): T {
    return this.#forEach('detach', x, (id) => wasm._tn_keep(id));
  }
  /**
   * Moves tensors of this scope to the innermost enclosing scope that is not capped, and returns the argument. Throws
   * DisposedError, and if the scope is closed.
   * @example
   * const request = tf.scope('request');
   * const step = request.child('step');
   * const y = step.run(() => step.ret(tf.ones([2]).mul(3)));
   * step.close();
   * y; // [3, 3]
   * request.numTensors; // 1: it has passed to the scope around
   * request.close();
   */
  ret<T extends TensorContainer>(x: T): T {
    return this.#forEach('ret', x, (id, scope) => wasm._tn_pass_out(id, scope));
  }
  /** @internal Does what ret() does, for the result of the scope's function before the scope closes. */
  moveResultToParent<T extends TensorContainer>(result: T): T {
    return this.#forEach('ret', result, (id, scope) => wasm._tn_pass_out(id, scope), true);
  }
  /**
   * Returns a new tensor on the buffer of `x`, which the scope owns. The owner of `x` stays the same. The new tensor lives until
   * close() unless it is moved out, and `onExit` does not count it. Throws DisposedError, and if the scope is closed or capped.
   * @example
   * const cached = tf.tensor([1, 2]); // somebody else's, who may free it
   * const request = tf.scope('request');
   * const mine = request.borrow(cached);
   * cached.dispose();
   * mine; // [1, 2]: the bytes live as long as one of the two
   * request.close();
   * tf.memory().numTensors; // 0
   */
  borrow<T extends Tensor>(x: T): T {
    const scope = this.#open('borrow');
    if (__DEBUG__) setCurrentOp('borrow');
    syncCurrentScope();
    if (x.isDisposed) throw disposed('borrow', x);
    const id = wasm._tn_borrow(x.id, scope);
    if (id === -1) raise();
    return new Tensor(id, x.shape, x.dtype) as T;
  }
  /**
   * Closes the scope to new tensors: whatever would add one to it throws. Its children still take tensors. Throws if the scope is
   * closed.
   * @example
   * const cache = tf.scope('cache');
   * const table = cache.run(() => tf.ones([4]));
   * cache.cap(); // full: nothing may slip in from now on
   * cache.run(() => table.add(1)); // throws Error: scope 'cache' is capped: it takes no more tensors
   * cache.close();
   */
  cap(): void {
    wasm._tn_cap_scope(this.#open('cap'));
  }
  /**
   * Opens and returns a scope inside this one, which closes it at the latest. Throws if this scope is closed.
   * @example
   * const app = tf.scope('app');
   * const page = app.child('page');
   * page.run(() => tf.ones([2]));
   * app.numTensors; // 1: with those of its children
   * app.close();
   * page.closed; // true
   */
  child(name = '', options?: ScopeOptions): Scope {
    return new Scope(this.#open('child'), name, options);
  }
  /**
   * Returns the scope and those inside as text: a line for each, with the tensors and bytes that it owns. Throws if the scope is
   * closed.
   * @example
   * const app = tf.scope('app');
   * app.run(() => tf.zeros([4]));
   * app.dump(); // 'app: 1 tensors, 16 bytes\n'
   * app.close();
   */
  dump(): string {
    return wasm.UTF8ToString(wasm._tn_dump_scope(this.#open('dump')));
  }

  /**
   * Frees the tensors of the scope and those inside, and closes all of them. Throws LeakError if tensors are still alive and
   * `onExit` is 'throw'. A second call does nothing.
   * @example
   * const strict = tf.scope('frame', { onExit: 'throw' });
   * strict.run(() => tf.zeros([2]));
   * strict.close(); // throws LeakError: scope 'frame' closed with 1 tensor still alive (8 bytes): float32[2]
   * tf.memory().numTensors; // 0: it frees them in any case
   */
  close(): void {
    const leaks = this.#onExit === 'report' || this.#onExit === 'throw' ? this.#leaks() : undefined;
    wasm._tn_close_scope(this.#id);
    if (__DEBUG__) attributeFrees(this.name ? `scope "${this.name}"` : 'scope');
    if (leaks && this.#onExit === 'throw') throw new LeakError(leaks);
    if (leaks) console.warn(leaks);
    if (__DEBUG__) flushWarnings();
  }
  [Symbol.dispose](): void {
    this.close();
  }
  /** Waits for the promises that run() has returned, then closes the scope. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    this.close();
  }

  #open(where: string): number {
    if (this.closed) throw new Error(`[${where}] scope '${this.name}' is closed`);
    return this.#id;
  }

  /** @internal True if a promise that run() has returned is pending. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }
  /** @internal Makes the asynchronous dispose wait for a promise. */
  waitFor(promise: Promise<unknown>): void {
    const settled = () => void this.#pending.delete(promise);
    this.#pending.add(promise);
    promise.then(settled, settled);
  }

  #forEach<T extends TensorContainer>(
    where: string,
    x: T,
    call: (id: number, scope: number) => number | void,
    isResult = false,
  ): T {
    const scope = this.#open(where);
    const tensors = tensorsIn(x);
    for (const tensor of tensors) {
      if (tensor.isDisposed) throw disposed(where, tensor);
    }
    if (__DEBUG__ && isResult)
      onScopeReturn(
        tensors.map(({ id }) => id),
        scope,
      );
    for (const tensor of tensors) {
      if (call(tensor.id, scope) === -1) raise();
    }
    return x;
  }

  #leaks(): string | undefined {
    const groups = groupTensors(this.#id);
    if (groups.length === 0) return undefined;
    const numTensors = groups.reduce((sum, { count }) => sum + count, 0);
    const numBytes = groups.reduce((sum, { bytes }) => sum + bytes, 0);
    const scope = this.name ? `scope '${this.name}'` : 'scope';
    const size = formatCount(numBytes, 'byte');
    const message = `${scope} closed with ${formatCount(numTensors)} still alive (${size}): ${listGroups(groups)}`;
    if (__DEBUG__) recordLeak(message);
    return message;
  }
}

/** Opens a scope of the engine inside `parent` and returns its id. If `isDetachable`, it survives an endScope() of its parent. */
export function makeScope(parent: number, name: string, isDetachable: boolean): number {
  const words = scratch();
  if (name === '') words[0] = 0;
  else writeText(name, words);
  const scope = wasm._tn_make_scope(parent, isDetachable ? 1 : 0);
  if (scope === -1) raise();
  return scope;
}

function writeText(text: string, words: Int32Array): void {
  // Browsers refuse to encode into shared memory.
  const bytes = new Uint8Array(256);
  new Encoder().encodeInto(text, bytes.subarray(0, 255));
  new Uint8Array(words.buffer, words.byteOffset, bytes.length).set(bytes);
}

/**
 * Opens and returns a scope inside the current one, which closes it at the latest. Its run() makes it current.
 * @example
 * const session = tf.scope('session');
 * const state = session.run(() => tf.zeros([2])); // the session's, not yours
 * session.numTensors; // 1
 * await Promise.resolve(); // it lives across awaits
 * session.close();
 * state.isDisposed; // true
 */
export function scope(name = '', options?: ScopeOptions): Scope {
  syncCurrentScope();
  return new Scope(wasm._tn_current_scope(), name, options);
}
