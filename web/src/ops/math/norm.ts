import { NormOrder, Op, writeNorm } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import { cast } from './cast.js';
import { abs } from './unary.js';
import { toAxes } from '../axes.js';
import { isEmptyAxis, reduceNoAxis } from '../empty_axis.js';
import { type Axis } from './reduce.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { asTensor, toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { parseAxisParam } from '../../util/shape.js';

type Order = number | 'euclidean' | 'fro';

/**
 * Computes the norm of vectors along one axis or of all elements, or of matrices along two axes.
 * @param x Tensor.
 * @param ord Order: 'euclidean', 'fro', 1, 2, Infinity, -Infinity, or another p of a vector norm.
 * @param axis One axis for vectors, two for matrices; all elements by default.
 * @param keepDims True to keep the reduced dimensions, with an extent of 1.
 * @example
 * tf.norm([3, 4]); // 5
 * tf.norm([3, -4], 1); // 7
 */
export function norm(x: Tensor | TensorLike, ord: Order = 'euclidean', axis: Axis = null, keepDims = false): Tensor {
  const input = toInput(x, 'x', 'norm');
  if (input.dtype === 'complex64') return runInInternalScope(() => norm(abs(asTensor(input)), ord, axis, keepDims));
  if (keepDims) parseAxisParam(axis, input.shape);
  if (isEmptyAxis(axis) && input.rank > 0) {
    assert(input.rank === 1, () => `Error in norm: invalid axis: ${String(axis)}`);
    return reduceNoAxis(input, (wide) => norm(wide, ord, -1));
  }
  // Squares of integers would overflow.
  if (input.rank > 0 && input.dtype !== 'float32' && ![1, Infinity, -Infinity].includes(ord as number)) {
    return runInInternalScope(() => norm(cast(asTensor(input), 'float32'), ord, axis, keepDims));
  }
  return callWithAttrs(Op.norm, input, writeNorm, {
    order: toNormOrder(ord),
    p: typeof ord === 'number' ? ord : 2,
    axes: toAxes(axis),
    keepDims,
  });
}

/**
 * Computes the Euclidean norm of vectors along one axis or of all elements, or of matrices along two axes.
 * @param x Tensor.
 * @param axis One axis for vectors, two for matrices; all elements by default.
 * @param keepDims True to keep the reduced dimensions, with an extent of 1.
 * @example
 * tf.euclideanNorm([3, 4]); // 5
 */
export function euclideanNorm(x: Tensor | TensorLike, axis: Axis = null, keepDims = false): Tensor {
  return norm(x, 'euclidean', axis, keepDims);
}

function toNormOrder(ord: Order): NormOrder {
  if (ord === 'euclidean') return NormOrder.euclidean;
  if (ord === 'fro') return NormOrder.frobenius;
  if (ord === Infinity) return NormOrder.infinity;
  if (ord === -Infinity) return NormOrder.minusInfinity;
  if (typeof ord !== 'number') throw new Error(`Error in norm: invalid ord value: ${ord as string}`);
  return NormOrder.p;
}
