import { ShapeError } from '../runtime/errors.js';

const kMostElements = 2 ** 31 - 1;

/** Throws `message()` unless `condition` holds. */
export function assert(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}

/** Throws for null and undefined, in the words of the functions that make tensors. */
export function assertNonNull(value: unknown): void {
  assert(value !== null && value !== undefined, () => 'The input to the tensor constructor must be a non-null value.');
}

/** Throws unless both shapes are the same; `prefix` begins the message. */
export function assertShapesMatch(a: readonly number[], b: readonly number[], prefix = ''): void {
  assert(arraysEqual(a, b), () => `${prefix} Shapes ${a} and ${b} must match`);
}

/** Throws unless a shape's extents are integers from 0. */
export function assertNonNegativeIntegerDimensions(shape: readonly number[]): void {
  for (const extent of shape) {
    assert(
      Number.isInteger(extent) && extent >= 0,
      () => `Tensor must have a shape comprised of positive integers but got shape [${shape}].`,
    );
    if (extent > kMostElements) throw new ShapeError(`a shape holds at most 2^31 - 1 elements, got [${shape}]`);
  }
}

/** Whether two lists hold the same elements; null equals null alone. */
export function arraysEqual(a: ArrayLike<unknown> | null, b: ArrayLike<unknown> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

/** arraysEqual(), where null fits any number. */
export function arraysEqualWithNull(a: ArrayLike<number | null> | null, b: ArrayLike<number | null> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  return Array.from(a).every((value, i) => value === null || b[i] === null || value === b[i]);
}

export function isInt(a: number): boolean {
  return a % 1 === 0;
}
export function isString(value: unknown): value is string {
  return typeof value === 'string' || value instanceof String;
}
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
/** Whether it has a `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null)?.then === 'function';
}
