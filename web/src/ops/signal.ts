// tf.signal
import { Op, writeCosineWindow, writeFrame } from '../generated/ops.js';
import { call, callWith } from './call.js';
import type { Tensor, Tensor1D } from '../tensor/tensor.js';

/** A signal as overlapping frames, one a row; with `padEnd` also those that begin in it and end behind it. */
export function frame(
  signal: Tensor1D,
  frameLength: number,
  frameStep: number,
  padEnd = false,
  padValue = 0,
): Tensor {
  const attrs = { length: frameLength, step: frameStep, padEnd, padValue };
  return callWith(Op.frame, signal, writeFrame, attrs);
}

function cosineWindow(length: number, a: number, b: number): Tensor1D {
  return call(Op.cosineWindow, [], writeCosineWindow, { length, a, b }) as Tensor1D;
}

/** Hann's window: (1 - cos) / 2. */
export function hannWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.5, 0.5);
}

/** Hamming's window: 0.54 - 0.46 cos. */
export function hammingWindow(windowLength: number): Tensor1D {
  return cosineWindow(windowLength, 0.54, 0.46);
}
