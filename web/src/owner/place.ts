import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from '../runtime/built_in.js';
import { wasm } from '../runtime/runtime.js';
import { follow, inFrame, makeCurrent, setFollowing } from '../runtime/scope_following.js';

/** Where async code is: in a scope that follows it from await to await. */
export interface Place {
  readonly scope: number;
  /** Where the code is once this is closed. */
  outer: Place | undefined;
  /** Lets the end of the scope wait for work that was begun inside. */
  readonly waitFor?: (work: Promise<unknown>) => void;
}

/** What runIn() wants of a scope. */
interface Runner {
  readonly id: number;
  enter<T>(body: () => T): T;
  waitFor(work: Promise<unknown>): void;
}

// Without Node's storage a place is known only as long as code runs without a pause.
let storage: AsyncLocalStorage<Place | undefined> | undefined;
let place: Place | undefined;
let running = 0;
/** Those of startScope(), and some that are closed. */
const manual = new Set<number>();
let mostManual = 64;
/**
 * Those of them that all code is in that is in no other place, as in TensorFlow.js: what a test runner calls before a test
 * opens a scope for the test, and neither comes from the other.
 */
const shared: Place[] = [];

/** Until stopFollowing(), scopes follow the awaits of what runs in them. */
export function startFollowing(): void {
  running++;
  setFollowing(scopeHere);
}

export function stopFollowing(): void {
  running--;
  follow();
}

/** Calls `body` in a scope; in Node what it awaits is in that scope too. */
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

/** Lets the end of the scope that the code is in wait for work. */
export function waitInside(work: Promise<unknown>): void {
  for (let at = here(); at; at = at.outer) {
    if (at.waitFor && isOpen(at)) return at.waitFor(work);
  }
}

/** What goBack() wants. */
export function placeNow(): Place | undefined {
  return storage ? storage.getStore() : place;
}

/** Puts the code after this, but not what was begun before, where it was at placeNow(). */
export function goBack(to: Place | undefined): void {
  if (placeNow() === to) return;
  if (storage) storage.enterWith(to);
  else place = to;
}

/** Puts the code from here on in a scope of startScope(), and makes that current. */
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

/** The current scope, if startScope() opened it. */
export function manualHere(): number | undefined {
  follow();
  const scope = wasm._tn_current_scope();
  return manual.has(scope) ? scope : undefined;
}

/** To be called when a scope of startScope() was closed. */
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

/** The place, or the first around it that is open. */
function openIn(at: Place | undefined): Place | undefined {
  if (!at || isOpen(at)) return at;
  let outer = at.outer;
  while (outer && !isOpen(outer)) outer = outer.outer;
  // Cut, since a loop that asks for its next turn inside a place would make an endless chain of them.
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
