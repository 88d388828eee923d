import { wasm } from './runtime.js';

/** In place of a scope's number: a function that has made its own scope current is at work. */
const kInFrame = -1;

let hook: (() => void) | undefined;
let wanted: (() => number) | undefined;
let watched: (() => void) | undefined;
let followed = 0;
let tellLeft: ((id: number) => void) | undefined;

/** From now on, and until it is called without, `scope` names the scope that async code is in. */
export function setFollowing(scope: (() => number) | undefined): void {
  wanted = scope;
  setHook();
}

/** From now on, and until it is called without, `watch` is called wherever code follows. */
export function setWatching(watch: (() => void) | undefined): void {
  watched = watch;
  setHook();
}

/**
 * Makes the scope current that the running async code is in, unless tidy(), run() or startScope() has made another one
 * current. Called before whatever makes a tensor or a scope, or frees one.
 */
export function follow(): void {
  // One test, since every op makes it.
  if (hook) hook();
}

function setHook(): void {
  hook =
    wanted || watched
      ? () => {
          if (wanted) followTo(wanted());
          watched?.();
        }
      : undefined;
}

function followTo(scope: number): void {
  if (followed === kInFrame) return;
  const current = wasm._tn_current_scope();
  // A scope that was closed has left its place to its parent.
  if (wasm._tn_scope_is_open(followed) === 0 && followed !== 0) followed = current;
  if (scope === followed || current !== followed) return;
  wasm._tn_leave_scope(scope);
  followed = scope;
}

/** Until endFrame(), which wants what this gives, the current scope stays what tidy() or run() has made it. */
export function startFrame(): number {
  const outside = followed;
  followed = kInFrame;
  return outside;
}

export function endFrame(outside: number): void {
  followed = outside;
}

/** From now on, and until it is called without, `tell` gets the tensors that leave all scopes. */
export function setTellLeft(tell: ((id: number) => void) | undefined): void {
  tellLeft = tell;
}

/** Said of a tensor that is from now on a holder's, or the caller's because it was kept. */
export function left(id: number): void {
  tellLeft?.(id);
}
