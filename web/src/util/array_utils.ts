import type { Shape } from '../runtime/types.js';

/** Returns an array unchanged, and any other value as an array of one. */
export function toList<T>(x: T | T[]): T[] {
  return Array.isArray(x) ? x : [x];
}

/** Returns the element of an array of one, and any other array unchanged. */
export function singletonOrArray<T>(list: T[]): T | T[] {
  return list.length === 1 ? list[0]! : list;
}

/** Returns one shape, or an array of shapes, as an array of shapes. */
export function toShapeList(shapes: Shape | Shape[]): Shape[] {
  return Array.isArray(shapes[0]) ? (shapes as Shape[]) : [shapes as Shape];
}
