// tf.node: decoding and encoding of image files, with the API of tfjs-node. Only the package for Node has it.
import jpeg from 'jpeg-js';
import { isPng, readPng, writePng } from './png.js';
import { convertChannels, type Picture } from './picture.js';
import type { DataType } from '../runtime/types.js';
import { createTensor } from '../tensor/create.js';
import { Tensor, type Tensor3D } from '../tensor/tensor.js';

const kMaxMegapixels = 268;

/**
 * Decodes a PNG file to [height, width, channels]. Throws for other files.
 * @param contents Bytes of the file.
 * @param channels Number of channels: 1, 3 or 4, or 0 for those of the file.
 * @param dtype Dtype of the tensor; int32 by default.
 */
export function decodePng(contents: Uint8Array, channels = 0, dtype: DataType = 'int32'): Tensor3D {
  return decodeWith('decodePng', readPng, contents, channels, dtype);
}

/**
 * Decodes a JPEG file to int32[height, width, channels], with 1 or 3 channels, or for 0 those of the file. Throws for
 * other files.
 */
export function decodeJpeg(contents: Uint8Array, channels = 0): Tensor3D {
  return decodeWith('decodeJpeg', readJpeg, contents, channels, 'int32');
}

/**
 * Decodes a PNG or JPEG file to [height, width, channels]. Throws for other files.
 * @param contents Bytes of the file.
 * @param channels Number of channels: 1, 3 or 4, or 0 for those of the file.
 * @param dtype Dtype of the tensor; int32 by default.
 */
export function decodeImage(contents: Uint8Array, channels = 0, dtype: DataType = 'int32'): Tensor3D {
  if (isPng(contents)) return decodeWith('decodeImage', readPng, contents, channels, dtype);
  if (isJpeg(contents)) return decodeWith('decodeImage', readJpeg, contents, channels, dtype);
  throw new Error('[decodeImage] expected a PNG or a JPEG file; BMP and GIF are not supported');
}

/** Encodes an image of 1 to 4 channels, with values from 0 to 255, as a PNG file. `compression` is zlib's level. */
export async function encodePng(image: Tensor3D | Tensor, compression = 1): Promise<Uint8Array> {
  const picture = await toPicture(image, 'encodePng');
  return writePng(picture, compression);
}

/**
 * Encodes an image of 1 or 3 channels, with values from 0 to 255, as a JPEG file.
 * @param image Image of [height, width, channels].
 * @param format '', 'grayscale' or 'rgb'; checked, but without effect.
 * @param quality Quality from 0 to 100; 95 by default.
 */
export async function encodeJpeg(image: Tensor3D | Tensor, format = '', quality = 95): Promise<Uint8Array> {
  const { width, height, data } = convertChannels(await toPicture(image, 'encodeJpeg'), 4);
  if (!['', 'grayscale', 'rgb'].includes(format)) throw new Error(`[encodeJpeg] unknown format '${format}'`);
  return Uint8Array.from(jpeg.encode({ width, height, data }, quality).data);
}

function decodeWith(name: string, read: (bytes: Uint8Array) => Picture, contents: Uint8Array, channels: number, dtype: DataType): Tensor3D {
  if (!(contents instanceof Uint8Array)) throw new Error(`[${name}] expected the bytes of a file as a Uint8Array`);
  if (![0, 1, 3, 4].includes(channels)) throw new Error(`[${name}] channels must be 0, 1, 3 or 4, but got ${channels}`);
  let picture: Picture;
  try {
    picture = read(contents);
  } catch (cause) {
    throw new Error(`[${name}] ${(cause as Error).message}`, { cause });
  }
  const { width, height, channels: depth, data } = convertChannels(picture, channels || picture.channels);
  return createTensor(dtype === 'float32' ? Float32Array.from(data) : Int32Array.from(data), [height, width, depth], dtype) as Tensor3D;
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 255 && bytes[1] === 216 && bytes[2] === 255;
}

function readJpeg(bytes: Uint8Array): Picture {
  if (!isJpeg(bytes)) throw new Error('expected a JPEG file');
  const options = { useTArray: true, formatAsRGBA: false, maxResolutionInMP: kMaxMegapixels, tolerantDecoding: false } as const;
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

async function toPicture(image: Tensor, name: string): Promise<Picture> {
  if (!(image instanceof Tensor) || image.rank !== 3) throw new Error(`[${name}] expected an image of rank 3`);
  const [height, width, channels] = image.shape as unknown as [number, number, number];
  const allowed = name === 'encodePng' ? [1, 2, 3, 4] : [1, 3];
  if (!allowed.includes(channels)) throw new Error(`[${name}] expected ${allowed.join(', ')} channels, got shape [${image.shape}]`);
  if (image.size === 0) throw new Error(`[${name}] expected pixels, got shape [${image.shape}]`);
  return { width, height, channels, data: Uint8Array.from(Uint8ClampedArray.from(await image.data())) };
}
