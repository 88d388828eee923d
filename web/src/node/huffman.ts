/** Longest code that a JPEG file may have. */
const kMaxLength = 16;
/** Symbol that takes the code of ones only, which no symbol of a JPEG file may have. */
const kReserved = 256;

/** Huffman code of bytes, with codes of at most 16 bits (T.81, Annex K.2). */
export class HuffmanTable {
  /** Number of codes of each length, from 1 to 16. */
  readonly lengthCounts: Uint8Array;
  /** Symbols in the order of their codes. */
  readonly symbols: number[];
  readonly #codes = new Uint16Array(256);
  readonly #lengths = new Uint8Array(256);

  /** `counts` is the number of times that each byte occurs. */
  constructor(counts: Uint32Array) {
    const lengths = codeLengths(counts);
    const present = [...counts.keys()].filter((symbol) => counts[symbol]! > 0);
    this.symbols = present.sort((a, b) => lengths[a]! - lengths[b]! || a - b);
    this.lengthCounts = limitLengths(lengths);
    let code = 0;
    let next = 0;
    for (let length = 1; length <= kMaxLength; length++, code <<= 1) {
      for (let i = 0; i < this.lengthCounts[length - 1]!; i++) {
        const symbol = this.symbols[next++]!;
        this.#codes[symbol] = code++;
        this.#lengths[symbol] = length;
      }
    }
  }

  code(symbol: number): number {
    return this.#codes[symbol]!;
  }
  length(symbol: number): number {
    return this.#lengths[symbol]!;
  }
}

/** Returns the length of each symbol's code, which may exceed 16, and that of the reserved symbol. */
function codeLengths(counts: Uint32Array): number[] {
  const lengths = new Array<number>(kReserved + 1).fill(0);
  let trees = [...counts, 1].map((count, symbol) => ({ count, symbols: [symbol] })).filter(({ count }) => count > 0);
  while (trees.length > 1) {
    trees.sort((a, b) => b.count - a.count || a.symbols[0]! - b.symbols[0]!);
    const [one, other] = trees.splice(-2) as [(typeof trees)[0], (typeof trees)[0]];
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) lengths[symbol]!++;
    trees = [...trees, { count: one.count + other.count, symbols }];
  }
  return lengths;
}

/** Returns how many symbols have a code of each length, without the reserved symbol and with codes of at most 16 bits. */
function limitLengths(lengths: number[]): Uint8Array {
  const counts = new Array<number>(kReserved + 2).fill(0);
  for (const length of lengths) if (length > 0) counts[length]!++;
  for (let length = counts.length - 1; length > kMaxLength; length--) {
    while (counts[length]! > 0) {
      let shorter = length - 2;
      while (counts[shorter] === 0) shorter--;
      counts[length]! -= 2;
      counts[length - 1]!++;
      counts[shorter + 1]! += 2;
      counts[shorter]!--;
    }
  }
  // The reserved symbol has one of the longest codes.
  let longest = kMaxLength;
  while (counts[longest] === 0) longest--;
  counts[longest]!--;
  return Uint8Array.from(counts.slice(1, kMaxLength + 1));
}
