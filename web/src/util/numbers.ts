import { platform } from '../runtime/platform.js';
import { assert } from './checks.js';

/**
 * x, but at least `min` and at most `max`.
 * @example
 * tf.util.clamp(0, 5, 3); // 3
 */
export function clamp(min: number, x: number, max: number): number {
  return Math.max(min, Math.min(x, max));
}
/**
 * A number, or the next one where it is odd.
 * @example
 * tf.util.nearestLargerEven(3); // 4
 */
export function nearestLargerEven(value: number): number {
  return value % 2 === 0 ? value : value + 1;
}
/**
 * The divisor of `size` that is nearest to `start` from above; `size` itself when there is none below it.
 * @example
 * tf.util.nearestDivisor(12, 5); // 6
 */
export function nearestDivisor(size: number, start: number): number {
  for (let i = start; i < size; i++) {
    if (size % i === 0) return i;
  }
  return size;
}
/**
 * The sum of numbers.
 * @example
 * tf.util.sum([1, 2, 3]); // 6
 */
export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
/**
 * The square of the distance between two points.
 * @example
 * tf.util.distSquared([0, 0], [3, 4]); // 25
 */
export function distSquared(a: ArrayLike<number>, b: ArrayLike<number>): number {
  assert(a.length === b.length, () => `Points must have one number of coordinates, got ${a.length} and ${b.length}`);
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i]! - b[i]!) ** 2;
  return total;
}
/**
 * A rectangle with at least so many places that is nearly a square.
 * @example
 * tf.util.sizeToSquarishShape(10); // [4, 3]
 */
export function sizeToSquarishShape(size: number): [number, number] {
  const width = Math.ceil(Math.sqrt(size));
  return [width, Math.ceil(size / width)];
}
/**
 * A text with spaces behind it, up to a length.
 * @example
 * tf.util.rightPad('ab', 4); // 'ab  '
 */
export function rightPad(text: string, size: number): string {
  return text.padEnd(size);
}
/**
 * Milliseconds of a clock that only goes forward.
 * @example
 * const start = tf.util.now();
 * tf.util.now() >= start; // true
 */
export function now(): number {
  return platform().now();
}
/**
 * Bytes of a string, in UTF-8.
 * @example
 * tf.util.encodeString('hi'); // [104, 105]
 */
export function encodeString(text: string, encoding = 'utf-8'): Uint8Array {
  return platform().encode(text, encoding);
}
/**
 * The string that bytes encode.
 * @example
 * tf.util.decodeString(new Uint8Array([104, 105])); // 'hi'
 */
export function decodeString(bytes: Uint8Array, encoding = 'utf-8'): string {
  return platform().decode(bytes, encoding);
}
/**
 * The platform's fetch.
 * @example
 * const url = URL.createObjectURL(new Blob(['hello']));
 * const response = await tf.util.fetch(url);
 * await response.text(); // 'hello'
 * URL.revokeObjectURL(url);
 */
export function fetch(path: string, init?: RequestInit): Promise<Response> {
  return platform().fetch(path, init);
}
/**
 * The hyperbolic tangent.
 * @example
 * tf.util.tanh(0.5); // 0.4621
 */
export function tanh(x: number): number {
  return Math.tanh(x);
}
/**
 * Bytes of strings that are encoded.
 * @example
 * tf.util.bytesFromStringArray([tf.util.encodeString('hi'), tf.util.encodeString('you')]); // 5
 */
export function bytesFromStringArray(arr: Uint8Array[] | null): number {
  return (arr ?? []).reduce((total, bytes) => total + bytes.length, 0);
}
/**
 * Resolves when `checkFn` holds, which is asked again after each delay; rejects after `maxCounter` times.
 * @example
 * let count = 0;
 * await tf.util.repeatedTry(() => ++count === 3, () => 0);
 * count; // 3
 */
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
