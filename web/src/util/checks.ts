import { ShapeError } from '../runtime/errors.js';
import { assertIsArray } from './shape_arguments.js';

const kMaxElements = 2 ** 31 - 1;

/**
 * Throws `message()` unless `condition` holds.
 * @example
 * tf.util.assert(1 > 2, () => 'the message'); // throws Error: the message
 */
export function assert(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}

/**
 * Throws if `value` is null or undefined, with TensorFlow.js's message for functions that create tensors.
 * @example
 * tf.util.assertNonNull(null); // throws Error: The input to the tensor constructor must be a non-null value.
 */
export function assertNonNull(value: unknown): void {
  assert(value !== null && value !== undefined, () => 'The input to the tensor constructor must be a non-null value.');
}

/**
 * Throws unless both shapes are the same; `prefix` begins the message.
 * @param a Shape.
 * @param b Other shape.
 * @param prefix Start of the message: empty by default.
 * @example
 * tf.util.assertShapesMatch([1, 2], [2, 1], 'add: '); // throws Error: add:  Shapes 1,2 and 2,1 must match
 */
export function assertShapesMatch(a: readonly number[], b: readonly number[], prefix = ''): void {
  assert(arraysEqual(a, b), () => `${prefix} Shapes ${a} and ${b} must match`);
}

/**
 * Throws unless `shape` is an array of non-negative integers. Throws ShapeError for an extent above 2^31 - 1.
 * @example
 * tf.util.assertNonNegativeIntegerDimensions([2, -1]); // throws Error: Tensor must have a shape comprised of positive integers but got shape [2,-1].
 */
export function assertNonNegativeIntegerDimensions(shape: readonly number[]): void {
  assertIsArray(shape, 'shape');
  for (const extent of shape) {
    assert(
      Number.isInteger(extent) && extent >= 0,
      () => `Tensor must have a shape comprised of positive integers but got shape [${shape}].`,
    );
    if (extent > kMaxElements) throw new ShapeError(`a shape holds at most 2^31 - 1 elements, got [${shape}]`);
  }
}

/**
 * True if both lists hold the same elements; null equals only null.
 * @example
 * tf.util.arraysEqual([1, 2], [1, 2]); // true
 */
export function arraysEqual(a: ArrayLike<unknown> | null, b: ArrayLike<unknown> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

/**
 * True if both lists hold the same elements, where a null element matches any number.
 * @example
 * tf.util.arraysEqualWithNull([null, 2], [5, 2]); // true
 */
export function arraysEqualWithNull(a: ArrayLike<number | null> | null, b: ArrayLike<number | null> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  return Array.from(a).every((value, i) => value === null || b[i] === null || value === b[i]);
}

/**
 * True if a number has no fraction.
 * @example
 * tf.util.isInt(2.5); // false
 */
export function isInt(a: number): boolean {
  return a % 1 === 0;
}
/**
 * True if `value` is a string or a String object.
 * @example
 * tf.util.isString('a'); // true
 */
export function isString(value: unknown): value is string {
  return typeof value === 'string' || value instanceof String;
}
/**
 * True if `value` is a boolean.
 * @example
 * tf.util.isBoolean(0); // false
 */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
/**
 * True if `value` is of type number, as NaN is.
 * @example
 * tf.util.isNumber(NaN); // true
 */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
/**
 * True if `value` can be called.
 * @example
 * tf.util.isFunction(() => {}); // true
 */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
/**
 * True if `value` has a `then` method.
 * @example
 * tf.util.isPromise(Promise.resolve()); // true
 */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null)?.then === 'function';
}
