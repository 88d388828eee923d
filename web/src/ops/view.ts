import { Op, writeAxes, writeAxis, writeToShape } from '../generated/ops.js';
import { callUnary, callWith } from './call.js';
import { axesOf } from './axes.js';
import type { Rank, ShapeMap, TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import { Tensor } from '../tensor/tensor.js';
import { integers } from '../util/integers.js';

/** The same elements under another shape; one extent may be -1. Throws when they are not as many. */
export function reshape<R extends Rank>(x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  return callWith(Op.reshape, x, writeToShape, { shape: integers(shape, 'shape') }) as Tensor<R>;
}

/** One more dimension, of 1, at `axis`. */
export function expandDims<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.expandDims, x, writeAxis, { axis }) as T;
}

/** Without the dimensions of 1, or without those that `axis` names. Throws when one of them is not 1. */
export function squeeze<T extends Tensor>(x: Tensor | TensorLike, axis?: number | readonly number[]): T {
  return callWith(Op.squeeze, x, writeAxes, { axes: axesOf(axis) }) as T;
}

/** Another tensor that shares the bytes and lives on its own. */
export function clone<T extends Tensor>(x: T | TensorLike): T {
  return callUnary(Op.identity, x instanceof Tensor ? x : inputOf(x, 'x', 'clone', 'string_or_numeric')) as T;
}
