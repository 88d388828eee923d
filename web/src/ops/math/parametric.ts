// Elementwise functions of one tensor and a parameter.
import { callWithAttrs } from '../call.js';
import { toFloatInput } from './elementwise.js';
import { Op, writeAlpha, writeClip } from '../../generated/ops.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { assert } from '../../util/checks.js';

/**
 * Computes the exponential linear unit: x above 0, exp(x) - 1 below.
 * @example
 * tf.elu([-1, 1]); // [-0.6321, 1]
 */
export function elu<T extends Tensor>(x: T | TensorLike): T {
  return callWithAttrs(Op.elu, toFloatInput(Op.elu, x), writeAlpha, { alpha: 1 });
}

/**
 * Computes the leaky rectified linear unit: x above 0, alpha * x below.
 * @example
 * tf.leakyRelu([-1, 1], 0.1); // [-0.1, 1]
 */
export function leakyRelu<T extends Tensor>(x: T | TensorLike, alpha = 0.2): T {
  return callWithAttrs(Op.leakyRelu, x, writeAlpha, { alpha });
}

/**
 * Computes the step function: 1 above 0, alpha elsewhere.
 * @example
 * tf.step([-1, 0, 2]); // [0, 0, 1]
 */
export function step<T extends Tensor>(x: T | TensorLike, alpha = 0): T {
  return callWithAttrs(Op.step, x, writeAlpha, { alpha });
}

/**
 * Computes min(max(x, clipValueMin), clipValueMax).
 * @param x Tensor.
 * @param clipValueMin Lower limit. Throws if it is above the upper one.
 * @param clipValueMax Upper limit.
 * @example
 * tf.clipByValue([-1, 0.5, 2], 0, 1); // [0, 0.5, 1]
 */
export function clipByValue<T extends Tensor>(x: T | TensorLike, clipValueMin: number, clipValueMax: number): T {
  assert(
    clipValueMin <= clipValueMax,
    () => `Error in clip: min (${clipValueMin}) must be less than or equal to max (${clipValueMax}).`,
  );
  return callWithAttrs(Op.clipByValue, x, writeClip, { min: clipValueMin, max: clipValueMax });
}
