// Convolutions of NHWC images with HWIO filters. A single image may come without its batch dimension.
import { call } from '../call.js';
import { castToFloat32 } from '../floats.js';
import { Op, writeConv, writeConvTranspose } from '../../generated/ops.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import {
  toBatchedShape,
  checkDataFormat,
  withBatchDim,
  withNhwcBatch,
  padAttrs,
  strideAndDilationAttrs,
  type Pad,
  type RoundingMode,
} from './window_args.js';

type Strides2D = [number, number] | number;

/**
 * Computes the 2D convolution of images with a filter. Throws if their channels differ, or if it both strides and dilates.
 * @param x Images, [batch, height, width, in], or one without the batch dimension.
 * @param filter Filter, [filterHeight, filterWidth, in, out].
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dataFormat Order of the dimensions of `x`.
 * @param dilations Dilations of the filter in pixels, [height, width] or one for both.
 * @param dimRoundingMode Rounding of the output's size, for padding in pixels: 'floor' by default.
 * @example
 * const image = tf.tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3, 1]);
 * tf.conv2d(image, tf.ones([2, 2, 1, 1]), 1, 'valid'); // [[[12], [16]], [[24], [28]]]
 * tf.conv2d(image, tf.ones([2, 2, 1, 8]), 1, 'same').shape; // [3, 3, 8]
 */
export function conv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  strides: Strides2D,
  pad: Pad,
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
  dilations: Strides2D = [1, 1],
  dimRoundingMode?: RoundingMode,
): T {
  const attrs = {
    ...strideAndDilationAttrs(strides, dilations),
    ...padAttrs(pad, dimRoundingMode, 'conv2d', dataFormat),
  };
  return withNhwcBatch(x, 'conv2d', dataFormat, (images) => call(Op.conv2d, [images, filter], writeConv, attrs));
}

/**
 * Computes the 1D convolution of signals with a filter. Throws if their channels differ, or if it both strides and dilates.
 * @param x Signals, [batch, width, in], or one without the batch dimension.
 * @param filter Filter, [filterWidth, in, out].
 * @param stride Stride in elements.
 * @param pad 'valid', 'same', or padding in elements at both ends.
 * @param dataFormat Order of the dimensions of `x`: only 'NWC' is supported.
 * @param dilation Dilation of the filter in elements.
 * @param dimRoundingMode Rounding of the output's size, for padding in elements: 'floor' by default.
 * @example
 * tf.conv1d([[1], [2], [3]], [[[1]], [[10]]], 1, 'valid'); // [[21], [32]]
 */
export function conv1d<T extends Tensor2D | Tensor3D>(
  x: T | TensorLike,
  filter: Tensor3D | TensorLike,
  stride: number,
  pad: 'valid' | 'same' | number,
  dataFormat: 'NWC' | 'NCW' = 'NWC',
  dilation = 1,
  dimRoundingMode?: RoundingMode,
): T {
  checkDataFormat(dataFormat, ['NWC'], 'conv1d');
  const rows = typeof pad === 'number' ? toColumnPadding(pad) : pad;
  const attrs = { ...strideAndDilationAttrs([1, stride], [1, dilation]), ...padAttrs(rows, dimRoundingMode, 'conv1d') };
  return withBatchDim(x, 'conv1d', (signals) => call(Op.conv1d, [signals, filter], writeConv, attrs), 'x', 2);
}

function toColumnPadding(pad: number): Pad {
  return [
    [0, 0],
    [0, 0],
    [pad, pad],
    [0, 0],
  ];
}

/**
 * Computes the depthwise 2D convolution of images: each channel is convolved separately, and the result has in * multiplier
 * channels. Throws if the channels of images and filter differ, or if it both strides and dilates.
 * @param x Images, [batch, height, width, in], or one without the batch dimension.
 * @param filter Filter, [filterHeight, filterWidth, in, multiplier].
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dataFormat Order of the dimensions of `x`.
 * @param dilations Dilations of the filter in pixels, [height, width] or one for both.
 * @param dimRoundingMode Rounding of the output's size, for padding in pixels: 'floor' by default.
 * @example
 * tf.depthwiseConv2d([[[1, 10], [2, 20]]], tf.ones([1, 2, 2, 1]), 1, 'valid'); // [[[3, 30]]]
 */
