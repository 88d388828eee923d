// tf.image
import { Op } from '../../generated/ops.js';
import { callUnary } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor, Tensor4D } from '../../tensor/tensor.js';

export { resizeBilinear, resizeNearestNeighbor } from './resize.js';
export * from './non_max_suppression.js';
export * from './image_transform.js';

/**
 * Mirrors images about their vertical axis.
 * @example
 * tf.image.flipLeftRight([[[[1], [2]]]]); // [[[[2], [1]]]]
 */
export function flipLeftRight(image: Tensor4D | TensorLike): Tensor4D {
  return callUnary(Op.flipLeftRight, toInput(image, 'image', 'flipLeftRight', 'float32'));
}

/**
 * Converts images of one gray channel to three channels of red, green and blue.
 * @example
 * tf.image.grayscaleToRGB([[[5]]]); // [[[5, 5, 5]]]
 */
export function grayscaleToRGB<T extends Tensor>(image: T | TensorLike): T {
  return callUnary(Op.grayscaleToRgb, image);
}

/**
 * Converts images of red, green and blue to one channel of luma (ITU-R BT.601).
 * @example
 * tf.image.rgbToGrayscale([[[255, 0, 0]]]); // [[[76.2195]]]
 */
export function rgbToGrayscale<T extends Tensor>(image: T | TensorLike): T {
  return callUnary(Op.rgbToGrayscale, image);
}
