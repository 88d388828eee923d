const kLimit = 4096;

let answer: boolean | undefined;

/**
 * True if modules of any size can be compiled and instantiated synchronously here. On the main thread Chrome before 115
 * refuses modules above 4 KB with a RangeError.
 */
export function allowsLargeModules(): boolean {
  return (answer ??= compiles(paddedModule()));
}

function compiles(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new WebAssembly.Module(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns an empty module that a custom section makes larger than the limit. Engines skip the section. */
function paddedModule(): Uint8Array<ArrayBuffer> {
  const size = kLimit + 1;
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  // Section id 0, the size as a two-byte LEB128, and an empty name.
  const section = [0, (size & 0x7f) | 0x80, size >> 7, 0];
  const bytes = new Uint8Array(header.length + 3 + size);
  bytes.set([...header, ...section]);
  return bytes;
}
