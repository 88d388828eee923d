import { Op } from '../../generated/ops.js';
import { call } from '../call.js';
import { castToFloat32 } from '../floats.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assertShapesMatch } from '../../util/checks.js';

/**
 * Returns a complex64 tensor of real and imaginary parts. Throws if their shapes differ.
 * @example
 * tf.complex([1, 2], [3, 4]); // [[1, 3], [2, 4]]: pairs of a real and an imaginary part
 */
export function complex<T extends Tensor>(real: T | TensorLike, imag: T | TensorLike): T {
  const re = toInput(real, 'real', 'complex');
  const im = toInput(imag, 'imag', 'complex');
  const words = `real and imag shapes, ${re.shape} and ${im.shape}, must match in call to tf.complex().`;
  assertShapesMatch(re.shape, im.shape, words);
  return runInInternalScope(() => call(Op.complex, [castToFloat32(re), castToFloat32(im)]));
}

/**
 * Returns the real parts of complex numbers.
 * @example
 * tf.real(tf.complex([1, 2], [3, 4])); // [1, 2]
 */
export function real<T extends Tensor>(input: T | TensorLike): T {
  return call(Op.real, [input]);
}

/**
 * Returns the imaginary parts of complex numbers.
 * @example
 * tf.imag(tf.complex([1, 2], [3, 4])); // [3, 4]
 */
export function imag<T extends Tensor>(input: T | TensorLike): T {
  return call(Op.imag, [input]);
}
