import type { Shape } from '../runtime/types.js';

/** A list as it is, anything else as a list of one. */
export function toList<T>(x: T | T[]): T[] {
  return Array.isArray(x) ? x : [x];
}

/** A list of one as its element. */
export function singletonOrArray<T>(list: T[]): T | T[] {
  return list.length === 1 ? list[0]! : list;
}

/** A shape, or a list of shapes, as a list. */
export function shapeList(shapes: Shape | Shape[]): Shape[] {
  return Array.isArray(shapes[0]) ? (shapes as Shape[]) : [shapes as Shape];
}
