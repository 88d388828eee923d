import { Op } from '../generated/ops.js';
import { call } from './call.js';
import { cast } from './cast.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf, type Input } from '../tensor/input.js';
import type { Tensor } from '../tensor/tensor.js';
import { assertShapesMatch } from '../util/checks.js';

/** Complex numbers of their real and imaginary parts, which have one shape. */
export function complex<T extends Tensor>(real: T | TensorLike, imag: T | TensorLike): T {
  const re = inputOf(real, 'real', 'complex');
  const im = inputOf(imag, 'imag', 'complex');
  const words = `real and imag shapes, ${re.shape} and ${im.shape}, must match in call to tf.complex().`;
  assertShapesMatch(re.shape, im.shape, words);
  return composed(() => call(Op.complex, [asFloats(re), asFloats(im)])) as T;
}

function asFloats(input: Input): Input {
  return input.dtype === 'float32' ? input : cast(input as Tensor, 'float32');
}

/** The real parts of complex numbers. */
export function real<T extends Tensor>(input: T | TensorLike): T {
  return call(Op.real, [input]) as T;
}

/** The imaginary parts of complex numbers. */
export function imag<T extends Tensor>(input: T | TensorLike): T {
  return call(Op.imag, [input]) as T;
}
