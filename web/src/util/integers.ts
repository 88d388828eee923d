import { assert } from './checks.js';

/**
 * Returns an argument that is passed to the engine as an int32 word. Throws for a number that the conversion would
 * change.
 */
export function integer(value: number, argument: string): number {
  assert(
    (value | 0) === value,
    () =>
      `Argument '${argument}' must be an integer of 32 bits, but got ${typeof value === 'string' ? `'${String(value)}'` : value}`,
  );
  return value;
}

/** Truncates a number towards 0 and clamps it to the range of int32. */
export function truncateToInt32(value: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(value)));
}

/** True if `value` is an array. Unlike Array.isArray(), it does not narrow the type of its argument. */
export function isList(value: readonly number[]): boolean {
  return Array.isArray(value);
}

/**
 * Returns a list of arguments that are passed to the engine as int32 words. Throws for a number that the conversion
 * would change, and for a value that is not an array.
 */
export function integers(values: readonly number[], argument: string): readonly number[] {
  assert(isList(values), () => `Argument '${argument}' must be a list of integers, but got ${String(values)}`);
  for (const value of values) integer(value, argument);
  return values;
}
