import { wasm } from '../runtime/runtime.js';

/** Options of tf.debug.fail(). */
export interface FailureOptions {
  /** Number of ops that succeed before one fails. */
  afterOps?: number;
  /** Number of allocations that succeed before one fails. */
  afterAllocations?: number;
}

/** Makes one op, or one allocation, fail after a number of others. Without options, nothing fails any more. */
export function fail({ afterOps = -1, afterAllocations = -1 }: FailureOptions = {}): void {
  wasm._tn_fail(afterOps, afterAllocations);
}
