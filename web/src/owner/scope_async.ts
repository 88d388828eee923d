import { wasm } from '../runtime/runtime.js';
import { syncCurrentScope, isFrameActive } from '../runtime/async_scope_tracking.js';
import { isPromise } from '../util/checks.js';
import { runInScope, startTracking, stopTracking, waitInEnclosingScope } from './async_context.js';
import { Scope } from './scope_object.js';

/**
 * Calls an async `fn` in a new scope, and closes the scope when its promise settles or `fn` throws. Tensors that `fn` returns
 * survive in the enclosing scope, which is never that of a tidy(). In Node the scope follows every await of `fn`, and waits for
 * the async scopes that are opened inside, so that none outlives its owner. Elsewhere tensors after an await have to be made in
 * `scope.run()`.
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
  syncCurrentScope();
  const around = isFrameActive() ? wasm._tn_lasting_scope() : wasm._tn_current_scope();
  const work = scopeAsyncIn(around, typeof nameOrFn === 'string' ? nameOrFn : '', body);
  waitInEnclosingScope(work);
  return work;
}

/**
 * Runs an async function as scopeAsync() does, in a given scope that does not wait for it. debug/unscoped_tensors.ts finds this
 * function by its name.
 */
export async function scopeAsyncIn<T>(
  around: number,
  name: string,
  body: (scope: Scope) => Promise<T> | T,
): Promise<T> {
  const own = new Scope(around, name, {}, true);
  startTracking();
  try {
    const result = await runInScope(own, around, () => toNativePromise(body(own)));
    return own.closed ? result : own.moveResultToParent(result);
  } finally {
    try {
      // Avoids a promise where it can: each takes time while Node tracks async contexts.
      if (own.isWaiting) await own[Symbol.asyncDispose]();
      else own.close();
    } finally {
      stopTracking();
    }
  }
}

/**
 * Returns a result, wrapped in a native promise if it is another promise. The then() of such a promise is the program's, and may
 * make tensors when it is called.
 */
function toNativePromise<T>(given: Promise<T> | T): Promise<T> | T {
  return isPromise(given) && Object.getPrototypeOf(given) !== Promise.prototype ? Promise.resolve(given) : given;
}
