// tf.spectral
import { Op, writeLength } from '../../generated/ops.js';
import { callUnary, callWithAttrs } from '../call.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Computes the discrete Fourier transform of a complex64 tensor along the last axis. Throws for another dtype.
 * @example
 * tf.fft(tf.complex([1, 1], [0, 0])); // [[2, 0], [0, 0]]
 */
export function fft(input: Tensor): Tensor {
  checkComplex(input, 'fft');
  return callUnary(Op.fft, input);
}

/**
 * Computes the inverse discrete Fourier transform of a complex64 tensor along the last axis. Throws for another dtype.
 * @example
 * tf.ifft(tf.complex([2, 0], [0, 0])); // [[1, 0], [1, 0]]
 */
export function ifft(input: Tensor): Tensor {
  checkComplex(input, 'ifft');
  return callUnary(Op.ifft, input);
}

/**
 * Computes the discrete Fourier transform of a float32 tensor along the last axis. Returns its first fftLength / 2 + 1
 * elements, as the others are conjugates of these. The input is truncated or zero-padded to `fftLength`. Throws for another
 * dtype.
 * @example
 * tf.rfft(tf.tensor([1, 2, 1, 2])); // [[6, 0], [0, 0], [-2, 0]]
 */
export function rfft(input: Tensor, fftLength?: number | null): Tensor {
  assert(input.dtype === 'float32', () => `The dtype for rfft() must be real value but got ${input.dtype}`);
  return callWithAttrs(Op.rfft, input, writeLength, { length: fftLength ?? -1 });
}

/**
 * Computes the inverse of rfft(): real numbers from the first half of their Fourier transform, along the last axis.
 * @example
 * tf.irfft(tf.rfft(tf.tensor([1, 2, 1, 2]))); // [[1, 2, 1, 2]]
 */
export function irfft(input: Tensor): Tensor {
  return callUnary(Op.irfft, input);
}

function checkComplex({ dtype }: Tensor, name: string): void {
  assert(dtype === 'complex64', () => `The dtype for tf.spectral.${name}() must be complex64 but got ${dtype}.`);
}
