import { getBackend } from './backend.js';
import { setCurrentOp } from '../debug/ledger.js';
import { withBytes } from '../runtime/wasm_memory.js';
import { raise, wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { takeResult } from '../tensor/create.js';
import { toInput, type Input } from '../tensor/input.js';
import type { TensorLike, TypedArray } from '../runtime/types.js';
import { Tensor, type Tensor2D, type Tensor3D } from '../tensor/tensor.js';
import { webglCanvas, webglContext, type Canvas } from './webgl.js';

/** An image of four bytes per pixel: red, green, blue, alpha. */
export interface PixelData {
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
  /** Bytes of the pixels, row by row. */
  data: Uint8Array | Uint8ClampedArray;
}
type Drawable = HTMLImageElement | HTMLCanvasElement | HTMLVideoElement | OffscreenCanvas | ImageBitmap;
/** A source of pixels: bytes, ImageData, an image, canvas or video element, or an ImageBitmap. */
export type PixelSource = PixelData | ImageData | Drawable;

/** Options of draw(). */
export interface DrawOptions {
  /** Options of the image. */
  imageOptions?: {
    /** Opacity, from 0 to 1, of images without an alpha channel; 1 by default. */
    alpha?: number;
  };
  /** Ignored: the canvas always gets a 2d context. */
  contextOptions?: {
    /** Ignored. */
    contextType?: string;
  };
}

/**
 * Returns the pixels of an image as int32[height, width, numChannels], from 0 to 255: red, green, blue, alpha. On
 * 'webgl', a canvas, video or image is uploaded to the GPU directly. Throws for a value without pixels.
 * @example
 * const pixels = { data: new Uint8Array([255, 0, 0, 255, 0, 255, 0, 255]), width: 2, height: 1 };
 * tf.browser.fromPixels(pixels); // [[[255, 0, 0], [0, 255, 0]]]
 * tf.browser.fromPixels(pixels, 1); // [[[255], [0]]]
 */
export function fromPixels(pixels: PixelSource, numChannels = 3): Tensor3D {
  if (numChannels > 4) throw new Error('Cannot construct Tensor with more than 4 channels from pixels.');
  if (!(Number.isInteger(numChannels) && numChannels > 0)) {
    throw new Error(`[fromPixels] expected 1 to 4 channels, got ${numChannels}`);
  }
  if ((pixels ?? null) === null) throw new Error('pixels passed to tf.browser.fromPixels() can not be null');
  syncCurrentScope();
  if (!isObject(pixels)) throw notPixelsError(pixels);
  if (isPixelData(pixels)) return fromBytes(pixels, numChannels);
  if (isCanvasLike(pixels)) {
    const { width, height } = pixels;
    const { data } = context2d(pixels).getImageData(0, 0, width, height);
    return fromBytes({ data, width, height }, numChannels);
  }
  if (!isDrawable(pixels)) throw notPixelsError(pixels);
  const [width, height] = getSize(pixels);
  if (getBackend() === 'webgl' && webglContext()?.isContextLost() === false) {
    return fromTexture(pixels, width, height, numChannels);
  }
  return fromBytes(drawToContext(pixels, width, height).getImageData(0, 0, width, height), numChannels);
}

/**
 * Resolves to the pixels of an image as int32[height, width, numChannels], from 0 to 255. They are taken from a copy of
 * the image as it is at the call. Rejects for a value without pixels.
 * @example
 * const pixels = { data: new Uint8Array([255, 0, 0, 255]), width: 1, height: 1 };
 * await tf.browser.fromPixelsAsync(pixels); // [[[255, 0, 0]]]
 */
export async function fromPixelsAsync(pixels: PixelSource, numChannels = 3): Promise<Tensor3D> {
  const isElement = isDrawable(pixels) && !(typeof ImageBitmap !== 'undefined' && pixels instanceof ImageBitmap);
  if (!isElement || typeof createImageBitmap === 'undefined') return fromPixels(pixels, numChannels);
  const [width, height] = getSize(pixels);
  const bitmap = await createImageBitmap(pixels, {
    resizeWidth: width,
    resizeHeight: height,
    premultiplyAlpha: 'none',
  });
  try {
    return fromPixels(bitmap, numChannels);
  } finally {
    bitmap.close();
  }
}

/**
 * Converts an image of [height, width] or [height, width, 1, 3 or 4] to RGBA bytes. float32 values must be from 0 to 1,
 * int32 values from 0 to 255; others throw. With `canvas`, resizes it to the image and draws the image onto it.
 * @example
 * await tf.browser.toPixels(tf.tensor([[0, 0.5, 1]])); // [0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255]
 */
export async function toPixels(
  img: Tensor2D | Tensor3D | TensorLike,
  canvas?: HTMLCanvasElement | OffscreenCanvas,
): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const image = toInput(img, 'img', 'toPixels', img instanceof Tensor ? 'numeric' : 'int32');
  const [height, width, depth] = checkImage(image, 'toPixels');
  const values = image instanceof Tensor ? await image.data() : (image.values as TypedArray);
  const bytes = toBytes(values, image.dtype, height * width, depth);
  if (canvas) {
    canvas.width = width;
    canvas.height = height;
    context2d(canvas).putImageData(new ImageData(bytes, width, height), 0, 0);
  }
  return bytes;
}

