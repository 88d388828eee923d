// PNG (w3.org/TR/png-3), compressed and decompressed by Node's zlib.
import { nodeBuiltin } from '../runtime/node_builtins.js';
import type { Picture } from './picture.js';

const kSignature = [137, 80, 78, 71, 13, 10, 26, 10];
/** Samples per pixel, by colour type. */
const kSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const kDepths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Passes of Adam7: first column, first row, column stride, row stride. */
const kPasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const kMaxPixels = 2 ** 28;

export function isPng(bytes: Uint8Array): boolean {
  return kSignature.every((byte, i) => bytes[i] === byte);
}

interface Header {
  width: number;
  height: number;
  depth: number;
  color: number;
  interlaced: boolean;
}

/**
 * Decodes a PNG file to its own channels; palette images to those of their colours. If `channels` is 4, the transparent
 * colour of other images becomes an alpha channel. Samples of 16 bits lose the lower half. Throws if the file is invalid.
 */
export function readPng(bytes: Uint8Array, channels: number): Picture {
  if (!isPng(bytes)) throw new Error('expected a PNG file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  let palette: Uint8Array | undefined;
  let alphas: Uint8Array | undefined;
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (length > bytes.length - at - 12) throw new Error(`the PNG file ends inside its ${name}`);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = parseHeader(data);
    else if (name === 'PLTE') palette = data;
    else if (name === 'tRNS') alphas = data;
    else if (name === 'IDAT') packed.push(data);
    else if (name === 'IEND') break;
    at += length + 12;
  }
  if (!header) throw new Error('the PNG file has no IHDR');
  if (header.color === 3 && !palette) throw new Error('the PNG file has no PLTE');
  if (header.color === 3) return applyPalette(header, unpacked(header, packed), palette!, alphas);
  const hasKey = alphas !== undefined && channels === 4 && (header.color === 0 || header.color === 2);
  const key = hasKey ? parseColorKey(header, alphas!) : undefined;
  return {
    ...header,
    channels: kSamples[header.color]! + (key ? 1 : 0),
    data: unpacked(header, packed, key),
  };
}

/** Returns the samples of the transparent colour, which have the depth of the image. */
function parseColorKey({ color, depth }: Header, data: Uint8Array): number[] {
  const count = kSamples[color]!;
  if (data.length < 2 * count) throw new Error('the tRNS of the PNG file is too short');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: count }, (_, i) => view.getUint16(2 * i) & (2 ** depth - 1));
}

function parseHeader(data: Uint8Array): Header {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 13) throw new Error('the IHDR of the PNG file is too short');
  const [width, height, depth, color] = [view.getUint32(0), view.getUint32(4), data[8]!, data[9]!];
  if (!kDepths[color]?.includes(depth))
    throw new Error(`the PNG file has the invalid colour type ${color} with ${depth} bits per sample`);
  if (width * height === 0 || width * height > kMaxPixels)
    throw new Error(`a PNG of ${width} x ${height} pixels cannot be read`);
  return { width, height, depth, color, interlaced: data[12] === 1 };
}

/**
 * Decompresses the pixel data, reverses its filters, and returns one byte per sample; for palette images, an index. With a
 * `key`, alpha follows: 0 for pixels of that colour, else 255.
 */
