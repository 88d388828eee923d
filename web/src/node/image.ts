// Decoding and encoding of image files.
import jpeg from 'jpeg-js';
import { isBmp, readBmp } from './bmp.js';
import { isGif, readGif } from './gif.js';
import { writeJpeg } from './jpeg_encoder.js';
import { isPng, readPng, writePng } from './png.js';
import { convertChannels, type Picture } from './picture.js';
import type { DataType } from '../runtime/types.js';
import { createTensor } from '../tensor/create.js';
import { Tensor, type Tensor3D, type Tensor4D } from '../tensor/tensor.js';

const kMaxMegapixels = 268;

/**
 * Decodes a PNG file to [height, width, channels]. Throws for other files.
 * @param contents Bytes of the file.
 * @param channels Number of channels: 1, 3 or 4, or 0 for those of the file.
 * @param dtype Dtype of the tensor; int32 by default.
 * @example
 * const file = await tf.node.encodePng(tf.tensor3d([[[1, 2, 3]]]));
 * tf.node.decodePng(file, 0, 'float32'); // [[[1, 2, 3]]]
 */
export function decodePng(contents: Uint8Array, channels = 0, dtype: DataType = 'int32'): Tensor3D {
  return decodeWith('decodePng', readPng, contents, channels, dtype);
}

/**
 * Decodes a JPEG file to int32[height, width, channels], with 1 or 3 channels, or for 0 those of the file. Throws for
 * other files.
 * @example
 * const file = await tf.node.encodeJpeg(tf.fill([8, 16, 3], 128));
 * tf.node.decodeJpeg(file, 1).shape; // [8, 16, 1]
 */
export function decodeJpeg(contents: Uint8Array, channels = 0): Tensor3D {
  return decodeWith('decodeJpeg', readJpeg, contents, channels, 'int32');
}

/**
 * Decodes a BMP file to int32[height, width, channels]. Throws for other files, and for run-length encoded ones.
 * @param contents Bytes of the file.
 * @param channels Number of channels: 1, 3 or 4, or 0 for those of the file.
 * @example
 * const header = 'Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAA';
 * const file = Uint8Array.from(atob(`${header}AwIBAA==`), (c) => c.charCodeAt(0));
 * tf.node.decodeBmp(file); // [[[1, 2, 3]]]
 */
export function decodeBmp(contents: Uint8Array, channels = 0): Tensor3D {
  return decodeWith('decodeBmp', readBmp, contents, channels, 'int32');
}

/**
 * Decodes a GIF file to int32[frames, height, width, 3], its frames as they are shown. Pixels that no frame draws are black.
 * Throws for other files.
 * @example
 * const file = Uint8Array.from(atob('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs='), (c) => c.charCodeAt(0));
 * tf.node.decodeGif(file); // [[[[255, 0, 0]]]]
 */
export function decodeGif(contents: Uint8Array): Tensor4D {
  checkBytes('decodeGif', contents);
  const { width, height, frames } = withName('decodeGif', () => readGif(contents));
  const values = new Int32Array(frames.length * width * height * 3);
  frames.forEach((frame, i) => values.set(frame, i * frame.length));
  return createTensor(values, [frames.length, height, width, 3], 'int32');
}

/**
 * Decodes a PNG, JPEG or BMP file to [height, width, channels], and a GIF file to int32[frames, height, width, 3] unless
 * `expandAnimations` is false. Throws for other files.
 * @param contents Bytes of the file.
 * @param channels Number of channels: 1, 3 or 4, or 0 for those of the file. It has no effect on all frames of a GIF file.
 * @param dtype Dtype of the tensor; int32 by default. It has no effect on all frames of a GIF file.
 * @param expandAnimations False to decode only the first frame of a GIF file, to [height, width, channels].
 * @example
 * const file = await tf.node.encodePng(tf.tensor3d([[[1, 2, 3, 255]]]));
 * tf.node.decodeImage(file, 3); // [[[1, 2, 3]]]
 */
export function decodeImage(
  contents: Uint8Array,
  channels = 0,
  dtype: DataType = 'int32',
  expandAnimations = true,
): Tensor3D | Tensor4D {
  if (isGif(contents) && expandAnimations) return decodeGif(contents);
  const read = [isPng, isJpeg, isBmp, isGif].findIndex((matches) => matches(contents));
  if (read < 0) throw new Error('[decodeImage] expected a PNG, JPEG, BMP or GIF file');
  return decodeWith('decodeImage', [readPng, readJpeg, readBmp, readFirstFrame][read]!, contents, channels, dtype);
}

