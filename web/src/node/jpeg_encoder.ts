// Baseline JPEG (T.81 of the ITU), with one component or three, and Huffman tables of its own for each image.
import { HuffmanTable } from './huffman.js';
import type { Picture } from './picture.js';

/** Quantization of the luma, Table K.1, in rows. */
const kLuma = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29],
  ...[51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121],
  ...[120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
/** The first rows and columns of the quantization of the chroma, Table K.2. All other steps are 99. */
const kChroma = [
  [17, 18, 24, 47],
  [18, 21, 26, 66],
  [24, 26, 56, 99],
  [47, 66, 99, 99],
];
const kOtherChroma = 99;
/** Rows of the conversion from RGB to Y, Cb and Cr (JFIF 1.02). */
const kFromRgb = [
  [0.299, 0.587, 0.114],
  [-0.168736, -0.331264, 0.5],
  [0.5, -0.418688, -0.081312],
] as const;
/** Position in a block of 8 x 8 of the coefficients, in the order of the file. */
const kZigzag = zigzag();
/** Basis of the discrete cosine transform: one row for each frequency. */
const kBasis = Float64Array.from({ length: 64 }, (_, i) => {
  const [frequency, x] = [i >> 3, i & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * frequency * Math.PI) / 16);
});

/** The component's samples, and the quantization steps in the order of the file. */
interface Component {
  sample: (pixel: number) => number;
  /** 0 for luma, 1 for chroma: the number of its tables. */
  table: number;
  steps: number[];
}
type Visit = (component: Component, isDc: boolean, symbol: number, value: number, size: number) => void;

/** Encodes a picture of 1 or 3 channels as a JPEG file of as many components, at a quality from 0 to 100. */
export function writeJpeg(picture: Picture, quality: number): Uint8Array {
  const components = makeComponents(picture, quality);
  const blocks = transformBlocks(picture, components);
  const tableCount = components.length === 1 ? 1 : 2;
  const counts = Array.from({ length: 2 * tableCount }, () => new Uint32Array(256));
  visitSymbols(blocks, components, ({ table }, isDc, symbol) => counts[2 * table + (isDc ? 0 : 1)]![symbol]!++);
  const tables = counts.map((count) => new HuffmanTable(count));
  const bits = new BitWriter();
  visitSymbols(blocks, components, ({ table }, isDc, symbol, value, size) => {
    const codes = tables[2 * table + (isDc ? 0 : 1)]!;
    bits.write(codes.code(symbol), codes.length(symbol));
    bits.write(value, size);
  });
  const { width, height } = picture;
  const ids = components.map((_, i) => i + 1);
  const frame = [8, ...word(height), ...word(width), ids.length];
  const scan = [ids.length, ...components.flatMap(({ table }, i) => [ids[i]!, 0x11 * table]), 0, 63, 0];
  const parts = [
    [0xff, 0xd8],
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 2, 0, 0, 1, 0, 1, 0, 0]),
    ...components.slice(0, tableCount).map(({ steps }, i) => segment(0xdb, [i, ...steps])),
    segment(0xc0, [...frame, ...components.flatMap(({ table }, i) => [ids[i]!, 0x11, table])]),
    ...tables.map(({ lengthCounts, symbols }, i) =>
      segment(0xc4, [((i & 1) << 4) | (i >> 1), ...lengthCounts, ...symbols]),
    ),
    segment(0xda, scan),
    bits.finish(),
    [0xff, 0xd9],
  ];
  return Uint8Array.from(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
}

function makeComponents({ channels, data }: Picture, quality: number): Component[] {
  const luma = scaleSteps(kLuma, quality);
  if (channels === 1) return [{ sample: (pixel) => data[pixel]! - 128, table: 0, steps: luma }];
  const chroma = scaleSteps(
    kLuma.map((_, i) => kChroma[i >> 3]?.[i & 7] ?? kOtherChroma),
    quality,
  );
  return kFromRgb.map(([r, g, b], i) => ({
    sample: (pixel) => {
      const at = 3 * pixel;
      return r * data[at]! + g * data[at + 1]! + b * data[at + 2]! - (i === 0 ? 128 : 0);
    },
    table: i === 0 ? 0 : 1,
    steps: i === 0 ? luma : chroma,
  }));
}

/** Scales quantization steps to a quality as libjpeg does, and returns them in the order of the file. */
function scaleSteps(steps: readonly number[], quality: number): number[] {
  const percent = quality < 50 ? 5000 / Math.max(quality, 1) : 200 - 2 * quality;
  return kZigzag.map((at) => Math.min(Math.max(Math.floor((steps[at]! * percent + 50) / 100), 1), 255));
}

