// tf.test_util: assertions for tests, which throw if values differ.
import { platform } from '../runtime/platform.js';
import { arraysEqual, isString } from './checks.js';
import { flatten, inferShape, isTypedArray } from './values.js';

type Values = ArrayLike<unknown> | number | string | boolean;
declare const expect: undefined | (() => { nothing(): void });

/** Tolerance for values that were stored as float16. */
export const TEST_EPSILON_FLOAT16 = 0.1;

/**
 * Returns the default tolerance for float32 values.
 * @example
 * tf.test_util.testEpsilon(); // 0.001
 */
export function testEpsilon(): number {
  return 1e-3;
}

/**
 * Throws unless both have the same shape, and numbers that differ by at most `epsilon`, by default testEpsilon().
 * @param actual Values to check: arrays, nested arrays or one value.
 * @param expected Expected values.
 * @param epsilon Tolerance: testEpsilon() by default.
 * @example
 * tf.test_util.expectArraysClose([1, 2], [1, 3]); // throws Error: Arrays differ: actual[1] = 2, expected[1] = 3.
 * Actual:   1,2.
 * Expected: 1,3.
 */
export function expectArraysClose(actual: Values, expected: Values, epsilon: number | null = null): void {
  compare(actual, expected, (a, b) => areClose(a as number, b as number, epsilon ?? testEpsilon()));
}

/**
 * Throws unless both have the same shape and values.
 * @example
 * tf.test_util.expectArraysEqual([1, 2], [1, 3]); // throws Error: Arrays differ: actual[1] = 2, expected[1] = 3.
 * Actual:   1,2.
 * Expected: 1,3.
 */
export function expectArraysEqual(actual: Values, expected: Values): void {
  const list = typeof expected === 'object' ? expected : [expected];
  const first = (values: Values) => (typeof values === 'object' ? values[0] : values);
  const isText = isString(first(actual)) || isString(first(list));
  if (isText) compare(actual, list, (a, b) => String(a) === String(b));
  else compare(actual, expected, (a, b) => areClose(a as number, b as number, 0));
}

/**
 * Throws unless the numbers differ by at most `epsilon`, by default testEpsilon().
 * @param a Number to check.
 * @param e Expected number.
 * @param epsilon Tolerance: testEpsilon() by default.
 * @example
 * tf.test_util.expectNumbersClose(1, 2); // throws Error: Numbers differ: actual === 1, expected === 2
 */
export function expectNumbersClose(a: number, e: number, epsilon: number | null = null): void {
  if (!areClose(a, e, epsilon ?? testEpsilon())) throw new Error(`Numbers differ: actual === ${a}, expected === ${e}`);
  reportPassed();
}

/**
 * Throws unless all values are in [low, high].
 * @param actual Values to check.
 * @param low Lower limit, inclusive.
 * @param high Upper limit, inclusive.
 * @example
 * tf.test_util.expectValuesInRange([1, 5], 0, 2); // throws Error: Value out of range:5 low: 0, high: 2
 */
export function expectValuesInRange(actual: ArrayLike<number>, low: number, high: number): void {
  for (const value of Array.from(actual)) {
    if (value < low || value > high) throw new Error(`Value out of range:${value} low: ${low}, high: ${high}`);
  }
}

/**
 * Throws unless both hold the same bytes.
 * @example
 * tf.test_util.expectArrayBuffersEqual(new Float32Array([1]).buffer, new Float32Array([2]).buffer); // throws Error: Expected ArrayBuffer value at 2 to be 0 but got 128 instead
 */
export function expectArrayBuffersEqual(actual: ArrayBuffer, expected: ArrayBuffer): void {
  const [a, b] = [new Uint8Array(actual), new Uint8Array(expected)];
  if (a.length !== b.length)
    throw new Error(`Expected ArrayBuffer to be of length ${b.length}, but it was ${a.length}`);
  const at = a.findIndex((byte, i) => byte !== b[i]);
  if (at !== -1) throw new Error(`Expected ArrayBuffer value at ${at} to be ${b[at]} but got ${a[at]} instead`);
}

/**
 * Calls done.fail() if the promise that `fn` returns resolves, else done().
 * @example
 * let failed;
 * const done = Object.assign(() => (failed = false), { fail: () => (failed = true) });
 * tf.test_util.expectPromiseToFail(() => Promise.reject(new Error('no')), done);
 * await tf.nextFrame();
 * failed; // false
 */
export function expectPromiseToFail(fn: () => Promise<unknown>, done: { (): void; fail(): void }): void {
  fn().then(
    () => done.fail(),
    () => done(),
  );
  reportPassed();
}

/**
 * Encodes the strings in nested arrays as UTF-8, in place.
 * @example
 * tf.test_util.encodeStrings(['hi']); // [[104, 105]]
 */
export function encodeStrings(a: unknown[]): unknown[] {
  a.forEach((value, i) => (a[i] = Array.isArray(value) ? encodeStrings(value) : platform().encode(String(value))));
  return a;
}

function compare(actual: Values, expected: Values, isSame: (a: unknown, b: unknown) => boolean): void {
  const typed = [actual, expected].filter(isTypedArray).length;
  const kind = (values: Values) => values.constructor.name;
  if (typed !== 1 && kind(actual) !== kind(expected)) {
    throw new Error(`Arrays are of different type. Actual: ${kind(actual)}. Expected: ${kind(expected)}`);
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const [a, b] = [inferShape(actual), inferShape(expected)];
    if (!arraysEqual(a, b)) throw new Error(`Arrays have different shapes. Actual: [${a}]. Expected: [${b}]`);
  }
  const [a, b] = [actual, expected].map((values) => flatten<unknown>(values)) as [unknown[], unknown[]];
  const shown = `Actual:   ${String(a)}.\nExpected: ${String(b)}.`;
  if (a.length !== b.length) {
    throw new Error(`Arrays have different lengths actual: ${a.length} vs expected: ${b.length}.\n${shown}`);
  }
  const at = a.findIndex((value, i) => !isSame(value, b[i]));
  if (at !== -1) {
    throw new Error(`Arrays differ: actual[${at}] = ${String(a[at])}, expected[${at}] = ${String(b[at])}.\n${shown}`);
  }
  reportPassed();
}

/**
 * True if two numbers differ by at most `epsilon`. As in TensorFlow.js, any two of Infinity, -Infinity and NaN are
 * equal.
 */
function areClose(a: number, e: number, epsilon: number): boolean {
  return Number.isFinite(a) || Number.isFinite(e) ? Math.abs(a - e) <= epsilon : true;
}

/** Reports a met expectation to Jasmine, which warns of specs without any. */
function reportPassed(): void {
  if (typeof expect !== 'undefined') expect?.().nothing?.();
}
