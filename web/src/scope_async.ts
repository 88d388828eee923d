import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from './async_hooks.js';
import { follow, setFollowing } from './scope_following.js';
import { scope, type Scope } from './scope_object.js';

let storage: AsyncLocalStorage<Scope> | undefined;
let running = 0;

/**
 * Calls an async `fn` with a scope of its own, and closes the scope when its promise settles, whatever happens; what
 * `fn` returns survives in the scope around. In Node the scope follows every await of `fn`; elsewhere what is made after
 * one goes through `scope.run()`.
 */
export async function scopeAsync<T>(
  nameOrFn: string | ((scope: Scope) => Promise<T> | T),
  fn?: (scope: Scope) => Promise<T> | T,
): Promise<T> {
  const body = typeof nameOrFn === 'function' ? nameOrFn : fn;
  if (typeof body !== 'function') throw new Error('Please provide a function to scopeAsync()');
  const own = scope(typeof nameOrFn === 'string' ? nameOrFn : '');
  const start = () => own.run(() => body(own));
  if (asyncHooks) {
    const store = (storage ??= new asyncHooks.AsyncLocalStorage());
    setFollowing(() => store.getStore()?.id ?? 0);
  }
  running++;
  try {
    const result = await (storage ? storage.run(own, start) : start());
    return own.closed ? result : own.ret(result);
  } finally {
    await own[Symbol.asyncDispose]();
    follow();
    if (--running === 0) setFollowing(undefined);
  }
}
