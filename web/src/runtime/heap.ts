import { wasm } from './runtime.js';
import type { DataType, TypedArray } from './types.js';

/** The engine's memory as elements of a type; memory that grows gets another one. */
export function heapOf(dtype: DataType): TypedArray {
  return dtype === 'bool' ? wasm.HEAPU8 : dtype === 'int32' ? wasm.HEAP32 : wasm.HEAPF32;
}

/** Where an address is in it. */
export function placeOf(address: number, dtype: DataType): number {
  return dtype === 'bool' ? address >>> 0 : address >>> 2;
}
