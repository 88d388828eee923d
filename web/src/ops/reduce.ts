import { Op, opNames, writeArgReduce, writeReduce } from '../generated/ops.js';
import { callAll, callWith } from './call.js';
import { axesOf } from './axes.js';
import { isNoAxis, overNone } from './no_axis.js';
import type { TensorLike } from '../runtime/types.js';
import { type Input, inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

// Reductions: over the axes given, or over all of them. `keepDims` leaves the reduced dimensions there, with 1.

export type Axis = number | number[] | null;

type Reduce = <T extends Tensor>(x: Tensor | TensorLike, axis?: Axis, keepDims?: boolean) => T;

function reduce(op: Op): Reduce {
  return <T extends Tensor>(x: Tensor | TensorLike, axis?: Axis, keepDims = false) => {
    if (isNoAxis(axis)) return overNone(inputOf(x, 'x', opNames[op]!, isOfBools(op) ? 'bool' : 'numeric'), (wide) => callWith(op, wide, writeReduce, { axes: [-1], keepDims: false })) as T;
    return callWith(op, x, writeReduce, { axes: axesOf(axis), keepDims }) as T;
  };
}

function isOfBools(op: Op): boolean {
  return op === Op.any || op === Op.all;
}

/** The sum; bools are counted. */
export const sum: Reduce = reduce(Op.sum);

/** The product. */
export const prod: Reduce = reduce(Op.prod);

/** The mean, in float32. */
export const mean: Reduce = reduce(Op.mean);

/** The largest element. */
export const max: Reduce = reduce(Op.max);

/** The smallest element. */
export const min: Reduce = reduce(Op.min);

/** Whether any element is true, of a bool tensor. */
export const any: Reduce = reduce(Op.any);

/** Whether all elements are true, of a bool tensor. */
export const all: Reduce = reduce(Op.all);

/** Where the largest element is, along one axis. */
export function argMax<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.argMax, x, writeArgReduce, { axis }) as T;
}

/** Where the smallest element is, along one axis. */
export function argMin<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.argMin, x, writeArgReduce, { axis }) as T;
}

/** log(sum(exp(x))), safe from overflow. */
export const logSumExp: Reduce = reduce(Op.logSumExp);

/** Mean and variance over the given axes. */
export function moments(
  x: Tensor | TensorLike,
  axis: Axis = null,
  keepDims = false,
): { mean: Tensor; variance: Tensor } {
  const both = (input: Input, axes: readonly number[], kept: boolean) => {
    const [mean, variance] = callAll(Op.moments, [input], writeReduce, { axes, keepDims: kept });
    return { mean: mean!, variance: variance! };
  };
  const input = inputOf(x, 'x', 'moments');
  return isNoAxis(axis) ? overNone(input, (wide) => both(wide, [-1], false)) : both(input, axesOf(axis), keepDims);
}