/**
 * Encodes an image of 1 to 4 channels, with values from 0 to 255, as a PNG file. `compression` is zlib's level.
 * @example
 * const file = await tf.node.encodePng(tf.tensor3d([[[1, 2, 3]]]));
 * tf.node.decodeImage(file); // [[[1, 2, 3]]]
 */
export async function encodePng(image: Tensor3D | Tensor, compression = 1): Promise<Uint8Array> {
  const picture = await toPicture(image, 'encodePng', [1, 2, 3, 4]);
  return writePng(picture, compression);
}

/** Channels of the formats of JPEG files; '' stands for either. */
const kJpegFormats: Readonly<Record<string, readonly number[]>> = { '': [1, 3], grayscale: [1], rgb: [3] };

/**
 * Encodes an image of 1 or 3 channels, with values from 0 to 255, as a JPEG file of as many components.
 * @param image Image of [height, width, channels].
 * @param format 'grayscale' for 1 channel, 'rgb' for 3, or '' for either. Throws if the image has other channels.
 * @param quality Quality from 0 to 100; 95 by default.
 * @example
 * const file = await tf.node.encodeJpeg(tf.fill([8, 16, 3], 128), 'rgb', 80);
 * tf.node.decodeImage(file).shape; // [8, 16, 3]
 */
export async function encodeJpeg(image: Tensor3D | Tensor, format = '', quality = 95): Promise<Uint8Array> {
  const channels = kJpegFormats[format];
  if (!channels) throw new Error(`[encodeJpeg] format must be '', 'grayscale' or 'rgb', but got '${format}'`);
  if (!(quality >= 0 && quality <= 100))
    throw new Error(`[encodeJpeg] quality must be from 0 to 100, but got ${quality}`);
  const picture = await toPicture(image, 'encodeJpeg', channels);
  return writeJpeg(picture, quality);
}

function decodeWith(
  name: string,
  read: (bytes: Uint8Array, channels: number) => Picture,
  contents: Uint8Array,
  channels: number,
  dtype: DataType,
): Tensor3D {
  checkBytes(name, contents);
  if (![0, 1, 3, 4].includes(channels)) throw new Error(`[${name}] channels must be 0, 1, 3 or 4, but got ${channels}`);
  const picture = withName(name, () => read(contents, channels));
  const { width, height, channels: depth, data } = convertChannels(picture, channels || picture.channels);
  return createTensor(
    dtype === 'float32' ? Float32Array.from(data) : Int32Array.from(data),
    [height, width, depth],
    dtype,
  );
}

function checkBytes(name: string, contents: Uint8Array): void {
  if (!(contents instanceof Uint8Array)) throw new Error(`[${name}] expected the bytes of a file as a Uint8Array`);
}

/** Runs a function. Its errors begin with the name of the exported function. */
function withName<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`[${name}] ${(cause as Error).message}`, { cause });
  }
}

function readFirstFrame(bytes: Uint8Array): Picture {
  const { width, height, frames } = readGif(bytes, 1);
  return { width, height, channels: 3, data: frames[0]! };
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 255 && bytes[1] === 216 && bytes[2] === 255;
}

function readJpeg(bytes: Uint8Array): Picture {
  if (!isJpeg(bytes)) throw new Error('expected a JPEG file');
  const options = {
    useTArray: true,
    formatAsRGBA: false,
    maxResolutionInMP: kMaxMegapixels,
    tolerantDecoding: false,
  } as const;
  const picture = { channels: 3, ...jpeg.decode(bytes, options) };
  return components(bytes) === 1 ? convertChannels(picture, 1) : picture;
}

/** Returns the number of components in the frame of a JPEG file. */
function components(bytes: Uint8Array): number {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 255) return 3;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return bytes[at + 9]!;
    at += 2 + 256 * bytes[at + 2]! + bytes[at + 3]!;
  }
  return 3;
}

async function toPicture(image: Tensor, name: string, allowed: readonly number[]): Promise<Picture> {
  if (!(image instanceof Tensor) || image.rank !== 3) throw new Error(`[${name}] expected an image of rank 3`);
  const [height, width, channels] = image.shape as unknown as [number, number, number];
  if (!allowed.includes(channels))
    throw new Error(`[${name}] expected ${allowed.join(' or ')} channels, got shape [${image.shape}]`);
  if (image.size === 0) throw new Error(`[${name}] expected pixels, got shape [${image.shape}]`);
  return { width, height, channels, data: Uint8Array.from(Uint8ClampedArray.from(await image.data())) };
}
