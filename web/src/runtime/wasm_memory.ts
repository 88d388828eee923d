import { raise, recoverIfInterrupted, wasm } from './runtime.js';

const isBuffer = (value: unknown) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/**
 * Returns a view of bytes. The view has a fixed length, also of a resizable buffer. Throws unless `data` is an ArrayBuffer, a
 * SharedArrayBuffer or a view of one.
 */
export function toUint8Array(data: unknown, where: string): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (isBuffer(data)) return new Uint8Array(data as ArrayBuffer, 0, (data as ArrayBuffer).byteLength);
  const type = (data as object | null)?.constructor.name ?? String(data);
  throw new Error(`[${where}] expected bytes in an ArrayBuffer, or in a list of them, got ${type}`);
}

type Bytes = ArrayBuffer | Uint8Array;

/** A block of the engine's memory. */
export interface MemoryBlock {
  address: number;
  length: number;
}

/** The largest size that fits the engine's uint32. The engine refuses to allocate it; a larger size would wrap around. */
export const kMaxBytes = 2 ** 32 - 1;

/** Allocates a block of the engine's memory, for a call that takes ownership of it. Throws OutOfMemoryError. */
export function allocateBlock(length: number): MemoryBlock {
  recoverIfInterrupted();
  const address = wasm._tn_allocate(Math.min(length, kMaxBytes));
  if (address === -1) raise();
  return { address: address >>> 0, length };
}

/**
 * Copies bytes into a new block of the engine's memory, for a call that takes ownership of the block. Errors name the function
 * `where`. Throws if `data` is not bytes, and OutOfMemoryError.
 */
export function copyBytes(where: string, data: Bytes | Bytes[]): MemoryBlock {
  const parts = (Array.isArray(data) ? data : [data]).map((part) => toUint8Array(part, where));
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const block = allocateBlock(length);
  let at = block.address;
  for (const part of parts) {
    wasm.HEAPU8.set(part, at);
    at += part.byteLength;
  }
  return block;
}

/**
 * Copies bytes into the engine's memory, calls `use` with their address and length, and frees the copy. Errors name the
 * function `where`. Throws if `data` is not bytes, and OutOfMemoryError.
 */
export function withBytes<T>(where: string, data: Bytes | Bytes[], use: (address: number, length: number) => T): T {
  const { address, length } = copyBytes(where, data);
  try {
    return use(address, length);
  } finally {
    wasm._tn_deallocate(address, length);
  }
}
