import { isNode } from './node_builtins.js';

/**
 * Makes Node create the globals `performance` and `crypto` now. Node creates them at the first access, and never if a time
 * limit interrupts that access. The engine reads the clock while it waits for workers, and seeds ops with random numbers.
 */
export function makeNodeGlobals(): void {
  if (!isNode) return;
  performance.now();
  try {
    // A call, because Node creates parts of `crypto` only then.
    crypto.getRandomValues(new Uint8Array(1));
  } catch {
    // Environments that emulate Node may have no `crypto` while a program loads. An op that needs it throws.
  }
}
