// tf.spectral
import { Op, writeLength } from '../generated/ops.js';
import { callUnary, callWith } from './call.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/**
 * The discrete Fourier transform along the last axis, of complex64.
 * @example
 * tf.fft(tf.complex([1, 1], [0, 0])); // [[2, 0], [0, 0]]
 */
export function fft(input: Tensor): Tensor {
  checkComplex(input, 'fft');
  return callUnary(Op.fft, input);
}

/**
 * The inverse of fft().
 * @example
 * tf.ifft(tf.complex([2, 0], [0, 0])); // [[1, 0], [1, 0]]
 */
export function ifft(input: Tensor): Tensor {
  checkComplex(input, 'ifft');
  return callUnary(Op.ifft, input);
}

/**
 * The first half of the Fourier transform of real numbers along the last axis, and the element after it: the others are
 * their conjugates. The input is cut off or filled with zeros to `fftLength`.
 * @example
 * tf.rfft(tf.tensor([1, 2, 1, 2])); // [[6, 0], [0, 0], [-2, 0]]
 */
export function rfft(input: Tensor, fftLength?: number | null): Tensor {
  assert(input.dtype === 'float32', () => `The dtype for rfft() must be real value but got ${input.dtype}`);
  return callWith(Op.rfft, input, writeLength, { length: fftLength ?? -1 });
}

/**
 * The real numbers of which rfft() gives the input.
 * @example
 * tf.irfft(tf.rfft(tf.tensor([1, 2, 1, 2]))); // [[1, 2, 1, 2]]
 */
export function irfft(input: Tensor): Tensor {
  return callUnary(Op.irfft, input);
}

function checkComplex({ dtype }: Tensor, name: string): void {
  assert(dtype === 'complex64', () => `The dtype for tf.spectral.${name}() must be complex64 but got ${dtype}.`);
}
