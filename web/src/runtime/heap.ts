import { wasm } from './runtime.js';
import type { DataType, TypedArray } from './types.js';

/** Returns the engine's memory as a typed array of an element type. The array is stale once the memory has grown. */
export function getHeapArray(dtype: DataType): TypedArray {
  return dtype === 'bool' ? wasm.HEAPU8 : dtype === 'int32' ? wasm.HEAP32 : wasm.HEAPF32;
}

/** Returns the index of a byte address in the array that getHeapArray() returns. */
export function getHeapIndex(address: number, dtype: DataType): number {
  return dtype === 'bool' ? address >>> 0 : address >>> 2;
}
