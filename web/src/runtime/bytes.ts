import { raise, recoverIfCut, wasm } from './runtime.js';

const isBuffer = (value: unknown) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/** A view of bytes; throws for what is none. Its length is fixed, whatever becomes of the buffer. */
function viewOf(data: unknown, where: string): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (isBuffer(data)) return new Uint8Array(data as ArrayBuffer, 0, (data as ArrayBuffer).byteLength);
  const type = (data as object | null)?.constructor.name ?? String(data);
  throw new Error(`[${where}] expected bytes in an ArrayBuffer, or in a list of them, got ${type}`);
}

type Bytes = ArrayBuffer | Uint8Array;

/** A block of the engine's memory. */
export interface Block {
  address: number;
  length: number;
}

/** As many are refused by the engine, and more would come round to a few. */
export const kMostBytes = 2 ** 32 - 1;

/** Copies bytes into the engine's memory, for a call that takes the block over. Throws for what has none. */
export function copyBytes(where: string, data: Bytes | Bytes[]): Block {
  const parts = (Array.isArray(data) ? data : [data]).map((part) => viewOf(part, where));
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  recoverIfCut();
  const allocated = wasm._tn_allocate(Math.min(length, kMostBytes));
  if (allocated === -1) raise();
  const address = allocated >>> 0;
  let at = address;
  for (const part of parts) {
    wasm.HEAPU8.set(part, at);
    at += part.byteLength;
  }
  return { address, length };
}

/** The same for the time of `use`, which gets their address and number. */
export function withBytes<T>(where: string, data: Bytes | Bytes[], use: (address: number, length: number) => T): T {
  const { address, length } = copyBytes(where, data);
  try {
    return use(address, length);
  } finally {
    wasm._tn_deallocate(address, length);
  }
}
