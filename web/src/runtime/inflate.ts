// Decompression of deflate streams (RFC 1951), which browsers offer only asynchronously.

/** Longest code of a symbol. */
const kMaxCodeBits = 15;
/** Order in which a block states the lengths of the codes of code lengths (RFC 1951, 3.2.7). */
const kLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Symbol that ends a block; greater ones stand for copies. */
const kEndOfBlock = 256;
const kMaxCopy = 258;
const kLengthCodes = 29;
const kDistanceCodes = 30;
/** Maximum decompressed bytes for each byte of a stream: a copy takes two bits at least. */
const kMaxRatio = (kMaxCopy * 8) / 2;

/** Lengths of copies by symbol, and the number of bits that are added (RFC 1951, 3.2.5). */
const kCopyBits = Uint8Array.from({ length: kLengthCodes }, (_, i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1));
const kCopyBase = withBase(kCopyBits, 3);
kCopyBase[kLengthCodes - 1] = kMaxCopy;
/** Distances of copies by symbol, and the number of bits that are added. */
const kDistanceBits = Uint8Array.from({ length: kDistanceCodes }, (_, i) => (i < 4 ? 0 : (i >> 1) - 1));
const kDistanceBase = withBase(kDistanceBits, 1);

/** A table of 2^bits entries, which has for the next bits of the stream a symbol times 16 plus the length of its code. */
interface Code {
  table: Uint16Array;
  mask: number;
}

/**
 * Decompresses a raw deflate stream that follows the number of its decompressed bytes, in four bytes, the lowest first. Throws
 * Error if the stream is damaged.
 */
export function inflate(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const stream = new DeflateStream(source);
  for (let isLast = false; !isLast; ) {
    isLast = stream.read(1) === 1;
    const kind = stream.read(2);
    if (kind === 3) throw damaged();
    if (kind === 0) stream.copyStored();
    else stream.decodeBlock(...(kind === 1 ? fixedCodes() : stream.readCodes()));
  }
  return stream.finish();
}

/** A deflate stream that is being read, and what it gave so far. */
class DeflateStream {
  readonly #source: Uint8Array;
  readonly #output: Uint8Array<ArrayBuffer>;
  #at = 4;
  #written = 0;
  /** Bits that were read from the source and not used yet, the next one lowest. */
  #held = 0;
  #heldBits = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
    if (source.length < this.#at) throw damaged();
    const length = new DataView(source.buffer, source.byteOffset).getUint32(0, true);
    if (length > source.length * kMaxRatio) throw damaged();
    this.#output = new Uint8Array(length);
  }

  /** Reads a number of `count` bits, at most 16. */
  read(count: number): number {
    this.#fill(count);
    const value = this.#held & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  /** Reads the codes of literals and of distances that begin a block (RFC 1951, 3.2.7). */
  readCodes(): [Code, Code] {
    const literals = this.read(5) + 257;
    const distances = this.read(5) + 1;
    if (literals > 257 + kLengthCodes || distances > kDistanceCodes) throw damaged();
    const order = new Uint8Array(kLengthOrder.length);
    for (let i = 0, count = this.read(4) + 4; i < count; i++) order[kLengthOrder[i]!] = this.read(3);
    const code = makeCode(order);
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.#decode(code);
      if (symbol < 16) lengths[i++] = symbol;
      else {
        const repeated = symbol === 16 ? lengths[i - 1] : 0;
        const count = symbol === 16 ? 3 + this.read(2) : symbol === 17 ? 3 + this.read(3) : 11 + this.read(7);
        if (repeated === undefined || i + count > lengths.length) throw damaged();
        lengths.fill(repeated, i, (i += count));
      }
    }
    return [makeCode(lengths.subarray(0, literals)), makeCode(lengths.subarray(literals))];
  }

