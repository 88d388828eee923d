import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from '../runtime/async_hooks.js';
import { follow, setFollowing, setTellLeft } from '../runtime/scope_following.js';
import { scope, type Scope } from './scope_object.js';

/** True where scopes follow awaits by themselves. */
export const kFollowsAwaits = asyncHooks !== undefined;

/** What async code is in. */
interface Place {
  scope: Scope;
  outer: Place | undefined;
  /** Gets the tensors that leave all scopes here. */
  watch: ((id: number) => void) | undefined;
}

let storage: AsyncLocalStorage<Place> | undefined;
let place: Place | undefined;
let running = 0;

/** Until stopFollowing(), scopes follow the awaits of what runs in them. */
export function startFollowing(): void {
  if (running++ > 0) return;
  if (asyncHooks) {
    storage ??= new asyncHooks.AsyncLocalStorage();
    setFollowing(scopeHere);
  }
  setTellLeft((id) => currentPlace()?.watch?.(id));
}

export function stopFollowing(): void {
  follow();
  if (--running > 0) return;
  setFollowing(undefined);
  setTellLeft(undefined);
}

/** Calls `body` in a scope; in Node what it awaits is in that scope too. */
export function runIn<T>(own: Scope, body: () => T, watch = currentPlace()?.watch): T {
  const inside = { scope: own, outer: currentPlace(), watch };
  const start = () => own.run(body);
  if (storage) return storage.run(inside, start);
  const outside = place;
  place = inside;
  try {
    return start();
  } finally {
    place = outside;
  }
}

function currentPlace(): Place | undefined {
  return storage ? storage.getStore() : place;
}

/** The scope that the code is in, or the one around where that has been closed early; 0 for none. */
function scopeHere(): number {
  let here = currentPlace();
  while (here?.scope.closed) here = here.outer;
  return here?.scope.id ?? 0;
}

/**
 * Calls an async `fn` with a scope of its own, and closes the scope when its promise settles, whatever happens; what
 * `fn` returns survives in the scope around. In Node the scope follows every await of `fn`, and waits for those opened
 * inside, so that none goes on without an owner; elsewhere what is made after an await goes through `scope.run()`.
 */
export async function scopeAsync<T>(
  nameOrFn: string | ((scope: Scope) => Promise<T> | T),
  fn?: (scope: Scope) => Promise<T> | T,
): Promise<T> {
  const body = typeof nameOrFn === 'function' ? nameOrFn : fn;
  if (typeof body !== 'function') throw new Error('Please provide a function to scopeAsync()');
  const work = runAndClose(scope(typeof nameOrFn === 'string' ? nameOrFn : ''), body);
  currentPlace()?.scope.waitFor(work);
  return work;
}

async function runAndClose<T>(own: Scope, body: (scope: Scope) => Promise<T> | T): Promise<T> {
  startFollowing();
  try {
    const result = await runIn(own, () => body(own));
    return own.closed ? result : own.ret(result);
  } finally {
    await own[Symbol.asyncDispose]();
    stopFollowing();
  }
}
