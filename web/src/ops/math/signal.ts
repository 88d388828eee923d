// tf.signal
import { Op, writeFrame } from '../../generated/ops.js';
import { mul } from './binary.js';
import { callWithAttrs } from '../call.js';
import { cosineWindow, enclosingPowerOfTwo } from './cosine_window.js';
import { rfft } from './spectral.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor, Tensor1D } from '../../tensor/tensor.js';

/**
 * Returns a Hann window, 0.5 - 0.5 * cos: periodic for even lengths, symmetric for odd ones.
 * @example
 * tf.signal.hannWindow(4); // [0, 0.5, 1, 0.5]
 */
export function hannWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.5, 0.5);
}

/**
 * Returns a Hamming window, 0.54 - 0.46 * cos: periodic for even lengths, symmetric for odd ones.
 * @example
 * tf.signal.hammingWindow(4); // [0.08, 0.54, 1, 0.54]
 */
export function hammingWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.54, 0.46);
}

/**
 * Slices a signal into overlapping frames, [frames, frameLength].
 * @param signal Signal.
 * @param frameLength Number of samples in a frame.
 * @param frameStep Number of samples between the starts of two frames.
 * @param padEnd True to include frames that extend beyond the end of the signal.
 * @param padValue Value of the samples beyond the end.
 * @example
 * tf.signal.frame(tf.tensor1d([1, 2, 3, 4, 5]), 3, 2); // [[1, 2, 3], [3, 4, 5]]
 */
export function frame(signal: Tensor1D, frameLength: number, frameStep: number, padEnd = false, padValue = 0): Tensor {
  return callWithAttrs(Op.frame, signal, writeFrame, { length: frameLength, step: frameStep, padEnd, padValue });
}

/**
 * Computes the short-time Fourier transform of a signal: the Fourier transforms of its windowed frames.
 * @param signal Signal.
 * @param frameLength Number of samples in a frame.
 * @param frameStep Number of samples between the starts of two frames.
 * @param fftLength Length of the transforms: the smallest power of two not below `frameLength` by default.
 * @param windowFn Function that returns the window of a length: hannWindow() by default.
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
  return runInInternalScope(() => rfft(mul(frame(signal, frameLength, frameStep), windowFn(frameLength)), length));
}
