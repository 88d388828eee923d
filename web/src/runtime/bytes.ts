import { raise, wasm } from './runtime.js';

/** Copies bytes into the engine's memory for the time of `use`, which gets their address and number. */
export function withBytes<T>(
  data: ArrayBuffer | ArrayBuffer[] | undefined,
  use: (address: number, length: number) => T,
): T {
  const parts = (Array.isArray(data) ? data : data ? [data] : []).map((part) => new Uint8Array(part));
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const address = wasm._tn_allocate(length);
  if (address === -1) raise();
  const start = address >>> 0;
  try {
    let at = start;
    for (const part of parts) {
      wasm.HEAPU8.set(part, at);
      at += part.byteLength;
    }
    return use(start, length);
  } finally {
    wasm._tn_deallocate(start, length);
  }
}
