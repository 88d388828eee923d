import { wasm } from './runtime.js';

let hook: (() => void) | undefined;
let wanted: (() => number) | undefined;
const watchers = new Set<() => void>();
let isInFrame = false;

/** From now on, and until it is called without, `scope` names the scope that async code is in. */
export function setFollowing(scope: (() => number) | undefined): void {
  wanted = scope;
  setHook();
}

/** From now on, and until removeWatcher(), `watch` is called wherever code follows. */
export function addWatcher(watch: () => void): void {
  watchers.add(watch);
  setHook();
}

export function removeWatcher(watch: () => void): void {
  watchers.delete(watch);
  setHook();
}

/**
 * Makes the scope current that the running async code is in, unless tidy() or run() has made another one current. Called
 * before whatever makes a tensor or a scope, or frees one.
 */
export function follow(): void {
  // One test, since every op makes it.
  if (hook) hook();
}

function setHook(): void {
  const all = [...watchers];
  hook =
    wanted || all.length > 0
      ? () => {
          if (wanted && !isInFrame) makeCurrent(wanted());
          for (const watch of all) watch();
        }
      : undefined;
}

/** Makes a scope current, or none for 0. */
export function makeCurrent(scope: number): void {
  if (scope !== wasm._tn_current_scope()) wasm._tn_set_current_scope(scope);
}

/** Until endFrame(), which wants what this gives, the current scope stays what tidy() or run() makes it. */
export function startFrame(): boolean {
  const outside = isInFrame;
  isInFrame = true;
  return outside;
}

export function endFrame(outside: boolean): void {
  isInFrame = outside;
}

/** Whether a function is at work that has made its own scope current. */
export function inFrame(): boolean {
  return isInFrame;
}
