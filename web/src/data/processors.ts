import { builtIn } from '../runtime/built_in.js';

/** How many things are worth doing at a time: one for each processor, at most 8. */
export function processors(): number {
  const inPage = (globalThis.navigator as Navigator | undefined)?.hardwareConcurrency;
  const count = inPage ?? builtIn('node:os')?.availableParallelism() ?? 4;
  return Math.max(1, Math.min(8, count));
}
