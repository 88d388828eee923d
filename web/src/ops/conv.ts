// Convolutions of images NHWC with filters HWIO. A single image may come without its batch dimension.
import { call } from './call.js';
import { cast } from './cast.js';
import { Op, writeConv, writeConvTranspose } from '../generated/ops.js';
import { inputOf } from '../tensor/input.js';
import { composed } from '../owner/scope.js';
import { Tensor, type Tensor2D, type Tensor3D, type Tensor4D } from '../tensor/tensor.js';
import type { TensorLike } from '../runtime/types.js';
import { assert } from '../util/checks.js';
import { reshape } from './view.js';
import { checkDataFormat, onBatch, onImages, padAttrs, steps, type Pad, type RoundingMode } from './windows.js';

type Steps2D = [number, number] | number;

/** A convolution. Throws when the depths do not fit, or when it both strides and dilates. */
export function conv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  strides: Steps2D,
  pad: Pad,
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
  dilations: Steps2D = [1, 1],
  dimRoundingMode?: RoundingMode,
): T {
  const attrs = { ...steps(strides, dilations), ...padAttrs(pad, dimRoundingMode, 'conv2d', dataFormat) };
  return onImages(x, 'conv2d', dataFormat, (images) => call(Op.conv2d, [images, filter], writeConv, attrs)) as T;
}

/** A convolution along one axis: x is [batch, width, channels] or without the batch, the filter [width, in, out]. */
export function conv1d<T extends Tensor2D | Tensor3D>(
  x: T | TensorLike,
  filter: Tensor3D | TensorLike,
  stride: number,
  pad: 'valid' | 'same' | number,
  dataFormat: 'NWC' | 'NCW' = 'NWC',
  dilation = 1,
  dimRoundingMode?: RoundingMode,
): T {
  const input = inputOf(x, 'x', 'conv1d') as Tensor;
  const kernel = inputOf(filter, 'filter', 'conv1d') as Tensor;
  assert(
    input.rank === 2 || input.rank === 3,
    () => `Error in conv1d: input must be rank 3, but got rank ${input.rank}.`,
  );
  assert(kernel.rank === 3, () => `Error in conv1d: filter must be rank 3, but got rank ${kernel.rank}.`);
  checkDataFormat(dataFormat, ['NWC'], 'conv1d');
  return composed(() => {
    const [batch, width, depth] = [...(input.rank === 3 ? input.shape : [1, ...input.shape])] as number[];
    const images: Tensor4D = reshape(input, [batch!, 1, width!, depth!]);
    const filters: Tensor4D = reshape(kernel, [1, ...kernel.shape] as Tensor4D['shape']);
    const rows = typeof pad === 'number' ? onColumns(pad) : pad;
    const result = conv2d(images, filters, [1, stride], rows, 'NHWC', [1, dilation], dimRoundingMode);
    const kept = input.rank === 3 ? [result.shape[0]] : [];
    return reshape(result, [...kept, result.shape[2], result.shape[3]] as [number, number]);
  }) as T;
}

function onColumns(pad: number): Pad {
  return [
    [0, 0],
    [0, 0],
    [pad, pad],
    [0, 0],
  ];
}

/** A convolution of each channel by itself; the filter is [height, width, channels, multiplier]. */
export function depthwiseConv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  strides: Steps2D,
  pad: Pad,
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
  dilations: Steps2D = [1, 1],
  dimRoundingMode?: RoundingMode,
): T {
  const attrs = { ...steps(strides, dilations), ...padAttrs(pad, dimRoundingMode, 'depthwiseConv2d', dataFormat) };
  return onImages(x, 'depthwiseConv2d', dataFormat, (images) =>
    call(Op.depthwiseConv2d, [images, filter], writeConv, attrs),
  ) as T;
}

/** A depthwise convolution, then a convolution of 1 by 1 over its channels. */
export function separableConv2d<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  depthwiseFilter: Tensor4D | TensorLike,
  pointwiseFilter: Tensor4D | TensorLike,
  strides: Steps2D,
  pad: 'valid' | 'same',
  dilation: Steps2D = [1, 1],
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
): T {
  if (dataFormat === 'NCHW') {
    throw new Error('separableConv2d currently does not support dataFormat NCHW; only NHWC is supported');
  }
  const input = inputOf(x, 'x', 'separableConv2d');
  assert(
    input.rank === 3 || input.rank === 4,
    () => `Error in separableConv2d: input must be rank 4, but got rank ${input.rank}.`,
  );
  const deep = inputOf(depthwiseFilter, 'depthwiseFilter', 'separableConv2d');
  const point = inputOf(pointwiseFilter, 'pointwiseFilter', 'separableConv2d');
  for (const [name, { rank }] of Object.entries({ depthwise: deep, pointwise: point })) {
    assert(rank === 4, () => `Error in separableConv2d: ${name} filter must be rank 4, but got rank ${rank}.`);
  }
  const expected = [1, 1, deep.shape[2]! * deep.shape[3]!];
  for (const [i, place] of ['first', 'second', 'third'].entries()) {
    assert(
      point.shape[i] === expected[i],
      () =>
        `Error in separableConv2d: the ${place} dimension of pointwise filter must be ${expected[i]}, ` +
        `but got ${point.shape[i]}.`,
    );
  }
  return composed(() => {
    const channels = depthwiseConv2d(input as T, deep as Tensor4D, strides, pad, dataFormat, dilation);
    return conv2d(channels, point as Tensor4D, 1, 'valid', dataFormat);
  });
}

/** The transpose of a convolution: what its gradient does to its input. Makes images of `outputShape`. */
export function conv2dTranspose<T extends Tensor3D | Tensor4D>(
  x: T | TensorLike,
  filter: Tensor4D | TensorLike,
  outputShape: [number, number, number, number] | [number, number, number],
  strides: Steps2D,
  pad: Pad,
  dimRoundingMode?: RoundingMode,
): T {
  const shape = outputShape.length === 3 ? [1, ...outputShape] : outputShape;
  const attrs = { outputShape: shape, ...steps(strides), ...padAttrs(pad, dimRoundingMode, 'conv2dTranspose') };
  return onBatch(x, 'conv2dTranspose', (images) =>
    composed(() => call(Op.conv2dTranspose, [floatsOf(images), floatsOf(filter)], writeConvTranspose, attrs)),
  ) as T;
}

// Unlike its fellows, TensorFlow.js's transposed convolution takes integers.
function floatsOf<X>(x: X): X | Tensor {
  return x instanceof Tensor && x.dtype === 'int32' ? cast(x, 'float32') : x;
}
