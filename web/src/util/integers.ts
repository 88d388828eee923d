import { assert } from './checks.js';

/** An argument that becomes a word of the engine; throws for a number that would silently become another. */
export function integer(value: number, argument: string): number {
  assert((value | 0) === value, () => `Argument '${argument}' must be an integer of 32 bits, but got ${typeof value === 'string' ? `'${String(value)}'` : value}`);
  return value;
}

/** A number cut off towards 0, and at the ends of what 32 bits hold. */
export function truncated(value: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(value)));
}

/** Whether an argument is an array; unlike Array.isArray it does not change what its type is taken for. */
export function isList(value: readonly number[]): boolean {
  return Array.isArray(value);
}

/** integer() for each of a list. */
export function integers(values: readonly number[], argument: string): readonly number[] {
  assert(isList(values), () => `Argument '${argument}' must be a list of integers, but got ${String(values)}`);
  for (const value of values) integer(value, argument);
  return values;
}
