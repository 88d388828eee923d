import { LoadError } from './errors.js';

/** The bytes that a program brings. Nothing is compiled out of shared memory: of that it is a copy. */
export function bytesIn(source: unknown): Uint8Array<ArrayBuffer> {
  const isBuffer = tagOf(source) === 'ArrayBuffer' || tagOf(source) === 'SharedArrayBuffer';
  const view = isBuffer ? new Uint8Array(source as ArrayBuffer) : source;
  if (!ArrayBuffer.isView(view)) {
    const expected = 'an ArrayBuffer, a view of one, or a WebAssembly.Module';
    throw new LoadError(`tf.init() expected wasmBinary to be ${expected}, got ${kindOf(source)}`);
  }
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return tagOf(view.buffer) === 'SharedArrayBuffer' ? bytes.slice() : (bytes as Uint8Array<ArrayBuffer>);
}

/** The class of a built-in object, also of one of another realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** What a value is, in an error's words. */
export function kindOf(value: unknown): string {
  return typeof value === 'object' ? tagOf(value) : typeof value;
}
