/** What differs between the places that a program runs in. */
export interface Platform {
  fetch(path: string, requestInits?: RequestInit): Promise<Response>;
  now(): number;
  encode(text: string, encoding?: string): Uint8Array;
  decode(bytes: Uint8Array, encoding?: string): string;
  isTypedArray?(a: unknown): boolean;
  setTimeoutCustom?(functionRef: () => void, delay: number): void;
}

let current: Platform = {
  fetch: (path, init) => globalThis.fetch(path, init),
  now: () => performance.now(),
  encode: (text, encoding = 'utf-8') => {
    if (!/^utf-?8$/.test(encoding)) throw new Error(`Expected the encoding utf-8, which is the only one that strings are encoded in, but got ${encoding}`);
    return new TextEncoder().encode(text);
  },
  decode: (bytes, encoding) => new TextDecoder(encoding).decode(bytes),
  isTypedArray: (a) => ArrayBuffer.isView(a) && !(a instanceof DataView),
};

/** Where this program runs. */
export function platform(): Platform {
  return current;
}

/** Puts other functions in the place of the platform's. */
export function replacePlatform(other: Platform): void {
  current = other;
}
