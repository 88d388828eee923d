import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from '../runtime/node_builtins.js';
import { wasm } from '../runtime/runtime.js';
import {
  syncCurrentScope,
  isFrameActive,
  setCurrentScope,
  setAsyncScopeGetter,
} from '../runtime/async_scope_tracking.js';

/** An async context: the scope that code is in, across its awaits. */
export interface AsyncScopeContext {
  /** Id of the scope. */
  readonly scope: number;
  /** The enclosing context, which applies once the scope is closed. */
  outer: AsyncScopeContext | undefined;
  /** Makes the end of the scope wait for work that was started inside. */
  readonly waitFor?: (work: Promise<unknown>) => void;
}

/** The part of a Scope that runInScope() uses. */
interface AsyncScope {
  readonly id: number;
  enter<T>(body: () => T): T;
  waitFor(work: Promise<unknown>): void;
}

// Without AsyncLocalStorage, which is Node's, the context is known only while code runs synchronously.
let storage: AsyncLocalStorage<AsyncScopeContext | undefined> | undefined;
let syncContext: AsyncScopeContext | undefined;
let trackingCount = 0;
/** Ids of scopes of startScope(), among them some that are closed. */
const startedScopes = new Set<number>();
let maxStartedScopes = 64;
/**
 * Started scopes that apply to code with no async context, as in TensorFlow.js. Test runners need them: a hook such as
 * beforeEach() opens a scope for a test, but the test does not run in the hook's async context.
 */
const fallbackScopes: AsyncScopeContext[] = [];

/** Tracks the scopes of async code across its awaits, until a matching stopTracking(). */
export function startTracking(): void {
  trackingCount++;
  setAsyncScopeGetter(getAsyncScope);
}

/** Undoes one call of startTracking(). */
export function stopTracking(): void {
  trackingCount--;
  syncCurrentScope();
}

/**
 * Calls `body` in a scope and returns what it returns. In Node the async code that it starts is in that scope too. Inside a
 * tidy() or run(), `around` is the scope that applies once the scope is closed.
 */
export function runInScope<T>(own: AsyncScope, around: number, body: () => T): T {
  const outer = isFrameActive() ? { scope: around, outer: getCurrentContext() } : getCurrentContext();
  const inside = { scope: own.id, outer, waitFor: (work: Promise<unknown>) => own.waitFor(work) };
  const start = () => own.enter(body);
  if (asyncHooks) return (storage ??= new asyncHooks.AsyncLocalStorage()).run(inside, start);
  const outside = syncContext;
  syncContext = inside;
  try {
    return start();
  } finally {
    syncContext = outside;
  }
}

/** Makes the end of the innermost open async scope wait for `work`. */
export function waitInEnclosingScope(work: Promise<unknown>): void {
  for (let at = getCurrentContext(); at; at = at.outer) {
    if (at.waitFor && isOpen(at)) return at.waitFor(work);
  }
}

/** Returns the current async context, for restoreContext(). */
export function captureContext(): AsyncScopeContext | undefined {
  return storage ? storage.getStore() : syncContext;
}

/** Restores an async context for the code after this call. Async code that was started before keeps its context. */
export function restoreContext(to: AsyncScopeContext | undefined): void {
  if (captureContext() === to) return;
  if (storage) storage.enterWith(to);
  else syncContext = to;
}

/** Enters a scope of startScope() for the code after this call, and makes the scope current. */
export function enterStartedScope(scope: number): void {
  const own: AsyncScopeContext = { scope, outer: getCurrentContext() };
  startedScopes.add(scope);
  if (startedScopes.size > maxStartedScopes) {
    for (const each of startedScopes) if (!isOpen({ scope: each })) startedScopes.delete(each);
    maxStartedScopes = 2 * startedScopes.size + 64;
  }
  if (!asyncHooks || !(own.outer || isFrameActive())) fallbackScopes.push(own);
  if (asyncHooks) (storage ??= new asyncHooks.AsyncLocalStorage()).enterWith(own);
  else if (syncContext) syncContext = own;
  setAsyncScopeGetter(getAsyncScope);
  setCurrentScope(scope);
}

/** Returns the id of the current scope if startScope() opened it, else undefined. */
export function getStartedScope(): number | undefined {
  syncCurrentScope();
  const scope = wasm._tn_current_scope();
  return startedScopes.has(scope) ? scope : undefined;
}

/** Leaves a scope of startScope() after it was closed. */
export function leaveStartedScope(scope: number): void {
  startedScopes.delete(scope);
  restoreContext(getInnermostOpen(captureContext()));
  syncCurrentScope();
}

function getCurrentContext(): AsyncScopeContext | undefined {
  const found = getInnermostOpen(captureContext());
  if (found) return found;
  while (fallbackScopes.length > 0 && !isOpen(fallbackScopes.at(-1)!)) fallbackScopes.pop();
  return fallbackScopes.at(-1);
}

/** Returns a context if its scope is open, else the innermost enclosing context whose scope is. */
function getInnermostOpen(at: AsyncScopeContext | undefined): AsyncScopeContext | undefined {
  if (!at || isOpen(at)) return at;
  let outer = at.outer;
  while (outer && !isOpen(outer)) outer = outer.outer;
  // Drops closed contexts: a loop that schedules its next turn inside a context would make the chain grow without bound.
  at.outer = outer;
  return outer;
}

function isOpen({ scope }: Pick<AsyncScopeContext, 'scope'>): boolean {
  return wasm._tn_scope_is_open(scope) !== 0;
}

function getAsyncScope(): number {
  const at = getCurrentContext();
  if (at) return at.scope;
  if (trackingCount === 0 && !hasStartedScope()) setAsyncScopeGetter(undefined);
  return 0;
}

function hasStartedScope(): boolean {
  for (const scope of startedScopes) {
    if (isOpen({ scope })) return true;
    startedScopes.delete(scope);
  }
  return false;
}
