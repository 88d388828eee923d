const kMaxCodes = 4096;
const kMaxBits = 12;

/**
 * Decompresses the LZW codes of a GIF image (w3.org/Graphics/GIF/spec-gif89a.txt, appendix F). Throws for an invalid code, and
 * if there are fewer than `count` values.
 * @param codes Bytes of the codes, lowest bits first.
 * @param minBits Bits of a value, from 1 to 8; codes have at least one more.
 * @param count Number of values to return; further ones are ignored.
 */
export function decompressLzw(codes: Uint8Array, minBits: number, count: number): Uint8Array {
  const clear = 1 << minBits;
  const prefixes = new Uint16Array(kMaxCodes);
  const suffixes = Uint8Array.from({ length: kMaxCodes }, (_, code) => (code < clear ? code : 0));
  const lengths = new Uint16Array(kMaxCodes).fill(1, 0, clear);
  const values = new Uint8Array(count);
  let bits = minBits + 1;
  let next = clear + 2;
  let previous = -1;
  let written = 0;
  let buffered = 0;
  let bufferedBits = 0;
  for (let at = 0; written < count; ) {
    while (bufferedBits < bits && at < codes.length) {
      buffered |= codes[at++]! << bufferedBits;
      bufferedBits += 8;
    }
    if (bufferedBits < bits) break;
    const code = buffered & ((1 << bits) - 1);
    buffered >>>= bits;
    bufferedBits -= bits;
    if (code === clear) {
      bits = minBits + 1;
      next = clear + 2;
      previous = -1;
      continue;
    }
    if (code === clear + 1) break;
    if (code > next || (previous < 0 && code >= clear)) throw new Error(`the GIF file has an invalid code ${code}`);
    // The next code stands for the string of the previous one and its own first value.
    const isNext = code === next;
    const length = isNext ? lengths[previous]! + 1 : lengths[code]!;
    let position = written + length - (isNext ? 2 : 1);
    for (let from = isNext ? previous : code; position >= written; position--, from = prefixes[from]!)
      values[position] = suffixes[from]!;
    const first = values[written]!;
    if (isNext) values[written + length - 1] = first;
    written += length;
    if (previous >= 0 && next < kMaxCodes) {
      prefixes[next] = previous;
      suffixes[next] = first;
      lengths[next] = lengths[previous]! + 1;
      next++;
      if (next === 1 << bits && bits < kMaxBits) bits++;
    }
    previous = code;
  }
  if (written < count) throw new Error(`a frame of the GIF file has ${written} pixels, and needs ${count}`);
  return values;
}