/** Returns the quantized coefficients, 64 for each block in the order of the file, the components of a block side by side. */
function transformBlocks({ width, height }: Picture, components: readonly Component[]): Int16Array {
  const [columns, rows] = [Math.ceil(width / 8), Math.ceil(height / 8)];
  const coefficients = new Int16Array(columns * rows * components.length * 64);
  const samples = new Float64Array(64);
  const halfway = new Float64Array(64);
  const transformed = new Float64Array(64);
  let at = 0;
  for (let block = 0; block < columns * rows; block++) {
    const [left, top] = [8 * (block % columns), 8 * Math.floor(block / columns)];
    for (const { sample, steps } of components) {
      for (let i = 0; i < 64; i++) {
        // Blocks beyond the border repeat the last pixel.
        const x = Math.min(left + (i & 7), width - 1);
        const y = Math.min(top + (i >> 3), height - 1);
        samples[i] = sample(y * width + x);
      }
      transform(samples, halfway);
      transform(halfway, transformed);
      for (let i = 0; i < 64; i++) coefficients[at++] = Math.round(transformed[kZigzag[i]!]! / steps[i]!);
    }
  }
  return coefficients;
}

/** Transforms the rows of a block, and transposes it: twice, this is the cosine transform of both dimensions. */
function transform(block: Float64Array, result: Float64Array): void {
  for (let row = 0; row < 8; row++) {
    for (let frequency = 0; frequency < 8; frequency++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += block[8 * row + x]! * kBasis[8 * frequency + x]!;
      result[8 * frequency + row] = sum;
    }
  }
}

/** Calls `visit` for each Huffman symbol of the scan, with the `size` bits that follow its code. */
function visitSymbols(blocks: Int16Array, components: readonly Component[], visit: Visit): void {
  const lastDc = components.map(() => 0);
  for (let at = 0, i = 0; at < blocks.length; at += 64, i = (i + 1) % components.length) {
    const component = components[i]!;
    const difference = blocks[at]! - lastDc[i]!;
    lastDc[i] = blocks[at]!;
    const dcSize = bitCount(difference);
    visit(component, true, dcSize, toBits(difference, dcSize), dcSize);
    let zeros = 0;
    for (let k = 1; k < 64; k++) {
      const value = blocks[at + k]!;
      if (value === 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15; zeros -= 16) visit(component, false, 0xf0, 0, 0);
      const size = bitCount(value);
      visit(component, false, (zeros << 4) | size, toBits(value, size), size);
      zeros = 0;
    }
    if (zeros > 0) visit(component, false, 0, 0, 0);
  }
}

function bitCount(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}

/** Returns a value's `size` bits: those of a negative value are one less in two's complement. */
function toBits(value: number, size: number): number {
  return value < 0 ? value + 2 ** size - 1 : value;
}

/** Writes bits from the highest to the lowest. A zero follows each byte of ones, so that it is no marker. */
class BitWriter {
  #bytes = new Uint8Array(2 ** 16);
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  write(value: number, size: number): void {
    this.#pending = (this.#pending << size) | value;
    this.#pendingBits += size;
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8;
      const byte = (this.#pending >> this.#pendingBits) & 255;
      this.#push(byte);
      if (byte === 255) this.#push(0);
    }
    this.#pending &= (1 << this.#pendingBits) - 1;
  }
  /** Returns the bytes; the last one is filled with ones. */
  finish(): Uint8Array {
    if (this.#pendingBits > 0) this.write(2 ** (8 - this.#pendingBits) - 1, 8 - this.#pendingBits);
    return this.#bytes.subarray(0, this.#length);
  }
  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}

function segment(marker: number, content: readonly number[]): number[] {
  return [0xff, marker, ...word(content.length + 2), ...content];
}

function word(value: number): [number, number] {
  return [value >> 8, value & 255];
}

/** Returns the positions of a block along its diagonals, in alternating directions. */
function zigzag(): number[] {
  const positions = Array.from({ length: 64 }, (_, i) => ({ diagonal: (i >> 3) + (i & 7), row: i >> 3, i }));
  const isUpwards = (diagonal: number) => diagonal % 2 === 0;
  return positions
    .sort((a, b) => a.diagonal - b.diagonal || (isUpwards(a.diagonal) ? b.row - a.row : a.row - b.row))
    .map(({ i }) => i);
}
