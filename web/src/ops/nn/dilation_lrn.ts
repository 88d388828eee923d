// Further ops with sliding windows over images, and local response normalization.
import { Op, writeConv, writeLocalResponse, writeMaxPoolWithArgmax } from '../../generated/ops.js';
import { call, callAll, callWithAttrs } from '../call.js';
import { withBatchDim, padAttrs, pair, strideAndDilationAttrs, type Pad } from './window_args.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

type Size2D = [number, number] | number;
type Images = Tensor3D | Tensor4D;

/**
 * Computes the maximum of each window of images, and its flat index in the image.
 * @param x Images, [batch, height, width, channels].
 * @param filterSize Size of the windows in pixels, [height, width] or one for both.
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels.
 * @param includeBatchInIndex True for flat indices in the whole batch instead of the image.
 * @example
 * const { result, indexes } = tf.maxPoolWithArgmax([[[[1], [9]], [[3], [4]]]], 2, 2, 'valid');
 * result; // [[[[9]]]]
 * indexes; // [[[[1]]]]
 */
export function maxPoolWithArgmax<T extends Tensor4D>(
  x: T | TensorLike,
  filterSize: Size2D,
  strides: Size2D,
  pad: Pad,
  includeBatchInIndex = false,
): {
  /** Maximum of each window. */
  result: T;
  /** Flat index of each maximum, in its image or in the batch. */
  indexes: T;
} {
  const [windowH, windowW] = pair(filterSize, 'filterSize');
  const attrs = {
    windowH,
    windowW,
    ...strideAndDilationAttrs(strides),
    ...padAttrs(pad, undefined, 'maxPoolWithArgmax'),
  };
  const all = { ...attrs, countsBatch: includeBatchInIndex };
  const [result, indexes] = callAll(Op.maxPoolWithArgmax, [x], writeMaxPoolWithArgmax, all);
  return { result: result as T, indexes: indexes as T };
}

/**
 * Computes the grayscale dilation of images: the maximum over each window of the sums of elements and filter.
 * @param x Images, [batch, height, width, channels], or one without the batch dimension.
 * @param filter Filter, [filterHeight, filterWidth, channels].
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid' or 'same'.
 * @param dilations Dilations of the filter in pixels, [height, width] or one for both.
 * @param dataFormat Order of the dimensions of `x`: only 'NHWC' is supported.
 * @example
 * tf.dilation2d([[[1], [2]], [[3], [4]]], [[[0], [1]]], 1, 'valid'); // [[[3]], [[5]]]
 */
export function dilation2d<T extends Images>(
  x: T | TensorLike,
  filter: Tensor3D | TensorLike,
  strides: Size2D,
  pad: 'valid' | 'same',
  dilations: Size2D = [1, 1],
  dataFormat: 'NHWC' = 'NHWC',
): T {
  assert(
    dataFormat === 'NHWC',
    () => `Error in dilation2d: Only NHWC is currently supported, but got dataFormat of ${dataFormat}`,
  );
  const attrs = { ...strideAndDilationAttrs(strides, dilations), ...padAttrs(pad, undefined, 'dilation2d') };
  return withBatchDim(x, 'dilation2d', (images) => call(Op.dilation2d, [images, filter], writeConv, attrs));
}

/**
 * Computes the local response normalization: x / (bias + alpha * sum) ** beta, where sum is that of the squares of the channels
 * within `depthRadius`.
 * @param x Images, [batch, height, width, channels], or one without the batch dimension.
 * @param depthRadius Number of channels on each side.
 * @param bias Constant term.
 * @param alpha Factor of the sum.
 * @param beta Exponent.
 * @example
 * tf.localResponseNormalization([[[1, 2]]], 1, 1, 1, 1); // [[[0.1667, 0.3333]]]
 */
export function localResponseNormalization<T extends Images>(
  x: T | TensorLike,
  depthRadius = 5,
  bias = 1,
  alpha = 1,
  beta = 0.5,
): T {
  assert(
    Number.isInteger(depthRadius),
    () => `Error in localResponseNormalization: depthRadius must be an integer but got depthRadius ${depthRadius}.`,
  );
  const attrs = { radius: depthRadius, bias, alpha, beta };
  return withBatchDim(
    x,
    'localResponseNormalization',
    (images): Tensor => callWithAttrs(Op.localResponseNorm, images, writeLocalResponse, attrs),
  ) as T;
}
