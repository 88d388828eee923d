import { Op, opNames, writeArgReduce, writeReduce } from '../generated/ops.js';
import { callAll, callWith } from './call.js';
import { axesOf } from './axes.js';
import { isNoAxis, overNone } from './no_axis.js';
import type { TensorLike } from '../runtime/types.js';
import { type Input, inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

// Reductions: over the axes given, or over all of them. `keepDims` leaves the reduced dimensions there, with 1.

/** One axis, several, or all of them. */
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

/**
 * The sum over the given axes, or over all; bools are counted, as int32.
 * @example
 * tf.sum([[1, 2], [3, 4]]); // 10
 * tf.sum([[1, 2], [3, 4]], 0); // [4, 6]
 * tf.sum([[1, 2], [3, 4]], 1, true); // [[3], [7]]
 */
export const sum: Reduce = reduce(Op.sum);

/**
 * The product over the given axes, or over all.
 * @example
 * tf.prod([[1, 2], [3, 4]], 1); // [2, 12]
 */
export const prod: Reduce = reduce(Op.prod);

/**
 * The mean over the given axes, or over all, in float32.
 * @example
 * tf.mean([[1, 2], [3, 4]], 0); // [2, 3]
 */
export const mean: Reduce = reduce(Op.mean);

/**
 * The largest element over the given axes, or of all.
 * @example
 * tf.max([[1, 5], [3, 4]], 1); // [5, 4]
 */
export const max: Reduce = reduce(Op.max);

/**
 * The smallest element over the given axes, or of all.
 * @example
 * tf.min([[1, 5], [3, 4]], 1); // [1, 3]
 */
export const min: Reduce = reduce(Op.min);

/**
 * Whether any element is true over the given axes, or of all, of a bool tensor. Throws for tensors of other types.
 * @example
 * tf.any([[true, false], [false, false]], 1); // [true, false]
 */
export const any: Reduce = reduce(Op.any);

/**
 * Whether all elements are true over the given axes, or all there are, of a bool tensor. Throws for tensors of other types.
 * @example
 * tf.all([[true, false], [true, true]], 1); // [false, true]
 */
export const all: Reduce = reduce(Op.all);

/**
 * Where the largest element is along one axis, as int32; of equal ones the first.
 * @example
 * tf.argMax([[1, 5], [3, 4]], 1); // [1, 1]
 */
export function argMax<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.argMax, x, writeArgReduce, { axis }) as T;
}

/**
 * Where the smallest element is along one axis, as int32; of equal ones the first.
 * @example
 * tf.argMin([[1, 5], [3, 4]], 1); // [0, 0]
 */
export function argMin<T extends Tensor>(x: Tensor | TensorLike, axis = 0): T {
  return callWith(Op.argMin, x, writeArgReduce, { axis }) as T;
}

/**
 * log(sum(exp(x))), safe from overflow.
 * @example
 * tf.logSumExp([1000, 1000]); // 1000.6932
 */
export const logSumExp: Reduce = reduce(Op.logSumExp);

/**
 * Mean and variance over the given axes.
 * @example
 * const { mean, variance } = tf.moments([1, 2, 3, 4]); // { mean: 2.5, variance: 1.25 }
 */
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
