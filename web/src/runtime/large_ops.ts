import { wasm, whenLoaded } from './runtime.js';

interface Action {
  /** Time of large ops after which it runs, in ms. */
  after: number;
  act: () => void;
}

let actions: Action[] = [];
/** The time of large ops that the engine counts down from. */
let armed = 0;

/**
 * Calls `act` once ops that are large enough for several threads have computed on one thread for `milliseconds` from now on,
 * in total. The engine calls it from inside of an op: it must not call ops.
 */
export function whenLargeOpsTook(milliseconds: number, act: () => void): void {
  actions.push({ after: milliseconds, act });
  actions.sort((a, b) => a.after - b.after);
  arm();
}

function arm(): void {
  if (actions.length === 0) return;
  armed = actions[0]!.after;
  wasm._tn_notify_large_ops(armed);
}

function onLargeOps(): void {
  const due = actions.filter(({ after }) => after <= armed);
  actions = actions.filter(({ after }) => after > armed).map(({ after, act }) => ({ after: after - armed, act }));
  arm();
  for (const { act } of due) act();
}

whenLoaded(() => void Object.assign(wasm, { onLargeOps }));
