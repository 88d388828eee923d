import { wasm } from '../runtime/runtime.js';
import { isCanvasContext, type GpuBuffer, type GpuCanvasContext, type GpuDevice } from './webgpu_types.js';

// As SyncRead in webgpu/device/platform.h.
const kDone = 0;
const kUnavailable = 1;
const kAltered = 2;
const kFailed = 3;

/** Pixels of a row. WebGPU copies rows of multiples of 256 bytes. */
const kWidth = 256;
const kRowBytes = 4 * kWidth;
/** Rows of values in the larger canvases. The smaller ones have one, which is enough for most reads. */
const kRows = 256;
const kCopyTarget = 2;

/**
 * Returns a function that reads a buffer of a device without waiting for a promise: copies its first `bytes` bytes, a multiple
 * of 4, to the engine's memory, and returns a SyncRead. The bytes become the pixels of two canvases, which a 2d context reads:
 * one without alpha, which keeps colours as they are, and one whose alpha is kept as it is. Each canvas has a row of known bytes
 * more, the sentinel, since browsers that protect their users against fingerprinting alter what is read. Some alter only a few
 * pixels, which the sentinel may miss in a larger canvas but not in a smaller one, through which the first bytes are read.
 */
export function createCanvasReader(device: GpuDevice): (buffer: GpuBuffer, to: number, bytes: number) => number {
  const sentinel = Uint8Array.from({ length: kRowBytes }, (_, i) => (i * 167) ^ (i >> 8)).map((byte) => byte || 1);
  const contexts: GpuCanvasContext[] = [];

  /** Returns the context of a canvas with the sentinel's row below its other rows. */
  const getContext = (isLarge: boolean, hasAlpha: boolean) => {
    const index = 2 * Number(isLarge) + Number(hasAlpha);
    if (contexts[index]) return contexts[index];
    const context = asCanvasContext(new OffscreenCanvas(kWidth, (isLarge ? kRows : 1) + 1));
    context?.configure({
      device,
      format: 'rgba8unorm',
      usage: kCopyTarget,
      alphaMode: hasAlpha ? 'premultiplied' : 'opaque',
    });
    if (context) contexts[index] = context;
    return context;
  };

  const copy = (buffer: GpuBuffer, offset: number, bytes: number, texture: object, rows: number) => {
    device.queue.writeTexture({ texture, origin: [0, rows] }, sentinel, {}, [kWidth, 1]);
    const encoder = device.createCommandEncoder();
    const whole = Math.floor(bytes / kRowBytes);
    const copyRows = (y: number, width: number, height: number) => {
      const source = { buffer, offset: offset + y * kRowBytes, bytesPerRow: kRowBytes };
      if (width && height) encoder.copyBufferToTexture(source, { texture, origin: [0, y] }, [width, height]);
    };
    copyRows(0, kWidth, whole);
    copyRows(whole, (bytes % kRowBytes) / 4, 1);
    device.queue.submit([encoder.finish()]);
  };

  /** Reads the bytes from `offset` on that fit into a canvas: the colours, or the alpha of each word. */
  const readPart = (buffer: GpuBuffer, offset: number, bytes: number, to: number, hasAlpha: boolean) => {
    const context = getContext(bytes > kRowBytes, hasAlpha);
    if (!context) return kUnavailable;
    const rows = Math.ceil(bytes / kRowBytes);
    copy(buffer, offset, bytes, context.getCurrentTexture(), rows);
    const target = new OffscreenCanvas(kWidth, rows + 1).getContext('2d');
    if (!target) return kUnavailable;
    target.drawImage(context.canvas, 0, 0);
    const { data } = target.getImageData(0, 0, kWidth, rows + 1);
    const found = data.subarray(rows * kRowBytes);
    const isRead = (_: unknown, i: number) => (i % 4 === 3) === hasAlpha;
    if (!sentinel.every((byte, i) => !isRead(byte, i) || byte === found[i]))
      // A lost device leaves a canvas empty.
      return found.some((byte, i) => isRead(byte, i) && byte !== 0) ? kAltered : kFailed;
    const heap = wasm.HEAPU8.subarray(to, to + bytes);
    for (const channel of hasAlpha ? [3] : [0, 1, 2]) {
      for (let i = channel; i < bytes; i += 4) heap[i] = data[i] ?? 0;
    }
    return kDone;
  };

  let rows = 1;
  return (buffer, to, bytes) => {
    if (typeof OffscreenCanvas === 'undefined') return kUnavailable;
    for (let done = 0; done < bytes; ) {
      const part = Math.min(bytes - done, rows * kRowBytes);
      for (const hasAlpha of [false, true]) {
        const result = readPart(buffer, done, part, to + done, hasAlpha);
        if (result !== kDone) return result;
      }
      done += part;
      rows = kRows;
    }
    return kDone;
  };
}

/** Returns the canvas' context for WebGPU. TypeScript knows no such kind of context. */
function asCanvasContext(canvas: { getContext(kind: string): unknown }): GpuCanvasContext | undefined {
  const context = canvas.getContext('webgpu');
  return isCanvasContext(context) ? context : undefined;
}
