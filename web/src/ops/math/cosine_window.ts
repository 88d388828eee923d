import { Op, writeCosineWindow } from '../../generated/ops.js';
import { call } from '../call.js';
import type { Tensor1D } from '../../tensor/tensor.js';

/**
 * Returns a cosine window, a - b * cos: periodic for even lengths, symmetric for odd ones.
 * @param windowLength Number of elements.
 * @param a Constant term.
 * @param b Factor of the cosine.
 * @example
 * tf.cosineWindow(4, 0.5, 0.5); // [0, 0.5, 1, 0.5]
 */
export function cosineWindow(windowLength: number, a: number, b: number): Tensor1D {
  return call(Op.cosineWindow, [], writeCosineWindow, { length: windowLength, a, b });
}

/**
 * Returns the smallest power of two that is not below `value`.
 * @example
 * tf.enclosingPowerOfTwo(100); // 128
 */
export function enclosingPowerOfTwo(value: number): number {
  return 2 ** Math.ceil(Math.log2(value));
}
