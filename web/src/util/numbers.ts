import { platform } from '../runtime/platform.js';
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
  return platform().now();
}
/** Bytes of a string, in UTF-8. */
export function encodeString(text: string, encoding = 'utf-8'): Uint8Array {
  return platform().encode(text, encoding);
}
/** The string that bytes encode. */
export function decodeString(bytes: Uint8Array, encoding = 'utf-8'): string {
  return platform().decode(bytes, encoding);
}
/** The platform's fetch. */
export function fetch(path: string, init?: RequestInit): Promise<Response> {
  return platform().fetch(path, init);
}
/** The hyperbolic tangent. */
export function tanh(x: number): number {
  return Math.tanh(x);
}
/** Bytes of strings that are encoded. */
export function bytesFromStringArray(arr: Uint8Array[] | null): number {
  return (arr ?? []).reduce((total, bytes) => total + bytes.length, 0);
}
/** Resolves when `checkFn` holds, which is asked again after each delay; rejects after `maxCounter` times. */
export function repeatedTry(
  checkFn: () => boolean,
  delayFn: (counter: number) => number = () => 0,
  maxCounter?: number | null,
  scheduleFn: (again: () => void, delay: number) => void = (again, delay) => void setTimeout(again, delay),
): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const again = (): void => {
      if (checkFn()) return resolve();
      count++;
      const delay = delayFn(count);
      if (typeof maxCounter === 'number' && count >= maxCounter) {
        // TensorFlow.js gives no reason.
        reject(new Error(`The condition did not hold in ${count} tries`));
      } else {
        scheduleFn(again, delay);
      }
    };
    again();
  });
}
