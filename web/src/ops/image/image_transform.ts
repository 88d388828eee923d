// Transformations of images: crops, projections, rotations and thresholds.
import { FillMode, Op, writeCrop, writeRotate, writeThreshold, writeTransform } from '../../generated/ops.js';
import { call, callWithAttrs } from '../call.js';
import { pair } from '../nn/window_args.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

const kFillModes = {
  constant: FillMode.constant,
  reflect: FillMode.reflect,
  wrap: FillMode.wrap,
  nearest: FillMode.nearest,
};

/**
 * Crops boxes out of images and resizes them to one size. Returns [boxes, cropHeight, cropWidth, channels].
 * @param image Images, [batch, height, width, channels].
 * @param boxes Boxes [y1, x1, y2, x2], relative to the height and width of the image.
 * @param boxInd Index of the image of each box.
 * @param cropSize Size of the crops in pixels, [height, width].
 * @param method Interpolation.
 * @param extrapolationValue Value of pixels outside the image.
 * @example
 * const image = tf.tensor([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.image.cropAndResize(image, [[0, 0, 1, 0]], tf.tensor([0], [1], 'int32'), [2, 1]); // [[[[1]], [[3]]]]
 */
export function cropAndResize(
  image: Tensor4D | TensorLike,
  boxes: Tensor2D | TensorLike,
  boxInd: Tensor1D | TensorLike,
  cropSize: [number, number],
  method: 'bilinear' | 'nearest' = 'bilinear',
  extrapolationValue = 0,
): Tensor4D {
  assert(
    cropSize.length === 2,
    () => `Error in cropAndResize: cropSize must be of length 2, but got length ${cropSize.length}.`,
  );
  checkInterpolation(method, 'method');
  const [height, width] = pair(cropSize, 'cropSize');
  const attrs = { height, width, nearest: method === 'nearest', outside: extrapolationValue };
  return call(Op.cropAndResize, [image, boxes, boxInd], writeCrop, attrs);
}

/**
 * Applies projective transforms to images.
 * @param image Images, [batch, height, width, channels].
 * @param transforms Eight numbers for each image, or for all, which map points of the output to points of the image.
 * @param interpolation Interpolation.
 * @param fillMode Treatment of points outside the image.
 * @param fillValue Value of points outside the image, for the mode 'constant'.
 * @param outputShape Size of the output in pixels, [height, width]: that of the image by default.
 * @example
 * tf.image.transform([[[[1], [2], [3]]]], [[1, 0, 1, 0, 1, 0, 0, 0]]); // [[[[2], [3], [0]]]]
 */
export function transform(
  image: Tensor4D | TensorLike,
  transforms: Tensor2D | TensorLike,
  interpolation: 'nearest' | 'bilinear' = 'nearest',
  fillMode: keyof typeof kFillModes = 'constant',
  fillValue = 0,
  outputShape?: [number, number],
): Tensor4D {
  const input = toInput(image, 'image', 'transform', 'float32');
  assert(input.rank === 4, () => `Error in transform: image must be rank 4,but got rank ${input.rank}.`);
  assert(
    !outputShape || outputShape.length === 2,
    () => `Error in transform: outputShape must be [height, width] or null, but got ${outputShape!}.`,
  );
  checkInterpolation(interpolation, 'interpolation');
  const [height, width] = pair(outputShape ?? [input.shape[1]!, input.shape[2]!], 'outputShape');
  const attrs = {
    height,
    width,
    bilinear: interpolation === 'bilinear',
    fillMode: kFillModes[fillMode] ?? FillMode.constant,
    fill: fillValue,
  };
  return call(Op.transform, [input, transforms], writeTransform, attrs);
}

function checkInterpolation(method: string, argument: string): void {
  assert(
    method === 'bilinear' || method === 'nearest',
    () => `${argument} must be bilinear or nearest, but was ${method}`,
  );
}

/**
 * Rotates images about a center.
 * @param image Images, [batch, height, width, channels].
 * @param radians Angle in radians.
 * @param fillValue Value of pixels outside the image, or values of red, green and blue.
 * @param center Center, [x, y] or one for both, relative to the width and height.
 * @example
 * tf.image.rotateWithOffset([[[[1], [2]], [[3], [4]]]], Math.PI, 0, 0.25); // [[[[4], [3]], [[2], [1]]]]
 */
export function rotateWithOffset(
  image: Tensor4D | TensorLike,
  radians: number,
  fillValue: number | [number, number, number] = 0,
  center: number | [number, number] = 0.5,
): Tensor4D {
  const isOne = typeof fillValue === 'number';
  const [red, green, blue] = isOne ? [fillValue, fillValue, fillValue] : fillValue;
  const [centerX, centerY] = typeof center === 'number' ? [center, center] : center;
  const attrs = { radians, centerX, centerY, red, green, blue, opacity: isOne ? fillValue : 255 };
  return callWithAttrs(Op.rotateWithOffset, image, writeRotate, attrs);
}

/**
 * Converts an image of values up to 255 to black and white, 0 and 255, by a threshold.
 * @param image Image, [height, width, channels] of int32 or float32.
 * @param method 'binary' for the threshold `threshValue`, 'otsu' for the one that Otsu's method computes.
 * @param inverted True to make values above the threshold black.
 * @param threshValue Threshold from 0 to 1, relative to 255.
 * @example
 * tf.image.threshold(tf.tensor3d([10, 200], [1, 2, 1], 'int32')); // [[[0], [255]]]
 */
export function threshold(
  image: Tensor3D | TensorLike,
  method: 'binary' | 'otsu' = 'binary',
  inverted = false,
  threshValue = 0.5,
): Tensor3D {
  const input = toInput(image, 'image', 'threshold');
  assert(
    input.dtype === 'int32' || input.dtype === 'float32',
    () => `Error in dtype: image dtype must be int32 or float32,but got dtype ${input.dtype}.`,
  );
  assert(method === 'otsu' || method === 'binary', () => `Method must be binary or otsu, but was ${method}`);
  const attrs = { value: threshValue, otsu: method === 'otsu', inverted };
  return callWithAttrs(Op.threshold, input, writeThreshold, attrs);
}
