const kHeaderBytes = 8;
const kImportSection = 2;
const kMemoryImport = 2;
/** Flag of a memory that threads share. */
const kShared = 2;

/**
 * Makes a module import a shared memory: sets the flag of the memory that is its first import (web/wasm_file.mjs). Changes
 * the bytes. Returns false if the bytes are not such a module.
 */
export function shareMemory(bytes: Uint8Array): boolean {
  let at = kHeaderBytes;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      // Bytes may be cut off, or be no wasm.
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const skip = () => {
    const length = readNumber();
    at += length;
  };
  while (at < bytes.length && bytes[at] !== kImportSection) {
    at++;
    skip();
  }
  // The section's id, its length, the number of imports, and the two names of the first.
  at++;
  readNumber();
  readNumber();
  skip();
  skip();
  if (bytes[at] !== kMemoryImport) return false;
  bytes[at + 1]! |= kShared;
  return true;
}
