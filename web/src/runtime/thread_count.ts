import { builtIn } from './built_in.js';

/** As many as the engine has stacks for. */
export const kMaxThreads = 16;
/** What is more gains little: kernels wait for the memory then. */
const kMostByDefault = 8;

let asked: number | undefined;

/** How many threads are to compute where that can be: what setThreadsCount() said, or one for each core. */
export function plannedThreads(): number {
  return asked ?? (askedByEnvironment() || defaultThreads());
}

export function planThreads(count: number): void {
  asked = count;
}

function askedByEnvironment(): number {
  const text = typeof process === 'object' ? process.env?.['TENURE_THREADS'] : undefined;
  const count = Number(text);
  return Number.isInteger(count) ? Math.min(count, kMaxThreads) : 0;
}

/** What programs see are logical processors, of which cores have two in most machines with more than two. */
function defaultThreads(): number {
  const inPage = (globalThis.navigator as Navigator | undefined)?.hardwareConcurrency;
  const processors = builtIn('node:os')?.availableParallelism() ?? inPage ?? 1;
  return processors <= 2 ? processors : Math.min(Math.ceil(processors / 2), kMostByDefault);
}
