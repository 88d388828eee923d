// tf.image
import { Op } from '../generated/ops.js';
import { callUnary } from './call.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor, Tensor4D } from '../tensor/tensor.js';

export { resizeBilinear, resizeNearestNeighbor } from './resize.js';
export * from './suppression.js';
export * from './warp.js';

/** Images mirrored about their vertical axis. */
export function flipLeftRight(image: Tensor4D | TensorLike): Tensor4D {
  return callUnary(Op.flipLeftRight, inputOf(image, 'image', 'flipLeftRight', 'float32')) as Tensor4D;
}

/** One channel of gray as three of red, green and blue. */
export function grayscaleToRGB<T extends Tensor>(image: T | TensorLike): T {
  return callUnary(Op.grayscaleToRgb, image) as T;
}

/** The brightness of red, green and blue as the eye sees it, by ITU-R BT.601. */
export function rgbToGrayscale<T extends Tensor>(image: T | TensorLike): T {
  return callUnary(Op.rgbToGrayscale, image) as T;
}
