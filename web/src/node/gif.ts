// GIF (w3.org/Graphics/GIF/spec-gif89a.txt).
import { decompressLzw } from './lzw.js';

/** Frames of a GIF file, each a whole canvas of RGB. */
export interface Animation {
  width: number;
  height: number;
  frames: Uint8Array[];
}

const kMaxPixels = 2 ** 28;
const kExtension = 0x21;
const kGraphicControl = 0xf9;
const kImage = 0x2c;
const kTrailer = 0x3b;
/** Passes of an interlaced image: first row, row stride. */
const kPasses = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;
/** Disposal methods: what becomes of a frame's pixels when the next frame is drawn. */
const kClear = 2;
const kRestore = 3;

interface Canvas {
  width: number;
  height: number;
  /** Colours of frames without a palette of their own. */
  palette: Uint8Array | undefined;
}

interface Control {
  disposal: number;
  /** Index of the colour that is not drawn; -1 if there is none. */
  transparent: number;
}

interface Frame extends Control {
  left: number;
  top: number;
  width: number;
  height: number;
  palette: Uint8Array;
  /** Indices of colours by rows. */
  indices: Uint8Array;
}

export function isGif(bytes: Uint8Array): boolean {
  return [0x47, 0x49, 0x46, 0x38].every((byte, i) => bytes[i] === byte);
}

/** A reader of a GIF file's fields. Throws at the end of the file. */
class Reader {
  #at = 6;
  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }
  take(count: number): Uint8Array {
    if (count > this.bytes.length - this.#at) throw new Error('the GIF file is cut off');
    return this.bytes.subarray(this.#at, (this.#at += count));
  }
  byte(): number {
    return this.take(1)[0]!;
  }
  uint16(): number {
    return this.byte() | (this.byte() << 8);
  }
  /** Returns the colours of a palette as bytes of red, green and blue. */
  palette(flags: number): Uint8Array {
    return this.take(3 * 2 ** ((flags & 7) + 1));
  }
  /** Returns the data of sub-blocks up to the empty one that ends them. */
  subBlocks(): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let length = this.byte(); length > 0; length = this.byte()) parts.push(this.take(length));
    return Buffer.concat(parts);
  }
}

/**
 * Decodes a GIF file to its frames as they are shown: each is drawn over what the frames before it left. Pixels that no frame
 * draws are black. Throws if the file is invalid or has more than 2^28 pixels.
 * @param maxFrames Number of frames after which the rest of the file is ignored.
 */
export function readGif(bytes: Uint8Array, maxFrames = Infinity): Animation {
  if (!isGif(bytes)) throw new Error('expected a GIF file');
  const reader = new Reader(bytes);
  const [width, height, flags] = [reader.uint16(), reader.uint16(), reader.byte()];
  reader.take(2);
  const palette = flags & 128 ? reader.palette(flags) : undefined;
  const frames: Uint8Array[] = [];
  let canvas = new Uint8Array(0);
  let control: Control = { disposal: 0, transparent: -1 };
  while (frames.length < maxFrames && !reader.isAtEnd) {
    const block = reader.byte();
    if (block === kTrailer) break;
    if (block === kExtension) {
      const isControl = reader.byte() === kGraphicControl;
      const data = reader.subBlocks();
      if (isControl) control = parseControl(data);
    } else if (block === kImage) {
      if (width * height === 0 || width * height * (frames.length + 1) > kMaxPixels) {
        throw new Error(`a GIF of ${frames.length + 1} frames of ${width} x ${height} pixels cannot be read`);
      }
      const frame = { ...readFrame(reader, { width, height, palette }), ...control };
      if (frames.length === 0) canvas = new Uint8Array(width * height * 3);
      const before = frame.disposal === kRestore ? canvas.slice() : canvas;
      draw(frame, canvas, width);
      frames.push(canvas.slice());
      canvas = before;
      if (frame.disposal === kClear) clearFrame(frame, canvas, width);
      control = { disposal: 0, transparent: -1 };
    } else throw new Error(`the GIF file has a block of unknown type ${block}`);
  }
  if (frames.length === 0) throw new Error('the GIF file has no frames');
  return { width, height, frames };
}

function parseControl(data: Uint8Array): Control {
  if (data.length < 4) throw new Error('a graphic control extension of the GIF file is too short');
  return { disposal: (data[0]! >> 2) & 7, transparent: data[0]! & 1 ? data[3]! : -1 };
}

function readFrame(reader: Reader, canvas: Canvas): Omit<Frame, keyof Control> {
  const [left, top, width, height, flags] = [
    reader.uint16(),
    reader.uint16(),
    reader.uint16(),
    reader.uint16(),
    reader.byte(),
  ];
  if (left + width > canvas.width || top + height > canvas.height)
    throw new Error('a frame of the GIF file is outside its canvas');
  const palette = flags & 128 ? reader.palette(flags) : canvas.palette;
  if (!palette) throw new Error('a frame of the GIF file has no palette');
  const minBits = reader.byte();
  if (minBits < 1 || minBits > 8) throw new Error(`a frame of the GIF file has the invalid code size ${minBits}`);
  const codes = reader.subBlocks();
  // A code is at least 2 bits, and stands for at most 4096 values.
  if (width * height > codes.length * 4 * 4096)
    throw new Error(`a frame of the GIF file has too few bytes for ${width} x ${height} pixels`);
  const values = decompressLzw(codes, minBits, width * height);
  return { left, top, width, height, palette, indices: flags & 64 ? deinterlaced(values, width, height) : values };
}

function deinterlaced(values: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(values.length);
  let at = 0;
  for (const [first, stride] of kPasses) {
    for (let row = first; row < height; row += stride, at += width)
      rows.set(values.subarray(at, at + width), row * width);
  }
  return rows;
}

function draw(
  { left, top, width, height, palette, indices, transparent }: Frame,
  canvas: Uint8Array,
  canvasWidth: number,
): void {
  for (let i = 0; i < width * height; i++) {
    const index = indices[i]!;
    if (index === transparent) continue;
    if (3 * index >= palette.length) throw new Error(`the GIF file has no colour ${index}`);
    const at = 3 * ((top + Math.floor(i / width)) * canvasWidth + left + (i % width));
    for (let k = 0; k < 3; k++) canvas[at + k] = palette[3 * index + k]!;
  }
}

function clearFrame({ left, top, width, height }: Frame, canvas: Uint8Array, canvasWidth: number): void {
  for (let row = top; row < top + height; row++)
    canvas.fill(0, 3 * (row * canvasWidth + left), 3 * (row * canvasWidth + left + width));
}