/**
 * Draws an image of [height, width] or [height, width, 1, 3 or 4] onto `canvas`, and resizes it to the image. float32
 * values are from 0 to 1, int32 values from 0 to 255. An image on the GPU does not leave it, and its values are
 * clamped; otherwise values out of range throw.
 * @param image Image.
 * @param canvas Canvas, without a context or with a 2d context.
 * @param options Options of the image.
 */
export function draw(
  image: Tensor2D | Tensor3D,
  canvas: HTMLCanvasElement | OffscreenCanvas,
  options: DrawOptions = {},
): void {
  const [height, width, depth] = checkImage(toInput(image, 'img', 'draw'), 'draw');
  canvas.width = width;
  canvas.height = height;
  const target = context2d(canvas);
  target.globalAlpha = depth === 4 ? 1 : (options.imageOptions?.alpha ?? 1);
  const own = webglCanvas();
  if (own && wasm._tn_on_device(image.id) === 1) {
    own.width = width;
    own.height = height;
    if (wasm._tn_draw(image.id) === -1) raise();
    target.drawImage(own, 0, 0);
    return;
  }
  const bytes = toBytes(image.dataSync(), image.dtype, height * width, depth);
  const source = makeCanvas(width, height);
  context2d(source).putImageData(new ImageData(bytes, width, height), 0, 0);
  target.drawImage(source, 0, 0);
}

function isObject(pixels: unknown): boolean {
  return typeof pixels === 'object';
}

function notPixelsError(pixels: object): Error {
  return new Error(
    'pixels passed to tf.browser.fromPixels() must be either an HTMLVideoElement, HTMLImageElement, ' +
      'HTMLCanvasElement, ImageData in browser, or OffscreenCanvas, ImageData in webworker or {data: Uint32Array, ' +
      `width: number, height: number}, but was ${pixels.constructor?.name}`,
  );
}

function isPixelData(pixels: PixelSource): pixels is PixelData | ImageData {
  return 'data' in pixels && ArrayBuffer.isView(pixels.data);
}

/** True for a canvas of a library, which is used where there is no browser. */
function isCanvasLike(pixels: object): pixels is Canvas {
  return 'getContext' in pixels && typeof pixels.getContext === 'function' && !isDrawable(pixels);
}

function isDrawable(pixels: object): pixels is Drawable {
  return ['HTMLImageElement', 'HTMLCanvasElement', 'HTMLVideoElement', 'OffscreenCanvas', 'ImageBitmap'].some(
    (name) => {
      const type = (globalThis as Record<string, unknown>)[name];
      return typeof type === 'function' && pixels instanceof type;
    },
  );
}

function isVideo(pixels: Drawable): pixels is HTMLVideoElement {
  return typeof HTMLVideoElement !== 'undefined' && pixels instanceof HTMLVideoElement;
}

function getSize(pixels: Drawable): [width: number, height: number] {
  if (!isVideo(pixels)) return [pixels.width, pixels.height];
  if (pixels.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    throw new Error(
      'The video element has not loaded data yet. Please wait for `loadeddata` event on the <video> element.',
    );
  }
  return [pixels.videoWidth, pixels.videoHeight];
}

