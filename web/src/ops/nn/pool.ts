// Poolings of NHWC images. A single image may come without its batch dimension.
import { callUnary, callWithAttrs } from '../call.js';
import { Op, writePool } from '../../generated/ops.js';
import type { Tensor, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { arraysEqual } from '../../util/checks.js';
import { withBatchDim, padAttrs, pair, strideAndDilationAttrs, type Pad, type RoundingMode } from './window_args.js';
import { toInput } from '../../tensor/input.js';

type Size2D = [number, number] | number;

/**
 * Computes the maximum of each window of images.
 * @param x Images, [batch, height, width, channels], or one without the batch dimension.
 * @param filterSize Size of the windows in pixels, [height, width] or one for both.
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dimRoundingMode Rounding of the output's size, for padding in pixels: 'floor' by default.
 * @example
 * tf.maxPool([[[1], [2]], [[3], [4]]], 2, 2, 'valid'); // [[[4]]]
 */
export function maxPool<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filterSize: Size2D,
  strides: Size2D,
  pad: Pad,
  dimRoundingMode?: RoundingMode,
): T {
  return runPool(Op.maxPool, 'maxPool', x, filterSize, strides, 1, pad, dimRoundingMode);
}

/**
 * Computes the mean of each window of images. The padding is not counted.
 * @param x Images, [batch, height, width, channels], or one without the batch dimension.
 * @param filterSize Size of the windows in pixels, [height, width] or one for both.
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dimRoundingMode Rounding of the output's size, for padding in pixels: 'floor' by default.
 * @example
 * tf.avgPool([[[1], [2]], [[3], [4]]], 2, 2, 'valid'); // [[[2.5]]]
 */
export function avgPool<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filterSize: Size2D,
  strides: Size2D,
  pad: Pad,
  dimRoundingMode?: RoundingMode,
): T {
  return runPool(Op.avgPool, 'avgPool', x, filterSize, strides, 1, pad, dimRoundingMode);
}

/**
 * Computes max or average pooling of images, with optional dilation. Throws if it both strides and dilates.
 * @param input Images, [batch, height, width, channels], or one without the batch dimension.
 * @param windowShape Size of the windows in pixels, [height, width] or one for both.
 * @param poolingType 'max' or 'avg'; the mean does not count the padding.
 * @param pad 'valid', 'same', or padding in pixels: one for all sides, or `[before, after]` for each dimension.
 * @param dilations Dilations of the windows in pixels, [height, width] or one for both.
 * @param strides Strides in pixels, [height, width] or one for both.
 * @param dimRoundingMode Rounding of the output's size, for padding in pixels: 'floor' by default.
 * @example
 * tf.pool([[[1], [2]], [[3], [4]]], [1, 2], 'max', 'valid'); // [[[2]], [[4]]]
 */
export function pool<T extends Tensor3D | Tensor4D>(
  input: T | TensorLike,
  windowShape: Size2D,
  poolingType: 'avg' | 'max',
  pad: Pad,
  dilations: Size2D | null = 1,
  strides: Size2D | null = 1,
  dimRoundingMode?: RoundingMode,
): T {
  const op = poolingType === 'avg' ? Op.avgPool : Op.maxPool;
  return runPool(op, 'pool', input, windowShape, strides ?? 1, dilations, pad, dimRoundingMode);
}

function runPool<T extends Tensor>(
  op: Op,
  name: string,
  x: Tensor3D | Tensor4D | TensorLike,
  size: Size2D,
  strides: Size2D,
  dilations: Size2D | null,
  pad: Pad,
  rounding: RoundingMode | undefined,
): T {
  const [windowH, windowW] = pair(size, 'filterSize');
  const attrs = { windowH, windowW, ...strideAndDilationAttrs(strides, dilations), ...padAttrs(pad, rounding, name) };
  const given = op === Op.avgPool ? toInput(x, 'x', name, 'float32') : x;
  return withBatchDim<T>(given, name, (images) => {
    const pooled: T = callWithAttrs(op, images, writePool, attrs);
    // As in TensorFlow.js, a window of one pixel is the identity if it keeps the size, whatever the padding.
    if (windowH !== 1 || windowW !== 1 || !arraysEqual(pooled.shape, images.shape)) return pooled;
    pooled.dispose();
    return callUnary(Op.identity, images);
  });
}
