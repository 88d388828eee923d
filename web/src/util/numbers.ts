import { platform } from '../runtime/platform.js';
import { assert } from './checks.js';

/**
 * Returns `x`, clamped to [min, max].
 * @param min Lower limit.
 * @param x Number.
 * @param max Upper limit.
 * @example
 * tf.util.clamp(0, 5, 3); // 3
 */
export function clamp(min: number, x: number, max: number): number {
  return Math.max(min, Math.min(x, max));
}
/**
 * Returns `value` if it is even, else `value` + 1.
 * @example
 * tf.util.nearestLargerEven(3); // 4
 */
export function nearestLargerEven(value: number): number {
  return value % 2 === 0 ? value : value + 1;
}
/**
 * Returns the smallest divisor of `size` that is not below `start`; `size` itself if there is none below it.
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
 * Returns the sum of numbers.
 * @example
 * tf.util.sum([1, 2, 3]); // 6
 */
export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
/**
 * Returns the squared Euclidean distance of two points. Throws if their numbers of coordinates differ.
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
 * Returns the [width, height] of a nearly square rectangle of at least `size` cells.
 * @example
 * tf.util.sizeToSquarishShape(10); // [4, 3]
 */
export function sizeToSquarishShape(size: number): [number, number] {
  const width = Math.ceil(Math.sqrt(size));
  return [width, Math.ceil(size / width)];
}
/**
 * Returns `text`, padded at its end with spaces to a length of `size`.
 * @example
 * tf.util.rightPad('ab', 4); // 'ab  '
 */
export function rightPad(text: string, size: number): string {
  return text.padEnd(size);
}
/**
 * Returns the time of a monotonic clock in milliseconds.
 * @example
 * const start = tf.util.now();
 * tf.util.now() >= start; // true
 */
export function now(): number {
  return platform().now();
}
/**
 * Encodes a string as bytes, by default in UTF-8.
 * @example
 * tf.util.encodeString('hi'); // [104, 105]
 */
export function encodeString(text: string, encoding = 'utf-8'): Uint8Array {
  return platform().encode(text, encoding);
}
/**
 * Decodes bytes to a string, by default from UTF-8.
 * @example
 * tf.util.decodeString(new Uint8Array([104, 105])); // 'hi'
 */
export function decodeString(bytes: Uint8Array, encoding = 'utf-8'): string {
  return platform().decode(bytes, encoding);
}
/**
 * Calls the platform's fetch().
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
 * Returns the hyperbolic tangent of `x`.
 * @example
 * tf.util.tanh(0.5); // 0.4621
 */
export function tanh(x: number): number {
  return Math.tanh(x);
}
/**
 * Returns the total number of bytes of encoded strings.
 * @example
 * tf.util.bytesFromStringArray([tf.util.encodeString('hi'), tf.util.encodeString('you')]); // 5
 */
export function bytesFromStringArray(arr: Uint8Array[] | null): number {
  return (arr ?? []).reduce((total, bytes) => total + bytes.length, 0);
}
/**
 * Calls a function repeatedly, with delays, and resolves when it returns true. Rejects after `maxCounter` calls.
 * @param checkFn The function to call.
 * @param delayFn Returns the delay after the given number of calls, in milliseconds; 0 by default.
 * @param maxCounter Maximum number of calls; unlimited by default.
 * @param scheduleFn Calls a function after a delay in milliseconds; setTimeout() by default.
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
        // TensorFlow.js rejects without a reason.
        reject(new Error(`The condition did not hold in ${count} tries`));
      } else {
        scheduleFn(again, delay);
      }
    };
    again();
  });
}
