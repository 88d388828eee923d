import { expandDims } from './view.js';
import { composed } from '../owner/scope.js';
import type { Input } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

/** Whether axes are an empty list: no axis at all, but to the engine all of them. */
export function isNoAxis(axis: unknown): boolean {
  return Array.isArray(axis) && axis.length === 0;
}

/** A reduction over no axis: what `body` makes over a last one, of a single element. */
export function overNone<Result>(x: Input, body: (wide: Tensor) => Result): Result {
  return composed(() => body(expandDims(x as Tensor, -1)));
}
