import { nodeBuiltin, nodeProcess } from './node_builtins.js';

/** Maximum number of threads, the calling thread included. The engine has a stack for each. */
export const kMaxThreads = 16;
/** Maximum number of threads by default. More gain little, because kernels are then limited by memory bandwidth. */
const kMaxDefaultThreads = 8;

let requestedThreads: number | undefined;

/**
 * Returns the number of threads to use where threads are available: that of setThreadsCount() or of the environment variable
 * TENURE_THREADS, else one for each core, 8 at most.
 */
export function getPlannedThreads(): number {
  return requestedThreads ?? (threadsFromEnvironment() || defaultThreads());
}

/** Sets the number of threads to use. */
export function setPlannedThreads(count: number): void {
  requestedThreads = count;
}

function threadsFromEnvironment(): number {
  const count = Number(ifAllowed(() => nodeProcess?.env['TENURE_THREADS']));
  return Number.isInteger(count) ? Math.min(count, kMaxThreads) : 0;
}

/** Returns the default number of threads. Most machines with more than two logical processors have two for each core. */
function defaultThreads(): number {
  const inPage = (globalThis.navigator as Navigator | undefined)?.hardwareConcurrency;
  const processors = ifAllowed(() => nodeBuiltin('node:os')?.availableParallelism()) ?? inPage ?? 1;
  return processors <= 2 ? processors : Math.min(Math.ceil(processors / 2), kMaxDefaultThreads);
}

/** Returns the result of a function that reads the system; undefined where Deno does not permit it. */
function ifAllowed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
