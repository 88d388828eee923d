import { NormOrder, Op, writeNorm } from '../generated/ops.js';
import { callWith } from './call.js';
import { axesOf } from './integers.js';
import { type Axis } from './reduce.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';

type Order = number | 'euclidean' | 'fro';

/** The norm of vectors along one axis or of all elements, or of matrices along two axes. */
export function norm(x: Tensor | TensorLike, ord: Order = 'euclidean', axis: Axis = null, keepDims = false): Tensor {
  const input = inputOf(x, 'x', 'norm');
  return callWith(Op.norm, input, writeNorm, {
    order: orderOf(ord),
    p: typeof ord === 'number' ? ord : 2,
    axes: axesOf(axis),
    keepDims,
  });
}

/** norm() of order 'euclidean'. */
export function euclideanNorm(x: Tensor | TensorLike, axis: Axis = null, keepDims = false): Tensor {
  return norm(x, 'euclidean', axis, keepDims);
}

function orderOf(ord: Order): NormOrder {
  if (ord === 'euclidean') return NormOrder.euclidean;
  if (ord === 'fro') return NormOrder.frobenius;
  if (ord === Infinity) return NormOrder.infinity;
  if (ord === -Infinity) return NormOrder.minusInfinity;
  if (typeof ord !== 'number') throw new Error(`Error in norm: invalid ord value: ${ord as string}`);
  return NormOrder.p;
}
