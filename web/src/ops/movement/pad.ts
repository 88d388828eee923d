import { Op, writeMirrorPad, writePad } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import { integers } from '../../util/integers.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

type Paddings = readonly (readonly [number, number])[];

/**
 * Pads a tensor with a constant.
 * @param x Tensor.
 * @param paddings Number of elements `[before, after]` for each dimension.
 * @param constantValue Value of the padding.
 * @example
 * tf.pad([1, 2], [[1, 2]], 9); // [9, 1, 2, 9, 9]
 */
export function pad<T extends Tensor>(x: T | TensorLike, paddings: Paddings, constantValue = 0): T {
  return callWithAttrs(Op.pad, x, writePad, { ...splitPaddings(paddings), value: constantValue });
}

/**
 * Pads a tensor with its mirrored elements.
 * @param x Tensor.
 * @param paddings Number of elements `[before, after]` for each dimension.
 * @param mode 'reflect' omits the outermost element, 'symmetric' repeats it.
 * @example
 * tf.mirrorPad([1, 2, 3], [[2, 0]], 'reflect'); // [3, 2, 1, 2, 3]
 * tf.mirrorPad([1, 2, 3], [[2, 0]], 'symmetric'); // [2, 1, 1, 2, 3]
 */
export function mirrorPad<T extends Tensor>(x: T | TensorLike, paddings: Paddings, mode: 'reflect' | 'symmetric'): T {
  assert(
    mode === 'reflect' || mode === 'symmetric',
    () => `Invalid mode. Mode must be either reflect or symmetric. Got ${mode}.`,
  );
  return callWithAttrs(Op.mirrorPad, x, writeMirrorPad, {
    ...splitPaddings(paddings),
    symmetric: mode === 'symmetric',
  });
}

function splitPaddings(paddings: Paddings): { before: readonly number[]; after: readonly number[] } {
  assert(
    paddings.every((pair) => pair.length === 2),
    () => 'Invalid number of paddings. Must be length of 2 each.',
  );
  return {
    before: integers(
      paddings.map((pair) => pair[0]),
      'paddings',
    ),
    after: integers(
      paddings.map((pair) => pair[1]),
      'paddings',
    ),
  };
}

/**
 * Pads a vector with a constant.
 * @param x Vector.
 * @param paddings Number of elements `[before, after]`.
 * @param constantValue Value of the padding.
 * @example
 * tf.pad1d([1, 2], [1, 1]); // [0, 1, 2, 0]
 */
export function pad1d(x: Tensor1D | TensorLike, paddings: [number, number], constantValue = 0): Tensor1D {
  return pad(x, [paddings], constantValue);
}

function padOfRank<T extends Tensor>(rank: number) {
  return (x: T | TensorLike, paddings: [number, number][], constantValue = 0): T => {
    assert(paddings.length === rank, () => 'Invalid number of paddings. Must be length of 2 each.');
    return pad<T>(x, paddings, constantValue);
  };
}

/**
 * Pads a matrix with a constant, `[before, after]` elements for each dimension.
 * @param x Matrix.
 * @param paddings Number of elements `[before, after]` for each dimension.
 * @param constantValue Value of the padding: 0 by default.
 * @example
 * tf.pad2d([[1, 2]], [[1, 0], [0, 1]]); // [[0, 0, 0], [1, 2, 0]]
 */
export const pad2d = padOfRank<Tensor2D>(2);

/**
 * Pads a tensor of rank 3 with a constant, `[before, after]` elements for each dimension.
 * @param x Tensor of rank 3.
 * @param paddings Number of elements `[before, after]` for each dimension.
 * @param constantValue Value of the padding: 0 by default.
 * @example
 * tf.pad3d(tf.ones([1, 2, 3]), [[1, 1], [0, 0], [0, 0]]).shape; // [3, 2, 3]
 */
export const pad3d = padOfRank<Tensor3D>(3);

/**
 * Pads a tensor of rank 4 with a constant, `[before, after]` elements for each dimension.
 * @param x Tensor of rank 4.
 * @param paddings Number of elements `[before, after]` for each dimension.
 * @param constantValue Value of the padding: 0 by default.
 * @example
 * tf.pad4d(tf.ones([1, 2, 2, 1]), [[0, 0], [1, 1], [1, 1], [0, 0]]).shape; // [1, 4, 4, 1]
 */
export const pad4d = padOfRank<Tensor4D>(4);
