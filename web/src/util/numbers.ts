import { assert } from './checks.js';

export function clamp(min: number, x: number, max: number): number {
  return Math.max(min, Math.min(x, max));
}
export function nearestLargerEven(value: number): number {
  return value % 2 === 0 ? value : value + 1;
}
/** The divisor of `size` that is nearest to `start` from above; `size` itself when there is none below it. */
export function nearestDivisor(size: number, start: number): number {
  for (let i = start; i < size; i++) {
    if (size % i === 0) return i;
  }
  return size;
}
export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
/** The square of the distance between two points. */
export function distSquared(a: ArrayLike<number>, b: ArrayLike<number>): number {
  assert(a.length === b.length, () => `Points must have one number of coordinates, got ${a.length} and ${b.length}`);
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i]! - b[i]!) ** 2;
  return total;
}
export function sizeToSquarishShape(size: number): [number, number] {
  const width = Math.ceil(Math.sqrt(size));
  return [width, Math.ceil(size / width)];
}
export function rightPad(text: string, size: number): string {
  return text.padEnd(size);
}
/** Milliseconds of a clock that only goes forward. */
export function now(): number {
  return performance.now();
}
/** Bytes of a string, in UTF-8. */
export function encodeString(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
/** The string that bytes encode. */
export function decodeString(bytes: Uint8Array, encoding = 'utf-8'): string {
  return new TextDecoder(encoding).decode(bytes);
}
/** The platform's fetch. */
export function fetch(path: string, init?: RequestInit): Promise<Response> {
  return globalThis.fetch(path, init);
}
