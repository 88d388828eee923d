import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from '../runtime/built_in.js';
import { wasm } from '../runtime/runtime.js';
import { follow, inFrame, makeCurrent, setFollowing } from '../runtime/scope_following.js';

/** An async context: the scope that code is in, across its awaits. */
export interface Place {
  /** Id of the scope. */
  readonly scope: number;
  /** The enclosing context, which applies once the scope is closed. */
  outer: Place | undefined;
  /** Makes the end of the scope wait for work that was started inside. */
  readonly waitFor?: (work: Promise<unknown>) => void;
}

/** The part of a Scope that runIn() uses. */
interface Runner {
  readonly id: number;
  enter<T>(body: () => T): T;
  waitFor(work: Promise<unknown>): void;
}

// Without AsyncLocalStorage, which is Node's, the context is known only while code runs synchronously.
let storage: AsyncLocalStorage<Place | undefined> | undefined;
let place: Place | undefined;
let running = 0;
/** Ids of scopes of startScope(), among them some that are closed. */
const manual = new Set<number>();
let mostManual = 64;
/**
 * Started scopes that apply to code with no async context, as in TensorFlow.js. Test runners need them: a hook such as
 * beforeEach() opens a scope for a test, but the test does not run in the hook's async context.
 */
const shared: Place[] = [];

/** Tracks the scopes of async code across its awaits, until a matching stopFollowing(). */
export function startFollowing(): void {
  running++;
  setFollowing(scopeHere);
}

/** Undoes one call of startFollowing(). */
export function stopFollowing(): void {
  running--;
  follow();
}

/**
 * Calls `body` in a scope and returns what it returns. In Node the async code that it starts is in that scope too. Inside a
 * tidy() or run(), `around` is the scope that applies once the scope is closed.
 */
export function runIn<T>(own: Runner, around: number, body: () => T): T {
  const outer = inFrame() ? { scope: around, outer: here() } : here();
  const inside = { scope: own.id, outer, waitFor: (work: Promise<unknown>) => own.waitFor(work) };
  const start = () => own.enter(body);
  if (asyncHooks) return (storage ??= new asyncHooks.AsyncLocalStorage()).run(inside, start);
  const outside = place;
  place = inside;
  try {
    return start();
  } finally {
    place = outside;
  }
}

/** Makes the end of the innermost open async scope wait for `work`. */
export function waitInside(work: Promise<unknown>): void {
  for (let at = here(); at; at = at.outer) {
    if (at.waitFor && isOpen(at)) return at.waitFor(work);
  }
}

/** Returns the current async context, for goBack(). */
export function placeNow(): Place | undefined {
  return storage ? storage.getStore() : place;
}

/** Restores an async context for the code after this call. Async code that was started before keeps its context. */
export function goBack(to: Place | undefined): void {
  if (placeNow() === to) return;
  if (storage) storage.enterWith(to);
  else place = to;
}

/** Enters a scope of startScope() for the code after this call, and makes the scope current. */
export function enterManual(scope: number): void {
  const own: Place = { scope, outer: here() };
  manual.add(scope);
  if (manual.size > mostManual) {
    for (const each of manual) if (!isOpen({ scope: each })) manual.delete(each);
    mostManual = 2 * manual.size + 64;
  }
  if (!asyncHooks || !(own.outer || inFrame())) shared.push(own);
  if (asyncHooks) (storage ??= new asyncHooks.AsyncLocalStorage()).enterWith(own);
  else if (place) place = own;
  setFollowing(scopeHere);
  makeCurrent(scope);
}

/** Returns the id of the current scope if startScope() opened it, else undefined. */
export function manualHere(): number | undefined {
  follow();
  const scope = wasm._tn_current_scope();
  return manual.has(scope) ? scope : undefined;
}

/** Leaves a scope of startScope() after it was closed. */
export function leaveManual(scope: number): void {
  manual.delete(scope);
  goBack(openIn(placeNow()));
  follow();
}

function here(): Place | undefined {
  const found = openIn(placeNow());
  if (found) return found;
  while (shared.length > 0 && !isOpen(shared.at(-1)!)) shared.pop();
  return shared.at(-1);
}

/** Returns a context if its scope is open, else the innermost enclosing context whose scope is. */
function openIn(at: Place | undefined): Place | undefined {
  if (!at || isOpen(at)) return at;
  let outer = at.outer;
  while (outer && !isOpen(outer)) outer = outer.outer;
  // Drops closed contexts: a loop that schedules its next turn inside a context would make the chain grow without bound.
  at.outer = outer;
  return outer;
}

function isOpen({ scope }: Pick<Place, 'scope'>): boolean {
  return wasm._tn_scope_is_open(scope) !== 0;
}

function scopeHere(): number {
  const at = here();
  if (at) return at.scope;
  if (running === 0 && !hasManual()) setFollowing(undefined);
  return 0;
}

function hasManual(): boolean {
  for (const scope of manual) {
    if (isOpen({ scope })) return true;
    manual.delete(scope);
  }
  return false;
}
