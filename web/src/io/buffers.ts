import type { TypedArray } from '../runtime/types.js';

type Part = ArrayBuffer | TypedArray;

/**
 * A list of buffers that reads as a single one. Bytes are only copied by slice().
 * @example
 * const buffers = new tf.io.CompositeArrayBuffer([new Uint8Array([1, 2]).buffer, new Uint8Array([3, 4]).buffer]);
 * new Uint8Array(buffers.slice(1, 3)); // [2, 3]
 */
export class CompositeArrayBuffer {
  /** Number of bytes of all buffers. */
  readonly byteLength: number;
  private readonly shards: readonly { readonly start: number; readonly bytes: Uint8Array }[];

  constructor(buffers: Part | Part[] = []) {
    let start = 0;
    this.shards = (Array.isArray(buffers) ? buffers : [buffers]).map((part) => {
      const bytes = ArrayBuffer.isView(part)
        ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
        : new Uint8Array(part);
      const shard = { start, bytes };
      start += bytes.byteLength;
      return shard;
    });
    this.byteLength = start;
  }

  /** Returns the bytes of all buffers as one buffer. A single buffer is returned without a copy. */
  static join(buffers?: ArrayBuffer | ArrayBuffer[]): ArrayBuffer {
    const parts = Array.isArray(buffers) ? buffers : [buffers ?? new ArrayBuffer(0)];
    return parts.length === 1 ? parts[0]! : new CompositeArrayBuffer(parts).slice();
  }

  /** Returns a copy of the bytes from `start` up to `end`, both clamped to the available bytes. */
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
 * Returns the concatenation of buffers. A single buffer is returned without a copy.
 * @example
 * const joined = tf.io.concatenateArrayBuffers([new Uint8Array([1]).buffer, new Uint8Array([2]).buffer]);
 * new Uint8Array(joined); // [1, 2]
 */
export function concatenateArrayBuffers(buffers?: ArrayBuffer | ArrayBuffer[]): ArrayBuffer {
  return CompositeArrayBuffer.join(buffers);
}
