import { wasm } from '../runtime/runtime.js';

/** How many ops or allocations succeed before one fails. */
export interface FailureOptions {
  afterOps?: number;
  afterAllocations?: number;
}

/** What only the wasm of a debug build exports: see cpp/wasm/calls.cpp. */
interface FaultCalls {
  _tn_fail(ops: number, allocations: number): void;
}

/** Lets one op, or one allocation, fail after so many others. */
export function fail({ afterOps = -1, afterAllocations = -1 }: FailureOptions = {}): void {
  (wasm as unknown as FaultCalls)._tn_fail(afterOps, afterAllocations);
}
