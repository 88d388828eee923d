import { call, callWithInputs } from '../call.js';
import { Op, writeMatMul } from '../../generated/ops.js';
import { asTensor, toInput, type Input } from '../../tensor/input.js';
import { cast } from './cast.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor, Tensor1D, Tensor2D } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';

/**
 * Computes the matrix product over the last two dimensions. The dimensions before them broadcast. Throws ShapeError if the inner
 * dimensions differ.
 * @param a Matrices, [..., rows, inner].
 * @param b Matrices, [..., inner, columns].
 * @param transposeA True if `a` is [..., inner, rows].
 * @param transposeB True if `b` is [..., columns, inner].
 * @example
 * tf.matMul([[1, 2]], [[3], [4]]); // [[11]]
 * tf.matMul([[1, 2]], [[3, 4]], false, true); // [[11]]
 * tf.matMul([[1, 2]], [[3, 4]]); // throws ShapeError: [matMul] Error in matMul: inner shapes (2) and (1) of Tensors with shapes [1,2] and [1,2] and transposeA=false and transposeB=false must match.
 */
export function matMul<T extends Tensor>(
  a: Tensor | TensorLike,
  b: Tensor | TensorLike,
  transposeA = false,
  transposeB = false,
): T {
  const inputs = [toInput(a, 'a', 'matMul'), toInput(b, 'b', 'matMul')];
  const product = (of: Input[]): T => callWithInputs(Op.matMul, of, writeMatMul, { transposeA, transposeB });
  const isBool = ({ dtype }: Input) => dtype === 'bool';
  if (!inputs.some(isBool)) return product(inputs);
  return runInInternalScope(() => product(inputs.map((one) => (isBool(one) ? cast(asTensor(one), 'int32') : one))));
}

/**
 * Computes the product of two vectors, two matrices, or a vector and a matrix. That of two vectors is a scalar.
 * @example
 * tf.dot([1, 2], [3, 4]); // 11
 * tf.dot([[1, 2], [3, 4]], [5, 6]); // [17, 39]
 */
export function dot(t1: Tensor | TensorLike, t2: Tensor | TensorLike): Tensor {
  return call(Op.dot, [t1, t2]);
}

/**
 * Computes the outer product of two vectors: the products of each element of one with each of the other. Throws for other ranks.
 * @example
 * tf.outerProduct([1, 2], [3, 4]); // [[3, 4], [6, 8]]
 */
export function outerProduct(v1: Tensor1D | TensorLike, v2: Tensor1D | TensorLike): Tensor2D {
  return call(Op.outerProduct, [v1, v2]);
}