function fromBytes({ data, width, height }: PixelData | ImageData, channels: number): Tensor3D {
  if (!(width > 0 && height > 0 && Number.isInteger(width) && Number.isInteger(height))) {
    throw new Error(`[fromPixels] expected pixels of a positive width and height, got ${width} x ${height}`);
  }
  const bytes = new Uint8Array(data);
  if (bytes.length !== width * height * 4) {
    throw new Error(
      `[fromPixels] expected ${width * height * 4} bytes for ${width} x ${height} pixels, got ${bytes.length}`,
    );
  }
  if (__DEBUG__) setCurrentOp('fromPixels');
  const status = withBytes('fromPixels', bytes, (address) => wasm._tn_pixels(address, height, width, channels));
  return status === -1 ? raise() : takeResult<Tensor3D>();
}

function fromTexture(pixels: Drawable, width: number, height: number, channels: number): Tensor3D {
  const gl = webglContext()!;
  // An <img> may be shown at another size than its natural one, which only drawing it onto a canvas yields.
  const isScaled = 'naturalWidth' in pixels && (pixels.naturalWidth !== width || pixels.naturalHeight !== height);
  const source = isScaled ? drawToContext(pixels, width, height).canvas : pixels;
  if (wasm._tn_start_picture(width, height) === -1) raise();
  try {
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, source);
  } catch (error) {
    wasm._tn_end_picture(0);
    throw error;
  }
  if (__DEBUG__) setCurrentOp('fromPixels');
  return wasm._tn_end_picture(channels) === -1 ? raise() : takeResult<Tensor3D>();
}

function drawToContext(pixels: Drawable, width: number, height: number): Context2d {
  const context = context2d(makeCanvas(width, height), { willReadFrequently: true });
  context.drawImage(pixels, 0, 0, width, height);
  return context;
}

type Context2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function context2d(canvas: Canvas, options?: CanvasRenderingContext2DSettings): Context2d {
  // Not called on the union: how tsc resolves its getContext() depends on the order in which it reads files.
  const context: Context2d | null = (canvas as HTMLCanvasElement).getContext('2d', options);
  if (!context) throw new Error('[browser] the canvas has no 2d context: does it have another one?');
  return context;
}

function makeCanvas(width: number, height: number): Canvas {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  if (typeof document === 'undefined')
    throw new Error('[browser] there is no canvas here: is this a page or a worker?');
  return Object.assign(document.createElement('canvas'), { width, height });
}

function checkImage(img: Input, where: string): [height: number, width: number, depth: number] {
  if (img.rank !== 2 && img.rank !== 3) {
    throw new Error(`${where} only supports rank 2 or 3 tensors, got rank ${img.rank}.`);
  }
  const [height, width, depth = 1] = img.shape as number[];
  if (depth > 4 || depth === 2) {
    throw new Error(`${where} only supports depth of size 1, 3 or 4 but got ${depth}`);
  }
  if (img.dtype !== 'float32' && img.dtype !== 'int32') {
    throw new Error(`Unsupported type for ${where}: ${img.dtype}. Please use float32 or int32 tensors.`);
  }
  return [height!, width!, depth];
}

function toBytes(
  values: ArrayLike<number>,
  dtype: string,
  pixels: number,
  depth: number,
): Uint8ClampedArray<ArrayBuffer> {
  const maxValue = dtype === 'float32' ? 1 : 255;
  const bytes = new Uint8ClampedArray(pixels * 4).fill(255);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!(value >= 0 && value <= maxValue)) {
      throw new Error(
        `Tensor values for a ${dtype} Tensor must be in the range [0 - ${maxValue}] but encountered ${value}.`,
      );
    }
  }
  const scale = 255 / maxValue;
  for (let i = 0; i < pixels; i++) {
    for (let channel = 0; channel < Math.max(depth, 3); channel++) {
      bytes[i * 4 + channel] = values[i * depth + (depth === 1 ? 0 : channel)]! * scale;
    }
  }
  return bytes;
}
