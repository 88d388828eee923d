import { wasm } from '../runtime/runtime.js';
import type { GpuBuffer, GpuCanvasContext, GpuDevice } from './webgpu_types.js';

// As SyncRead in webgpu/device/platform.h.
const kDone = 0;
const kUnavailable = 1;
const kAltered = 2;

const kCopyTarget = 2;
/** Pixels of a row. WebGPU copies rows of multiples of 256 bytes. */
const kWidth = 256;
const kRowBytes = 4 * kWidth;
/** Rows of values in a canvas, below which there is one row of the sentinel. Few are enough for most reads. */
const kHeights = [1, 256] as const;

interface Pair {
  /** Two canvases: the colours of the opaque one are the first three bytes of each word, the alpha of the other the last. */
  canvases: OffscreenCanvas[];
  contexts: GpuCanvasContext[];
}

/**
 * Reads buffers of a device without waiting for a promise. The bytes are copied to the pixels of two canvases, and read by a 2d
 * context: of a canvas without alpha, which keeps colours as they are, and of one whose alpha is kept as it is. Each canvas has
 * a row of known bytes more, since browsers that protect their users against fingerprinting alter what is read.
 */
export class CanvasReader {
  private readonly pairs = new Map<number, Pair>();
  private readonly sentinel = Uint8Array.from({ length: kRowBytes }, (_, i) => (i * 167 + (i >> 8) * 31) & 255);
  private sentinelBuffer: GpuBuffer | undefined;

  constructor(private readonly device: GpuDevice) {}

  /** Copies the first `bytes` bytes of a buffer, a multiple of 4, to the engine's memory. Returns a SyncRead. */
  read(buffer: GpuBuffer, to: number, bytes: number): number {
    if (typeof OffscreenCanvas === 'undefined') return kUnavailable;
    for (let done = 0; done < bytes; ) {
      const rest = bytes - done;
      const height = rest <= kHeights[0] * kRowBytes ? kHeights[0] : kHeights[1];
      const length = Math.min(rest, height * kRowBytes);
      const result = this.readPart(buffer, done, length, height, to + done);
      if (result !== kDone) return result;
      done += length;
    }
    return kDone;
  }

  private readPart(buffer: GpuBuffer, offset: number, bytes: number, height: number, to: number): number {
    const pair = this.pairFor(height);
    if (!pair) return kUnavailable;
    const rows = Math.ceil(bytes / kRowBytes);
    for (const [index, context] of pair.contexts.entries()) {
      this.copy(buffer, offset, bytes, context.getCurrentTexture(), rows);
      const target = new OffscreenCanvas(kWidth, rows + 1).getContext('2d', { willReadFrequently: true });
      if (!target) return kUnavailable;
      target.drawImage(pair.canvases[index]!, 0, 0);
      const { data } = target.getImageData(0, 0, kWidth, rows + 1);
      const channels = index === 0 ? [0, 1, 2] : [3];
      if (!this.hasSentinel(data, rows * kRowBytes, channels)) return kAltered;
      const heap = wasm.HEAPU8;
      for (const channel of channels) {
        for (let i = channel; i < bytes; i += 4) heap[to + i] = data[i]!;
      }
    }
    return kDone;
  }

  /** Copies bytes of a buffer to the first rows of a texture, and the sentinel to the row below them. */
  private copy(buffer: GpuBuffer, offset: number, bytes: number, texture: object, rows: number): void {
    const encoder = this.device.createCommandEncoder();
    const copy = (from: GpuBuffer, at: number, y: number, width: number, height: number) => {
      if (height === 0 || width === 0) return;
      const source = { buffer: from, offset: at, bytesPerRow: kRowBytes };
      encoder.copyBufferToTexture(source, { texture, origin: [0, y] }, [width, height]);
    };
    const whole = Math.floor(bytes / kRowBytes);
    copy(buffer, offset, 0, kWidth, whole);
    copy(buffer, offset + whole * kRowBytes, whole, (bytes % kRowBytes) / 4, 1);
    copy(this.getSentinelBuffer(), 0, rows, kWidth, 1);
    this.device.queue.submit([encoder.finish()]);
  }

  private getSentinelBuffer(): GpuBuffer {
    if (!this.sentinelBuffer) {
      this.sentinelBuffer = this.device.createBuffer({ size: kRowBytes, usage: 4 | 8 });
      this.device.queue.writeBuffer(this.sentinelBuffer, 0, this.sentinel);
    }
    return this.sentinelBuffer;
  }

  private hasSentinel(data: Uint8ClampedArray, at: number, channels: readonly number[]): boolean {
    return channels.every((channel) => {
      for (let i = channel; i < kRowBytes; i += 4) if (data[at + i] !== this.sentinel[i]) return false;
      return true;
    });
  }

  private pairFor(height: number): Pair | undefined {
    const known = this.pairs.get(height);
    if (known) return known;
    const pair: Pair = { canvases: [], contexts: [] };
    for (const alphaMode of ['opaque', 'premultiplied']) {
      const canvas = new OffscreenCanvas(kWidth, height + 1);
      const context = getWebgpuContext(canvas);
      if (!context) return undefined;
      context.configure({ device: this.device, format: 'rgba8unorm', usage: kCopyTarget, alphaMode });
      pair.canvases.push(canvas);
      pair.contexts.push(context);
    }
    this.pairs.set(height, pair);
    return pair;
  }
}

function getWebgpuContext(canvas: { getContext(kind: 'webgpu' | '2d'): unknown }): GpuCanvasContext | undefined {
  const context = canvas.getContext('webgpu');
  return isCanvasContext(context) ? context : undefined;
}

function isCanvasContext(context: unknown): context is GpuCanvasContext {
  return typeof context === 'object' && context !== null && 'getCurrentTexture' in context;
}
