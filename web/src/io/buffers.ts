import type { TypedArray } from '../runtime/types.js';

type Part = ArrayBuffer | TypedArray;

/**
 * Buffers that read as one, and are joined only where a slice crosses them.
 * @example
 * const buffers = new tf.io.CompositeArrayBuffer([new Uint8Array([1, 2]).buffer, new Uint8Array([3, 4]).buffer]);
 * new Uint8Array(buffers.slice(1, 3)); // [2, 3]
 */
export class CompositeArrayBuffer {
  /** Bytes of all buffers. */
  readonly byteLength: number;
  private readonly shards: readonly { readonly start: number; readonly bytes: Uint8Array }[];

  constructor(buffers: Part | Part[] = []) {
    let start = 0;
    this.shards = (Array.isArray(buffers) ? buffers : [buffers]).map((part) => {
      const bytes = ArrayBuffer.isView(part) ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength) : new Uint8Array(part);
      const shard = { start, bytes };
      start += bytes.byteLength;
      return shard;
    });
    this.byteLength = start;
  }

  /** All bytes of some buffers as one buffer; a single one is given back as it is. */
  static join(buffers?: ArrayBuffer | ArrayBuffer[]): ArrayBuffer {
    const parts = Array.isArray(buffers) ? buffers : [buffers ?? new ArrayBuffer(0)];
    return parts.length === 1 ? parts[0]! : new CompositeArrayBuffer(parts).slice();
  }

  /** A copy of the bytes from `start` up to `end`, both cut to what there is. */
  slice(start = 0, end = this.byteLength): ArrayBuffer {
    const from = Math.max(0, Number(start) || 0);
    const to = Math.min(this.byteLength, Number(end) || 0);
    const result = new Uint8Array(Math.max(0, to - from));
    for (const { start: at, bytes } of this.shards) {
      if (at >= to || at + bytes.byteLength <= from) continue;
      const part = bytes.subarray(Math.max(0, from - at), to - at);
      result.set(part, Math.max(0, at - from));
    }
    return result.buffer;
  }
}

/**
 * Buffers one behind the other.
 * @example
 * const joined = tf.io.concatenateArrayBuffers([new Uint8Array([1]).buffer, new Uint8Array([2]).buffer]);
 * new Uint8Array(joined); // [1, 2]
 */
export function concatenateArrayBuffers(buffers?: ArrayBuffer | ArrayBuffer[]): ArrayBuffer {
  return CompositeArrayBuffer.join(buffers);
}
