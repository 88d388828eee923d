/** A function of one relaxed_madd. */
const kRelaxedMadd = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

/** True if WebAssembly has relaxed SIMD in this process: Node 20 keeps it behind a flag, Node 22 does not. */
export const hasRelaxedSimd = () => WebAssembly.validate(kRelaxedMadd);
