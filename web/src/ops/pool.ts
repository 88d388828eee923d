// Poolings of images NHWC. A single image may come without its batch dimension.
import { callUnary, callWith } from './call.js';
import { Op, writePool } from '../generated/ops.js';
import type { Tensor3D, Tensor4D } from '../tensor/tensor.js';
import type { TensorLike } from '../runtime/types.js';
import { arraysEqual } from '../util/checks.js';
import { onBatch, padAttrs, pair, steps, type Pad, type RoundingMode } from './windows.js';
import { inputOf } from '../tensor/input.js';

type Size2D = [number, number] | number;

/**
 * The largest element under each window of images, [batch, height, width, channels] or without the batch; `filterSize`
 * and `strides` are in pixels, [height, width] or one for both.
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
  return slide(Op.maxPool, 'maxPool', x, filterSize, strides, 1, pad, dimRoundingMode) as T;
}

/**
 * The mean under each window of images, [batch, height, width, channels] or without the batch, of what lies inside the
 * image.
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
  return slide(Op.avgPool, 'avgPool', x, filterSize, strides, 1, pad, dimRoundingMode) as T;
}

/**
 * Either pooling, with dilation. Throws when it both strides and dilates.
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
  return slide(op, 'pool', input, windowShape, strides ?? 1, dilations, pad, dimRoundingMode) as T;
}

function slide(
  op: Op,
  name: string,
  x: Tensor3D | Tensor4D | TensorLike,
  size: Size2D,
  strides: Size2D,
  dilations: Size2D | null,
  pad: Pad,
  rounding: RoundingMode | undefined,
) {
  const [windowH, windowW] = pair(size, 'filterSize');
  const attrs = { windowH, windowW, ...steps(strides, dilations), ...padAttrs(pad, rounding, name) };
  const given = op === Op.avgPool ? inputOf(x, 'x', name, 'float32') : x;
  return onBatch(given, name, (images) => {
    const pooled = callWith(op, images, writePool, attrs);
    // TensorFlow.js takes a window of one pixel for one that does nothing, where it leaves the size, whatever its pads.
    if (windowH !== 1 || windowW !== 1 || !arraysEqual(pooled.shape, images.shape)) return pooled;
    pooled.dispose();
    return callUnary(Op.identity, images);
  });
}
