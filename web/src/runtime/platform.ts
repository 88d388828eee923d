import { Decoder, Encoder } from './text_coding.js';

/** The platform functions that tf.setPlatform() can replace. */
export interface Platform {
  /** Fetches a file, as the global fetch() does. */
  fetch(path: string, requestInits?: RequestInit): Promise<Response>;
  /** Returns a time in milliseconds, as performance.now() does. */
  now(): number;
  /** Returns the bytes of a string. The default platform supports 'utf-8' only. */
  encode(text: string, encoding?: string): Uint8Array;
  /** Returns the string that bytes encode. */
  decode(bytes: Uint8Array, encoding?: string): string;
  /** True if `a` is a typed array. */
  isTypedArray?(a: unknown): boolean;
  /** Calls a function after a delay in milliseconds. */
  setTimeoutCustom?(functionRef: () => void, delay: number): void;
}

let current: Platform = {
  fetch: (path, init) => globalThis.fetch(path, init),
  now: () => performance.now(),
  encode: (text, encoding = 'utf-8') => {
    if (!/^utf-?8$/.test(encoding)) throw new Error(`Expected the encoding utf-8, but got ${encoding}`);
    return new Encoder().encode(text);
  },
  decode: (bytes, encoding) => new Decoder(encoding).decode(bytes),
  isTypedArray: (a) => ArrayBuffer.isView(a) && !(a instanceof DataView),
};

/** Returns the current platform. */
export function platform(): Platform {
  return current;
}

/** Replaces the current platform. */
export function replacePlatform(other: Platform): void {
  current = other;
}
