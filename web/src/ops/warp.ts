// Images drawn anew.
import { FillMode, Op, writeCrop, writeRotate, writeThreshold, writeTransform } from '../generated/ops.js';
import { call, callWith } from './call.js';
import { pair } from './windows.js';
import type { TensorLike } from '../runtime/types.js';
import { inputOf } from '../tensor/input.js';
import type { Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

const kFillModes = {
  constant: FillMode.constant,
  reflect: FillMode.reflect,
  wrap: FillMode.wrap,
  nearest: FillMode.nearest,
};

/**
 * Boxes [y1, x1, y2, x2], as parts of their image's height and width, cut out of images and made of one size.
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
    () => `Error in cropAndResize: cropSize must be of length 2, but got length ${(cropSize as number[]).length}.`,
  );
  checkInterpolation(method, 'method');
  const [height, width] = pair(cropSize, 'cropSize');
  const attrs = { height, width, nearest: method === 'nearest', outside: extrapolationValue };
  return call(Op.cropAndResize, [image, boxes, boxInd], writeCrop, attrs) as Tensor4D;
}

/**
 * Images seen through projections, each of eight numbers, which map points of the result to those of the image.
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
  const input = inputOf(image, 'image', 'transform', 'float32');
  assert(input.rank === 4, () => `Error in transform: image must be rank 4,but got rank ${input.rank}.`);
  assert(
    !outputShape || outputShape.length === 2,
    () => `Error in transform: outputShape must be [height, width] or null, but got ${outputShape!}.`,
  );
  checkInterpolation(interpolation, 'interpolation');
  const [height, width] = pair(outputShape ?? [input.shape[1]!, input.shape[2]!], 'outputShape');
  const attrs = { height, width, bilinear: interpolation === 'bilinear', fillMode: kFillModes[fillMode] ?? FillMode.constant, fill: fillValue };
  return call(Op.transform, [input, transforms], writeTransform, attrs) as Tensor4D;
}

function checkInterpolation(method: string, argument: string): void {
  assert(
    method === 'bilinear' || method === 'nearest',
    () => `${argument} must be bilinear or nearest, but was ${method}`,
  );
}

/**
 * Images turned by an angle about a centre, given as a part of their width and height.
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
  return callWith(Op.rotateWithOffset, image, writeRotate, attrs) as Tensor4D;
}

/**
 * An image in black and white, 0 and 255: what lies above a value of 0 to 1, or the best one by Otsu's method.
 * @example
 * tf.image.threshold(tf.tensor3d([10, 200], [1, 2, 1], 'int32')); // [[[0], [255]]]
 */
export function threshold(
  image: Tensor3D | TensorLike,
  method: 'binary' | 'otsu' = 'binary',
  inverted = false,
  threshValue = 0.5,
): Tensor3D {
  const input = inputOf(image, 'image', 'threshold');
  assert(
    input.dtype === 'int32' || input.dtype === 'float32',
    () => `Error in dtype: image dtype must be int32 or float32,but got dtype ${input.dtype}.`,
  );
  assert(method === 'otsu' || method === 'binary', () => `Method must be binary or otsu, but was ${method as string}`);
  const attrs = { value: threshValue, otsu: method === 'otsu', inverted };
  return callWith(Op.threshold, input, writeThreshold, attrs) as Tensor3D;
}
