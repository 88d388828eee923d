import { recover, wasCutShort, wasm } from './runtime.js';

let hook: (() => void) | undefined;
let wanted: (() => number) | undefined;
const watchers = new Set<() => void>();
let isInFrame = false;

/** From now on, and until it is called without, `scope` names the scope that async code is in. */
export function setFollowing(scope: (() => number) | undefined): void {
  if (scope === wanted) return;
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
  // Few tests, since every op makes them.
  if (frame.ending !== undefined || wasCutShort()) mend();
  if (hook) hook();
}

/** follow() for what only frees a tensor. */
export function followToFree(): void {
  if (hook) hook();
}

/** Frees what a call, or the end of a frame, could not where it was cut short. */
function mend(): void {
  recover();
  if (frame.ending === kOpening) closeUnseen();
  else if (frame.ending !== undefined) endFrame(frame.ending);
}

/** Closes a scope whose number nobody has seen, as a time limit struck before startFrame(). */
function closeUnseen(): void {
  const last = wasm._tn_last_scope();
  if (last !== lastOpened.closes) wasm._tn_close_scope(last);
  frame.ending = undefined;
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

/** A function at work that has made its own scope current, and how it ends. */
export interface Frame {
  /** Closed at its end; 0 for none. */
  readonly closes: number;
  /** Made current at its end. */
  readonly previous: number;
  /** Whether it is inside another. */
  readonly isInner: boolean;
}

/**
 * The frame that is ending. To be set before endFrame() is called: where JavaScript's stack has no room for the call, the
 * next one makes up for it.
 */
export const frame: { ending: Frame | undefined } = { ending: undefined };
/** Stands for a frame that ends while its scope is being opened. To be set before the scope is opened, until startFrame(). */
export const kOpening: Frame = { closes: 0, previous: 0, isInner: false };
/** The frame that was started last with a scope of its own. */
let lastOpened = kOpening;
let outermost: Frame | undefined;
let isWatched = false;
const kSettled = Promise.resolve();

/** Until endFrame(), the current scope stays what tidy() or run() has made it. */
export function startFrame(closes: number, previous = 0): Frame {
  const started = { closes, previous, isInner: isInFrame };
  if (!isInFrame) {
    outermost = started;
    if (!isWatched) {
      isWatched = true;
      // Node makes more of queueMicrotask().
      void kSettled.then(endStale);
    }
  }
  isInFrame = true;
  if (closes !== 0) lastOpened = started;
  frame.ending = undefined;
  return started;
}

export function endFrame(ended: Frame): void {
  isInFrame = ended.isInner;
  if (ended.closes !== 0) wasm._tn_close_scope(ended.closes);
  else wasm._tn_leave_scope(ended.previous);
  frame.ending = undefined;
}

const staleHooks: (() => void)[] = [];

/** Calls `hook` at the end of each turn in which a time limit or the end of the stack ended a frame. */
export function whenStale(hook: () => void): void {
  staleHooks.push(hook);
}

/** No frame outlives its turn, unless what ran in it was ended from outside, which no `finally` sees. */
function endStale(): void {
  isWatched = false;
  if (!isInFrame) return;
  try {
    recover();
    endFrame(outermost!);
    for (const hook of staleHooks) hook();
  } catch {
    // Where nothing can be repaired, the next call says so to somebody who can catch it.
    isInFrame = false;
    frame.ending = undefined;
  }
}

/** Whether a function is at work that has made its own scope current. */
export function inFrame(): boolean {
  return isInFrame;
}
