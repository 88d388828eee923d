// BMP (learn.microsoft.com/windows/win32/gdi/bitmap-storage), without its run-length encodings.
import type { Picture } from './picture.js';

const kFileHeaderBytes = 14;
/** Size of the header of OS/2, whose width and height have 16 bits and whose colours have three bytes. */
const kCoreHeaderBytes = 12;
const kMaxPixels = 2 ** 28;
/** Values of biCompression. */
const kUncompressed = 0;
const kBitFields = 3;
const kAlphaBitFields = 6;
/** Masks of red, green, blue and alpha if the file has none, by bits per pixel. */
const kMasks: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x3e0, 0x1f],
  24: [0xff0000, 0xff00, 0xff],
  32: [0xff0000, 0xff00, 0xff, 0xff000000],
};

export function isBmp(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x4d;
}

interface Header {
  width: number;
  height: number;
  isTopDown: boolean;
  bitsPerPixel: number;
  /** Offset of the rows in the file. */
  offset: number;
  /** Bytes of a row, padded to a multiple of 4. */
  stride: number;
  /** Masks of the channels, for pixels of 16 bits or more. */
  masks: readonly number[];
}

/**
 * Decodes a BMP file: to 4 channels if its pixels have alpha or 32 bits without masks, to 1 if its palette is grey, else to 3.
 * Throws if the file is invalid or compressed.
 */
export function readBmp(bytes: Uint8Array): Picture {
  if (!isBmp(bytes)) throw new Error('expected a BMP file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = parseHeader(view);
  return header.bitsPerPixel <= 8 ? readIndexed(header, bytes, parsePalette(view, header)) : readMasked(header, view);
}

function parseHeader(view: DataView): Header {
  const size = view.byteLength < kFileHeaderBytes + kCoreHeaderBytes ? 0 : view.getUint32(14, true);
  const isCore = size === kCoreHeaderBytes;
  if ((!isCore && size < 40) || size > view.byteLength - kFileHeaderBytes)
    throw new Error('the header of the BMP file is too short');
  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true);
  const rows = isCore ? view.getUint16(20, true) : view.getInt32(22, true);
  const bitsPerPixel = view.getUint16(isCore ? 24 : 28, true);
  const compression = isCore ? kUncompressed : view.getUint32(30, true);
  const height = Math.abs(rows);
  if (width <= 0 || height === 0 || width * height > kMaxPixels)
    throw new Error(`a BMP of ${width} x ${rows} pixels cannot be read`);
  if (![1, 4, 8, 16, 24, 32].includes(bitsPerPixel))
    throw new Error(`BMP files with ${bitsPerPixel} bits per pixel are not supported`);
  const masks = parseMasks(view, bitsPerPixel, compression, size);
  const offset = view.getUint32(10, true);
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  // The last row may lack its padding.
  const end = offset + stride * (height - 1) + Math.ceil((width * bitsPerPixel) / 8);
  if (end > view.byteLength) throw new Error(`the BMP file has ${view.byteLength} bytes, and needs ${end}`);
  return { width, height, isTopDown: rows < 0, bitsPerPixel, offset, stride, masks };
}

function parseMasks(view: DataView, bitsPerPixel: number, compression: number, headerBytes: number): readonly number[] {
  if (compression === kUncompressed) return kMasks[bitsPerPixel] ?? [];
  const hasMasks = compression === kBitFields || compression === kAlphaBitFields;
  if (!hasMasks || bitsPerPixel < 16 || bitsPerPixel === 24) {
    throw new Error(
      `BMP files with compression ${compression} are not supported: save the image uncompressed, or as PNG`,
    );
  }
  const hasAlpha = compression === kAlphaBitFields || headerBytes >= 56;
  if (view.byteLength < 70) throw new Error('the header of the BMP file is too short');
  const masks = [54, 58, 62, ...(hasAlpha ? [66] : [])].map((at) => view.getUint32(at, true));
  if (masks.slice(0, 3).includes(0)) throw new Error('a mask of the BMP file is empty');
  return masks[3] === 0 ? masks.slice(0, 3) : masks;
}

/** Returns the colours of the palette as bytes of red, green and blue. */
function parsePalette(view: DataView, { bitsPerPixel, offset }: Header): Uint8Array {
  const headerBytes = view.getUint32(14, true);
  const isCore = headerBytes === kCoreHeaderBytes;
  const entryBytes = isCore ? 3 : 4;
  const begin = kFileHeaderBytes + headerBytes;
  const declared = isCore ? 0 : view.getUint32(46, true);
  const room = Math.max(Math.floor((Math.min(offset, view.byteLength) - begin) / entryBytes), 0);
  const count = Math.min(declared || 2 ** bitsPerPixel, 2 ** bitsPerPixel, room);
  const palette = new Uint8Array(count * 3);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) palette[3 * i + k] = view.getUint8(begin + i * entryBytes + 2 - k);
  return palette;
}

function rowOffset({ height, isTopDown, offset, stride }: Header, row: number): number {
  return offset + (isTopDown ? row : height - 1 - row) * stride;
}

function readIndexed(header: Header, bytes: Uint8Array, palette: Uint8Array): Picture {
  const { width, height, bitsPerPixel } = header;
  const isGrey = palette.every((value, i) => value === palette[i - (i % 3)]);
  const channels = isGrey ? 1 : 3;
  const data = new Uint8Array(width * height * channels);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const begin = rowOffset(header, row);
    for (let column = 0; column < width; column++) {
      const bit = column * bitsPerPixel;
      const index = (bytes[begin + (bit >> 3)]! >> (8 - bitsPerPixel - (bit & 7))) & (2 ** bitsPerPixel - 1);
      if (3 * index + 2 >= palette.length) throw new Error(`the BMP file has no colour ${index}`);
      for (let k = 0; k < channels; k++) data[at++] = palette[3 * index + k]!;
    }
  }
  return { width, height, channels, data };
}

function readMasked(header: Header, view: DataView): Picture {
  const { width, height, bitsPerPixel, masks } = header;
  const channels = masks.length;
  const shifts = masks.map((mask) => 31 - Math.clz32(mask & -mask));
  const scales = masks.map((mask, k) => 255 / (mask >>> shifts[k]!));
  const data = new Uint8Array(width * height * channels);
  const pixelBytes = bitsPerPixel / 8;
  let at = 0;
  for (let row = 0; row < height; row++) {
    let from = rowOffset(header, row);
    for (let column = 0; column < width; column++, from += pixelBytes) {
      const low = view.getUint16(from, true);
      const pixel =
        pixelBytes === 2
          ? low
          : pixelBytes === 3
            ? low | (view.getUint8(from + 2) << 16)
            : low | (view.getUint16(from + 2, true) << 16);
      for (let k = 0; k < channels; k++) data[at++] = Math.round(((pixel & masks[k]!) >>> shifts[k]!) * scales[k]!);
    }
  }
  return { width, height, channels, data };
}