  /** Decompresses a block. */
  decodeBlock(literal: Code, distance: Code): void {
    const output = this.#output;
    let written = this.#written;
    for (let symbol = this.#decode(literal); symbol !== kEndOfBlock; symbol = this.#decode(literal)) {
      if (written >= output.length) throw damaged();
      if (symbol < kEndOfBlock) {
        output[written++] = symbol;
        continue;
      }
      // The fixed codes have symbols that stand for nothing.
      if (symbol >= 257 + kLengthCodes) throw damaged();
      const length = kCopyBase[symbol - 257]! + this.read(kCopyBits[symbol - 257]!);
      const code = this.#decode(distance);
      if (code >= kDistanceCodes) throw damaged();
      let from = written - kDistanceBase[code]! - this.read(kDistanceBits[code]!);
      if (from < 0 || written + length > output.length) throw damaged();
      for (const end = written + length; written < end; ) output[written++] = output[from++]!;
    }
    this.#written = written;
  }

  /** Copies a block that is not compressed. */
  copyStored(): void {
    // Whole bytes that were read ahead belong to the block.
    let at = this.#at - (this.#heldBits >> 3);
    this.#held = this.#heldBits = 0;
    const length = this.#source[at]! | (this.#source[at + 1]! << 8);
    const complement = this.#source[at + 2]! | (this.#source[at + 3]! << 8);
    at += 4;
    const isInside = at + length <= this.#source.length && this.#written + length <= this.#output.length;
    if (!isInside || (length ^ complement) !== 0xffff) throw damaged();
    this.#output.set(this.#source.subarray(at, at + length), this.#written);
    this.#written += length;
    this.#at = at + length;
  }

  /** Returns the decompressed bytes. Throws if some are missing, or if bits after the end of the source were used. */
  finish(): Uint8Array<ArrayBuffer> {
    const isPastEnd = this.#at - (this.#heldBits >> 3) > this.#source.length;
    if (isPastEnd || this.#written !== this.#output.length) throw damaged();
    return this.#output;
  }

  #decode({ table, mask }: Code): number {
    this.#fill(kMaxCodeBits);
    const entry = table[this.#held & mask]!;
    if (entry === 0) throw damaged();
    this.#drop(entry & 15);
    return entry >> 4;
  }

  /** Reads ahead until at least `count` bits are held; zeros follow the end. */
  #fill(count: number): void {
    for (; this.#heldBits < count; this.#heldBits += 8) {
      this.#held |= (this.#source[this.#at++] ?? 0) << this.#heldBits;
    }
  }

  #drop(count: number): void {
    this.#held >>>= count;
    this.#heldBits -= count;
  }
}

function damaged(): Error {
  return new Error('its deflate stream is damaged');
}

function withBase(bits: Uint8Array, first: number): Uint16Array {
  let base = first;
  return Uint16Array.from(bits, (count) => {
    const value = base;
    base += 1 << count;
    return value;
  });
}

function fixedCodes(): [Code, Code] {
  const lengths = Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
  return [makeCode(lengths), makeCode(new Uint8Array(32).fill(5))];
}

/**
 * Returns the canonical code of symbols by the lengths of their codes (RFC 1951, 3.2.2); a length of 0 is no code. Throws if
 * there are too many codes, or too few: only a code of at most one symbol may be incomplete.
 */
function makeCode(lengths: Uint8Array): Code {
  const longest = Math.max(1, ...lengths);
  let unused = 1 << longest;
  for (const length of lengths) if (length > 0) unused -= 1 << (longest - length);
  if (unused < 0 || (unused > 0 && longest > 1)) throw damaged();
  const table = new Uint16Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      for (let i = reverse(code++, length); i < table.length; i += 1 << length) table[i] = symbol * 16 + length;
    }
  }
  return { table, mask: table.length - 1 };
}

/** Reverses the lowest `count` bits: codes come from the stream with their first bit lowest. */
function reverse(code: number, count: number): number {
  let reversed = 0;
  for (let i = 0; i < count; i++) reversed |= ((code >> i) & 1) << (count - 1 - i);
  return reversed;
}
