import { isNode } from './built_in.js';

/**
 * Has Node make what it makes when it is first asked for, and never again where a time limit cuts that short. The clock, at
 * which the engine looks while it waits for workers; and random numbers, which seed what ops draw.
 */
export function makeNodeGlobals(): void {
  if (!isNode) return;
  performance.now();
  try {
    // Called, as Node makes parts of it only then.
    crypto.getRandomValues(new Uint8Array(1));
  } catch {
    // Places that pass for Node may have none while a program is loaded: an op that needs it says so.
  }
}
