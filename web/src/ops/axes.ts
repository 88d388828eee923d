import { assert } from '../util/checks.js';
import { integers, isList } from '../util/integers.js';

/** The axes of a reduction: none named means all of them. */
export function axesOf(axis: number | readonly number[] | null | undefined): readonly number[] {
  if (axis === null || axis === undefined) return [];
  const axes = typeof axis === 'number' ? [axis] : axis;
  assert(isList(axes) && axes.every(Number.isInteger), () => `All values in axis param must be integers but got axis ${String(axis)}`);
  return integers(axes, 'axis');
}
