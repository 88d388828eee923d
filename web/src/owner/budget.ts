import { wasm } from '../runtime/runtime.js';

const kNoBudget = 2 ** 32 - 1;

/**
 * Limits the bytes that the engine takes, pools included (`memory().detail.heapUsed`); null removes the limit. An allocation
 * beyond the limit first frees what trim() frees, and throws OutOfMemoryError if that is not enough. Live tensors are never
 * freed, even if they take more than the limit. Throws if `bytes` is negative or NaN.
 * @example
 * tf.setMemoryBudget(tf.memory().detail.heapUsed + 1e6); // a megabyte more than now
 * tf.zeros([1000, 1000]); // throws OutOfMemoryError: [fill] out of memory: cannot allocate 4000064 bytes
 * tf.setMemoryBudget(null);
 */
export function setMemoryBudget(bytes: number | null): void {
  if (bytes !== null && !(bytes >= 0))
    throw new Error(`[setMemoryBudget] expected a number of bytes or null, got ${bytes}`);
  wasm._tn_set_budget(bytes === null ? kNoBudget : Math.min(bytes, kNoBudget));
}

/**
 * Frees the engine's caches: the pools of freed tensors, on the CPU and on the GPU, and the plans of models, which are made for
 * each shape of their inputs. The next call of each model makes its plan again.
 * @example
 * tf.ones([1000]).dispose(); // kept for the next tensor
 * tf.memory().detail.cpuPool > 0; // true
 * tf.trim();
 * tf.memory().detail.cpuPool; // 0
 */
export function trim(): void {
  wasm._tn_trim();
}
