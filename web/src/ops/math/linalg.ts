// tf.linalg
import { Op, writeQr } from '../../generated/ops.js';
import { call, callAll, callUnary } from '../call.js';
import { stack } from '../movement/concat.js';
import { unstack } from '../movement/split.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import { Tensor, type Scalar, type Tensor1D, type Tensor2D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Sets the elements of matrices outside a band around the main diagonal to 0.
 * @param a Matrices, [..., rows, columns].
 * @param numLower Number of diagonals to keep below the main one: all if negative.
 * @param numUpper Number of diagonals to keep above the main one: all if negative.
 * @example
 * tf.linalg.bandPart([[1, 2], [3, 4]], 0, -1); // [[1, 2], [0, 4]]
 */
export function bandPart<T extends Tensor>(a: T | TensorLike, numLower: number | Scalar, numUpper: number | Scalar): T {
  const input = toInput(a, 'a', 'bandPart');
  assert(input.rank >= 2, () => `bandPart(): Rank must be at least 2, got ${input.rank}.`);
  checkBound(numLower, 'numLower', input.shape[input.rank - 2]!, 'rows');
  checkBound(numUpper, 'numUpper', input.shape[input.rank - 1]!, 'columns');
  return call(Op.bandPart, [input, numLower, numUpper]);
}

function checkBound(bound: number | Scalar, argument: string, extent: number, of: string): void {
  if (bound instanceof Tensor) {
    assert(bound.dtype === 'int32', () => `bandPart(): ${argument}'s dtype must be an int32.`);
    return;
  }
  assert(Number.isInteger(bound), () => `bandPart(): ${argument} must be an integer, got ${bound}.`);
  assert(
    bound <= extent,
    () => `bandPart(): ${argument} (${bound}) must not be greater than the number of ${of} (${extent}).`,
  );
}

/**
 * Makes vectors, or the rows of a matrix, orthonormal by the Gram-Schmidt process. Throws if vectors differ in length.
 * @example
 * tf.linalg.gramSchmidt(tf.tensor2d([[2, 0], [3, 4]])); // [[1, 0], [0, 1]]
 */
export function gramSchmidt<T extends Tensor1D[] | Tensor2D>(xs: T): T {
  if (!Array.isArray(xs)) return callUnary(Op.gramSchmidt, xs) as T;
  assert(xs.length > 0, () => 'Gram-Schmidt process: input must not be null, undefined, or empty');
  const vectors: Tensor1D[] = xs;
  const [first] = vectors as [Tensor1D];
  for (const x of vectors) {
    assert(
      x.shape[0] === first.shape[0],
      () => `Gram-Schmidt: Non-unique lengths found in the input vectors: (${x.shape[0]} vs. ${first.shape[0]})`,
    );
  }
  return runInInternalScope(() => unstack(callUnary(Op.gramSchmidt, stack(vectors)))) as T;
}

/**
 * Computes the QR decomposition x = Q R, where Q has orthonormal columns and R is upper triangular. With `fullMatrices`, Q is
 * square; otherwise both are of the smallest size.
 * @example
 * const [q, r] = tf.linalg.qr(tf.tensor2d([[3, 1], [4, 2]]));
 * q.matMul(r); // [[3, 1], [4, 2]]
 * r.arraySync()[1][0]; // 0
 */
export function qr(x: Tensor, fullMatrices = false): [Tensor, Tensor] {
  return callAll(Op.qr, [x], writeQr, { fullMatrices }) as [Tensor, Tensor];
}