export function depthwiseConv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  strides: Strides2D,
  pad: Pad,
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
  dilations: Strides2D = [1, 1],
  dimRoundingMode?: RoundingMode,
): T {
  const attrs = {
    ...strideAndDilationAttrs(strides, dilations),
    ...padAttrs(pad, dimRoundingMode, 'depthwiseConv2d', dataFormat),
  };
  return withNhwcBatch(x, 'depthwiseConv2d', dataFormat, (images) =>
    call(Op.depthwiseConv2d, [images, filter], writeConv, attrs),
  );
}

/**
 * Computes a depthwise 2D convolution of images, then a pointwise convolution over its channels. Throws if channels differ.
 * @param x Images, [batch, height, width, in], or one without the batch dimension.
 * @param depthwiseFilter Filter of the depthwise convolution, [filterHeight, filterWidth, in, multiplier].
 * @param pointwiseFilter Filter of the pointwise convolution, [1, 1, in * multiplier, out].
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid' or 'same'.
 * @param dilation Dilations of the filter in pixels, [height, width] or one for both.
 * @param dataFormat Order of the dimensions of `x`: only 'NHWC' is supported.
 * @example
 * tf.separableConv2d([[[1, 10], [2, 20]]], tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 2, 1]), 1, 'valid'); // [[[33]]]
 */
export function separableConv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  depthwiseFilter: Tensor4D | TensorLike,
  pointwiseFilter: Tensor4D | TensorLike,
  strides: Strides2D,
  pad: 'valid' | 'same',
  dilation: Strides2D = [1, 1],
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
): T {
  if (dataFormat === 'NCHW') {
    throw new Error('separableConv2d currently does not support dataFormat NCHW; only NHWC is supported');
  }
  checkDataFormat(dataFormat, ['NHWC'], 'separableConv2d');
  const attrs = { ...strideAndDilationAttrs(strides, dilation), ...padAttrs(pad, undefined, 'separableConv2d') };
  return withBatchDim(x, 'separableConv2d', (images) =>
    call(Op.separableConv2d, [images, depthwiseFilter, pointwiseFilter], writeConv, attrs),
  );
}

/**
 * Computes the transposed 2D convolution of images, which is the gradient of a convolution with respect to its input. Throws if
 * the shapes do not match.
 * @param x Images, [batch, height, width, in], or one without the batch dimension.
 * @param filter Filter, [filterHeight, filterWidth, out, in].
 * @param outputShape Shape of the result, [batch, height, width, out], or without the batch dimension as `x`.
 * @param strides Strides of the convolution in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dimRoundingMode Rounding of the convolution's output size, for padding in pixels: 'floor' by default.
 * @example
 * tf.conv2dTranspose([[[5]]], tf.ones([2, 2, 1, 1]), [2, 2, 1], 2, 'valid'); // [[[5], [5]], [[5], [5]]]
 */
export function conv2dTranspose<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  outputShape: [number, number, number, number] | [number, number, number],
  strides: Strides2D,
  pad: Pad,
  dimRoundingMode?: RoundingMode,
): T {
  // TensorFlow.js's transposed convolution takes integers, unlike its other convolutions.
  const input = toInput(x, 'x', 'conv2dTranspose');
  const weights = toInput(filter, 'filter', 'conv2dTranspose');
  const attrs = {
    outputShape: toBatchedShape(input, outputShape, 'conv2dTranspose'),
    ...strideAndDilationAttrs(strides),
    ...padAttrs(pad, dimRoundingMode, 'conv2dTranspose'),
  };
  return withBatchDim(input, 'conv2dTranspose', (images) =>
    runInInternalScope(() =>
      call(Op.conv2dTranspose, [castToFloat32(images), castToFloat32(weights)], writeConvTranspose, attrs),
    ),
  );
}
