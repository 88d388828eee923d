import { wasm } from '../runtime/runtime.js';

const kNoBudget = 2 ** 32 - 1;

/**
 * Bounds the bytes that the engine takes, pools included: `memory().detail.heapUsed`; null takes the bound away. What
 * would pass it first frees what trim() frees, and throws OutOfMemoryError when that is not enough. Nothing that is
 * alive is touched, also when it already takes more.
 * @example
 * tf.setMemoryBudget(tf.memory().detail.heapUsed + 1e6); // a megabyte more than now
 * tf.zeros([1000, 1000]); // throws OutOfMemoryError: [fill] out of memory: cannot allocate 4000064 bytes
 * tf.setMemoryBudget(null);
 */
export function setMemoryBudget(bytes: number | null): void {
  if (bytes !== null && !(bytes >= 0)) throw new Error(`[setMemoryBudget] expected a number of bytes or null, got ${bytes}`);
  wasm._tn_set_budget(bytes === null ? kNoBudget : Math.min(bytes, kNoBudget));
}

/**
 * Frees what is only kept to be quick: the pools of freed tensors, on the CPU and on the GPU, and what models have
 * prepared for the shapes that they have met. The next call of each model prepares it again.
 * @example
 * tf.ones([1000]).dispose(); // kept for the next tensor
 * tf.memory().detail.cpuPool > 0; // true
 * tf.trim();
 * tf.memory().detail.cpuPool; // 0
 */
export function trim(): void {
  wasm._tn_trim();
}
