import { assert } from '../util/checks.js';

/** An argument that becomes a word of the engine; throws for a number that would silently become another. */
export function integer(value: number, argument: string): number {
  assert((value | 0) === value, () => `Argument '${argument}' must be an integer of 32 bits, but got ${value}`);
  return value;
}

function isList(value: readonly number[]): boolean {
  return Array.isArray(value);
}

export function integers(values: readonly number[], argument: string): readonly number[] {
  assert(isList(values), () => `Argument '${argument}' must be a list of integers, but got ${String(values)}`);
  for (const value of values) integer(value, argument);
  return values;
}

/** The axes of a reduction: none named means all of them. */
export function axesOf(axis: number | readonly number[] | null | undefined): readonly number[] {
  if (axis === null || axis === undefined) return [];
  const axes = typeof axis === 'number' ? [axis] : axis;
  assert(isList(axes) && axes.every(Number.isInteger), () => `All values in axis param must be integers but got axis ${String(axis)}`);
  return integers(axes, 'axis');
}
