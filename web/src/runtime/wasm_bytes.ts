import { LoadError } from './errors.js';

/**
 * Returns the bytes of a program's wasmBinary. Copies bytes in shared memory, because engines refuse to compile them. Throws
 * LoadError if `source` is not bytes.
 */
export function toBytes(source: unknown): Uint8Array<ArrayBuffer> {
  const isBuffer = getClassName(source) === 'ArrayBuffer' || getClassName(source) === 'SharedArrayBuffer';
  const view = isBuffer ? new Uint8Array(source as ArrayBuffer) : source;
  if (!ArrayBuffer.isView(view)) {
    const expected = 'an ArrayBuffer, a view of one, or a WebAssembly.Module';
    throw new LoadError(`tf.init() expected wasmBinary to be ${expected}, got ${describeType(source)}`);
  }
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return getClassName(view.buffer) === 'SharedArrayBuffer' ? bytes.slice() : (bytes as Uint8Array<ArrayBuffer>);
}

/** Returns the class name of a built-in object, also of one of another realm. */
export function getClassName(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Returns the kind of a value for an error message: its type or, for an object, its class. */
export function describeType(value: unknown): string {
  return typeof value === 'object' ? getClassName(value) : typeof value;
}
