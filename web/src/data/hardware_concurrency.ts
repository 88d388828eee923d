import { nodeBuiltin } from '../runtime/node_builtins.js';

/** Returns the processor count, at most 8; 4 if it is unknown. */
export function getHardwareConcurrency(): number {
  const inPage = (globalThis.navigator as Navigator | undefined)?.hardwareConcurrency;
  const count = inPage ?? nodeBuiltin('node:os')?.availableParallelism() ?? 4;
  return Math.max(1, Math.min(8, count));
}
