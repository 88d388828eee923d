// tf.linalg
import { Op, writeQr } from '../generated/ops.js';
import { call, callAll, callUnary } from './call.js';
import { stack } from './concat.js';
import { unstack } from './split.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import { Tensor, type Scalar, type Tensor1D, type Tensor2D } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/**
 * The matrices in `a` with zeros beyond `numLower` diagonals below and `numUpper` above the main one; below 0 is all.
 * @example
 * tf.linalg.bandPart([[1, 2], [3, 4]], 0, -1); // [[1, 2], [0, 4]]
 */
export function bandPart<T extends Tensor>(a: T | TensorLike, numLower: number | Scalar, numUpper: number | Scalar): T {
  const input = inputOf(a, 'a', 'bandPart');
  assert(input.rank >= 2, () => `bandPart(): Rank must be at least 2, got ${input.rank}.`);
  checkBound(numLower, 'numLower', input.shape[input.rank - 2]!, 'rows');
  checkBound(numUpper, 'numUpper', input.shape[input.rank - 1]!, 'columns');
  return call(Op.bandPart, [input, numLower, numUpper]) as T;
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
 * Vectors, or the rows of a matrix, made of length 1 and at right angles to those before them.
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
  return composed(() => unstack(callUnary(Op.gramSchmidt, stack(vectors)))) as T;
}

/**
 * x = Q R with a Q of orthogonal columns and an R that is upper triangular; of full size, or as small as will do.
 * @example
 * const [q, r] = tf.linalg.qr(tf.tensor2d([[3, 1], [4, 2]]));
 * q.matMul(r); // [[3, 1], [4, 2]]
 * r.arraySync()[1][0]; // 0
 */
export function qr(x: Tensor, fullMatrices = false): [Tensor, Tensor] {
  return callAll(Op.qr, [x], writeQr, { fullMatrices }) as [Tensor, Tensor];
}
