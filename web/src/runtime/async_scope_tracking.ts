import { recover, wasInterrupted, wasm } from './runtime.js';

let hook: (() => void) | undefined;
let asyncScopeGetter: (() => number) | undefined;
const syncListeners = new Set<() => void>();
let isInFrame = false;

/** Sets the function that returns the scope of the running async code; undefined stops the tracking. */
export function setAsyncScopeGetter(scope: (() => number) | undefined): void {
  if (scope === asyncScopeGetter) return;
  asyncScopeGetter = scope;
  updateSyncHook();
}

/** Adds a function that each syncCurrentScope() and syncBeforeFree() calls, until removeSyncListener(). */
export function addSyncListener(watch: () => void): void {
  syncListeners.add(watch);
  updateSyncHook();
}

/** Removes a function that addSyncListener() has added. */
export function removeSyncListener(watch: () => void): void {
  syncListeners.delete(watch);
  updateSyncHook();
}

/**
 * Makes the scope of the running async code current, unless tidy() or run() has made another one current. Repairs the state
 * first if the last call was interrupted. Call it before anything that creates or frees a tensor or a scope.
 */
export function syncCurrentScope(): void {
  // Every op runs these checks.
  if (frame.ending !== undefined || wasInterrupted()) repairAfterInterrupt();
  if (hook) hook();
}

/** Makes the scope of the running async code current, before a call that only frees a tensor. Repairs nothing. */
export function syncBeforeFree(): void {
  if (hook) hook();
}

/** Recovers from an interrupted call, and ends the frame whose end was interrupted. */
function repairAfterInterrupt(): void {
  recover();
  if (frame.ending === kOpening) closeUnreturnedScope();
  else if (frame.ending !== undefined) endFrame(frame.ending);
}

/** Closes a scope that was opened but has no frame, because a time limit interrupted the code before startFrame(). */
function closeUnreturnedScope(): void {
  const last = wasm._tn_last_scope();
  if (last !== lastOpened.closes) wasm._tn_close_scope(last);
  frame.ending = undefined;
}

function updateSyncHook(): void {
  const all = [...syncListeners];
  hook =
    asyncScopeGetter || all.length > 0
      ? () => {
          if (asyncScopeGetter && !isInFrame) setCurrentScope(asyncScopeGetter());
          for (const watch of all) watch();
        }
      : undefined;
}

/** Makes a scope current; 0 stands for no scope. */
export function setCurrentScope(scope: number): void {
  if (scope !== wasm._tn_current_scope()) wasm._tn_set_current_scope(scope);
}

/** A running function that has made its own scope current, and what its end has to do. */
export interface Frame {
  /** The scope to close at the end; 0 for none. */
  readonly closes: number;
  /** The scope to make current at the end. */
  readonly previous: number;
  /** True if it runs inside another frame. */
  readonly isInner: boolean;
}

/**
 * The frame that is ending. Set it before the call of endFrame(): if a stack overflow prevents that call, the next syncCurrentScope()
 * ends the frame.
 */
export const frame: { ending: Frame | undefined } = { ending: undefined };
/** Sentinel for a scope that is being opened. Set `frame.ending` to it before the scope is opened; startFrame() clears it. */
export const kOpening: Frame = { closes: 0, previous: 0, isInner: false };
/** The last started frame that closes a scope at its end. */
let lastOpened = kOpening;
let outermost: Frame | undefined;
let isCleanupScheduled = false;
const kResolved = Promise.resolve();

/** Starts a frame: until endFrame(), the current scope stays the one that tidy() or run() has made current. */
export function startFrame(closes: number, previous = 0): Frame {
  const started = { closes, previous, isInner: isInFrame };
  if (!isInFrame) {
    outermost = started;
    if (!isCleanupScheduled) {
      // queueMicrotask() costs more in Node: it creates an AsyncResource.
      void kResolved.then(closeStaleFrames);
      // Afterwards: a time limit may have interrupted the call before it scheduled anything.
      isCleanupScheduled = true;
    }
  }
  isInFrame = true;
  if (closes !== 0) lastOpened = started;
  frame.ending = undefined;
  return started;
}

/** Ends a frame: closes its scope or, if it has none, makes the previous scope current. */
export function endFrame(ended: Frame): void {
  isInFrame = ended.isInner;
  if (ended.closes !== 0) wasm._tn_close_scope(ended.closes);
  else wasm._tn_leave_scope(ended.previous);
  frame.ending = undefined;
}

const staleHooks: (() => void)[] = [];

/** Adds a function that runs at the end of each turn in which a time limit or a stack overflow has ended a frame. */
export function onStaleFrames(hook: () => void): void {
  staleHooks.push(hook);
}

/** Ends a frame that has outlived its turn. That happens only if its code was interrupted, which runs no `finally`. */
function closeStaleFrames(): void {
  isCleanupScheduled = false;
  if (!isInFrame) return;
  try {
    recover();
    endFrame(outermost!);
    for (const hook of staleHooks) hook();
  } catch {
    // If the state cannot be repaired, the next call throws, where a program can catch it.
    isInFrame = false;
    frame.ending = undefined;
  }
}

/** True while a function runs that has made its own scope current. */
export function isFrameActive(): boolean {
  return isInFrame;
}
