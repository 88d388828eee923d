import { expandDims } from './movement/reshape.js';
import { runInInternalScope } from '../owner/scope.js';
import type { Input } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { asTensor } from '../tensor/input.js';

/** True if axes are an empty array, which means no axis here, but all axes to the engine. */
export function isEmptyAxis(axis: unknown): boolean {
  return Array.isArray(axis) && axis.length === 0;
}

/** Reduces over no axis: calls `body` to reduce a last dimension of 1 that is added to `x`. */
export function reduceNoAxis<Result>(x: Input, body: (wide: Tensor) => Result): Result {
  return runInInternalScope(() => body(expandDims(asTensor(x), -1)));
}
