/** Reflected polynomial of CRC-32C (Castagnoli). */
const kPolynomial = 0x82f63b78;
const kMask = 0xa282ead8;
let tables: Int32Array[] | undefined;

/** Returns four tables, for four bytes per step: slicing-by-4 (Kounavis and Berry, 2005). */
function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ kPolynomial : crc >>> 1;
    return crc;
  });
  const all = [first];
  for (let i = 1; i < 4; i++) all.push(all[i - 1]!.map((crc) => (crc >>> 8) ^ first[crc & 255]!));
  return all;
}

/** Returns the checksum of a part of a TFRecord: CRC-32C, rotated right by 15 bits, plus a constant. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = (tables ??= makeTables()) as [Int32Array, Int32Array, Int32Array, Int32Array];
  let crc = -1;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc = t3[crc & 255]! ^ t2[(crc >>> 8) & 255]! ^ t1[(crc >>> 16) & 255]! ^ t0[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]!) & 255]!;
  crc = ~crc;
  return (((crc >>> 15) | (crc << 17)) + kMask) >>> 0;
}
