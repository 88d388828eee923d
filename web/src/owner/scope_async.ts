import { wasm } from '../runtime/runtime.js';
import { follow, inFrame } from '../runtime/scope_following.js';
import { isPromise } from '../util/checks.js';
import { runIn, startFollowing, stopFollowing, waitInside } from './place.js';
import { Scope } from './scope_object.js';

/**
 * Calls an async `fn` with a scope of its own, and closes the scope when its promise settles, whatever happens; what
 * `fn` returns survives in the scope around, which is never that of a tidy(). In Node the scope follows every await of
 * `fn`, and waits for those opened inside, so that none goes on without an owner; elsewhere what is made after an await
 * goes through `scope.run()`.
 * @example
 * const classify = (pixels) => tf.scopeAsync(async (scope) => {
 *   const x = tf.tensor(pixels).div(255);
 *   await Promise.resolve(); // a fetch, a file, data()
 *   return scope.run(() => x.mean()); // run() is for what follows an await in a browser
 * });
 * const mean = await classify([0, 255]); // 0.5
 * tf.memory().numTensors; // 1: what was returned
 * mean.dispose();
 */
export async function scopeAsync<T>(
  nameOrFn: string | ((scope: Scope) => Promise<T> | T),
  fn?: (scope: Scope) => Promise<T> | T,
): Promise<T> {
  const body = typeof nameOrFn === 'function' ? nameOrFn : fn;
  if (typeof body !== 'function') throw new Error('Please provide a function to scopeAsync()');
  follow();
  const around = inFrame() ? wasm._tn_lasting_scope() : wasm._tn_current_scope();
  const work = scopeAsyncIn(around, typeof nameOrFn === 'string' ? nameOrFn : '', body);
  waitInside(work);
  return work;
}

/** scopeAsync() inside a scope, which does not wait for it. debug/strays.ts knows it by its name. */
export async function scopeAsyncIn<T>(around: number, name: string, body: (scope: Scope) => Promise<T> | T): Promise<T> {
  const own = new Scope(around, name, {}, true);
  startFollowing();
  try {
    const result = await runIn(own, around, () => awaitedHere(body(own)));
    return own.closed ? result : own.hand(result);
  } finally {
    try {
      // Each promise costs where Node follows awaits.
      if (own.isWaiting) await own[Symbol.asyncDispose]();
      else own.close();
    } finally {
      stopFollowing();
    }
  }
}

/** What a function gives; a promise of it where its then() is the program's own, which may make tensors as it is called. */
function awaitedHere<T>(given: Promise<T> | T): Promise<T> | T {
  return isPromise(given) && Object.getPrototypeOf(given) !== Promise.prototype ? Promise.resolve(given) : given;
}
