// tf.signal
import { Op, writeFrame } from '../generated/ops.js';
import { mul } from './binary.js';
import { callWith } from './call.js';
import { cosineWindow, enclosingPowerOfTwo } from './cosine_window.js';
import { rfft } from './spectral.js';
import { composed } from '../owner/scope.js';
import type { Tensor, Tensor1D } from '../tensor/tensor.js';

/**
 * One half less the half of a cosine: periodic for even lengths, symmetric for odd ones.
 * @example
 * tf.signal.hannWindow(4); // [0, 0.5, 1, 0.5]
 */
export function hannWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.5, 0.5);
}

/**
 * hannWindow() on a pedestal.
 * @example
 * tf.signal.hammingWindow(4); // [0.08, 0.54, 1, 0.54]
 */
export function hammingWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.54, 0.46);
}

/**
 * Parts of a signal, `frameStep` apart; with `padEnd` also those that hang over its end.
 * @example
 * tf.signal.frame(tf.tensor1d([1, 2, 3, 4, 5]), 3, 2); // [[1, 2, 3], [3, 4, 5]]
 */
export function frame(signal: Tensor1D, frameLength: number, frameStep: number, padEnd = false, padValue = 0): Tensor {
  return callWith(Op.frame, signal, writeFrame, { length: frameLength, step: frameStep, padEnd, padValue });
}

/**
 * The Fourier transforms of windowed parts of a signal.
 * @example
 * tf.signal.stft(tf.tensor1d([1, 1, 1, 1]), 2, 2).shape; // [2, 2]
 */
export function stft(
  signal: Tensor1D,
  frameLength: number,
  frameStep: number,
  fftLength?: number | null,
  windowFn: (length: number) => Tensor1D = hannWindow,
): Tensor {
  const length = fftLength ?? enclosingPowerOfTwo(frameLength);
  return composed(() => rfft(mul(frame(signal, frameLength, frameStep), windowFn(frameLength)), length));
}