function unpacked(header: Header, packed: Uint8Array[], key?: readonly number[]): Uint8Array {
  const { width, height, depth, color, interlaced } = header;
  const channels = kSamples[color]!;
  const passes = (interlaced ? kPasses : ([[0, 0, 1, 1]] as const)).map(([x, y, stepX, stepY]) => {
    const columns = Math.max(Math.ceil((width - x) / stepX), 0);
    const rows = columns === 0 ? 0 : Math.max(Math.ceil((height - y) / stepY), 0);
    return { x, y, stepX, stepY, columns, rows, stride: Math.ceil((columns * channels * depth) / 8) };
  });
  const size = passes.reduce((sum, { rows, stride }) => sum + rows * (stride + 1), 0);
  const raw = inflate(packed, size);
  const stored = channels + (key ? 1 : 0);
  const samples = new Uint8Array(width * height * stored);
  let at = 0;
  for (const { x, y, stepX, stepY, columns, rows, stride } of passes) {
    let above: Uint8Array = new Uint8Array(stride);
    for (let row = 0; row < rows; row++, at += stride + 1) {
      const line = raw.subarray(at + 1, at + 1 + stride);
      unfilter(raw[at]!, line, above, Math.max((channels * depth) >> 3, 1));
      above = line;
      for (let i = 0; i < columns; i++) {
        const pixel = ((y + row * stepY) * width + x + i * stepX) * stored;
        let isKey = true;
        for (let k = 0; k < channels; k++) {
          const sample = readSample(line, i * channels + k, depth);
          samples[pixel + k] = color === 3 ? sample : toByte(sample, depth);
          isKey &&= sample === key?.[k];
        }
        if (key) samples[pixel + channels] = isKey ? 0 : 255;
      }
    }
  }
  return samples;
}

function inflate(packed: Uint8Array[], size: number): Uint8Array {
  const { inflateSync } = nodeBuiltin('node:zlib')!;
  let raw: Uint8Array;
  try {
    raw = inflateSync(Buffer.concat(packed), { maxOutputLength: size + 1 });
  } catch (cause) {
    throw new Error('the pixels of the PNG file cannot be unpacked', { cause });
  }
  if (raw.length < size) throw new Error(`the PNG file has ${raw.length} bytes of pixels, and needs ${size}`);
  return raw;
}

/** Reverses a line filter in place: adds the sample to the left, the one above, or a prediction from both. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, bytesPerPixel: number): void {
  if (filter > 4) throw new Error(`the PNG file has the invalid filter ${filter}`);
  for (let i = 0; i < line.length; i++) {
    const a = i < bytesPerPixel ? 0 : line[i - bytesPerPixel]!;
    const b = above[i]!;
    const c = i < bytesPerPixel ? 0 : above[i - bytesPerPixel]!;
    line[i]! += filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c);
  }
}

function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
}

/** Returns a sample of a line, in the depth of the file. */
function readSample(line: Uint8Array, i: number, depth: number): number {
  if (depth === 8) return line[i]!;
  if (depth === 16) return (line[2 * i]! << 8) | line[2 * i + 1]!;
  return (line[(i * depth) >> 3]! >> (8 - depth - ((i * depth) & 7))) & (2 ** depth - 1);
}

function toByte(sample: number, depth: number): number {
  return depth === 16 ? sample >> 8 : (sample * 255) / (2 ** depth - 1);
}

function applyPalette(
  { width, height }: Header,
  indices: Uint8Array,
  palette: Uint8Array,
  alphas?: Uint8Array,
): Picture {
  const channels = alphas ? 4 : 3;
  const data = new Uint8Array(indices.length * channels);
  indices.forEach((index, i) => {
    if (3 * index + 2 >= palette.length) throw new Error(`the PNG file has no colour ${index}`);
    data.set(palette.subarray(3 * index, 3 * index + 3), i * channels);
    if (alphas) data[i * channels + 3] = alphas[index] ?? 255;
  });
  return { width, height, channels, data };
}

/** Encodes a picture as a PNG file of 8 bits per sample. */
export function writePng({ width, height, channels, data }: Picture, compression: number): Uint8Array {
  const color = [undefined, 0, 4, 2, 6][channels]!;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, color], 8);
  const stride = width * channels;
  const lines = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    const at = row * (stride + 1);
    lines[at] = 1;
    for (let i = 0; i < stride; i++)
      lines[at + 1 + i] = data[row * stride + i]! - (i < channels ? 0 : data[row * stride + i - channels]!);
  }
  const packed = nodeBuiltin('node:zlib')!.deflateSync(lines, { level: compression });
  const parts = [
    Uint8Array.from(kSignature),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array(0)),
  ];
  return Uint8Array.from(Buffer.concat(parts));
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(Buffer.from(name), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
