import { assert } from '../util/checks.js';
import { integers, isList } from '../util/integers.js';

/** Returns the axes of a reduction as an array; an empty one stands for all. Throws unless they are integers. */
export function toAxes(axis: number | readonly number[] | null | undefined): readonly number[] {
  if (axis === null || axis === undefined) return [];
  const axes = typeof axis === 'number' ? [axis] : axis;
  assert(
    isList(axes) && axes.every(Number.isInteger),
    () => `All values in axis param must be integers but got axis ${String(axis)}`,
  );
  return integers(axes, 'axis');
}
