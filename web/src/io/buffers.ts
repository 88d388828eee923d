/** Buffers one behind the other. */
export function concatenateArrayBuffers(buffers: ArrayBuffer[]): ArrayBuffer {
  if (buffers.length === 1) return buffers[0]!;
  const joined = new Uint8Array(buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0));
  let at = 0;
  for (const buffer of buffers) {
    joined.set(new Uint8Array(buffer), at);
    at += buffer.byteLength;
  }
  return joined.buffer;
}
