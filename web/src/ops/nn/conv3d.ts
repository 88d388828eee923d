// Convolutions and poolings of NDHWC volumes with DHWIO filters. A single volume may come without its batch dimension.
import { Op, writeConv3D, writeConv3DTranspose, writePool3D } from '../../generated/ops.js';
import { call, callWithAttrs } from '../call.js';
import { toBatchedShape, checkDataFormat, withBatchDim, padAttrs, type RoundingMode } from './window_args.js';
import { toInput } from '../../tensor/input.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor4D, Tensor5D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { integer } from '../../util/integers.js';

type Size3D = [number, number, number] | number;
type Volume = Tensor4D | Tensor5D;

/** Converts a size, one number or [depth, height, width], to a triple. Throws unless they are integers. */
function triple(size: Size3D): [number, number, number] {
  const sizes = typeof size === 'number' ? [size, size, size] : size;
  return [integer(sizes[0]!, 'size'), integer(sizes[1]!, 'size'), integer(sizes[2]!, 'size')];
}

function strideAttrs(strides: Size3D): { strideD: number; strideH: number; strideW: number } {
  const [strideD, strideH, strideW] = triple(strides);
  return { strideD, strideH, strideW };
}

/**
 * Computes the 3D convolution of volumes with a filter. Throws if their channels differ, or if it both strides and dilates.
 * @param x Volumes, [batch, depth, height, width, in], or one without the batch dimension.
 * @param filter Filter, [filterDepth, filterHeight, filterWidth, in, out].
 * @param strides Strides in voxels, [depth, height, width] or one for all.
 * @param pad 'valid' or 'same'.
 * @param dataFormat Order of the dimensions of `x`: only 'NDHWC' is supported.
 * @param dilations Dilations of the filter in voxels, [depth, height, width] or one for all.
 * @example
 * tf.conv3d(tf.ones([2, 2, 2, 1]), tf.ones([2, 2, 2, 1, 1]), 1, 'valid'); // [[[[8]]]]
 */
export function conv3d<T extends Volume>(
  x: T | TensorLike,
  filter: Tensor5D | TensorLike,
  strides: Size3D,
  pad: 'valid' | 'same',
  dataFormat: 'NDHWC' | 'NCDHW' = 'NDHWC',
  dilations: Size3D = [1, 1, 1],
): T {
  checkDataFormat(dataFormat, ['NDHWC'], 'conv3d');
  const [dilationD, dilationH, dilationW] = triple(dilations);
  assert(
    dilationD > 0 && dilationH > 0 && dilationW > 0,
    () => 'Error in conv3D: Dilated rates should be larger than 0.',
  );
  const { padding } = padAttrs(pad, undefined, 'conv3d');
  const attrs = { ...strideAttrs(strides), dilationD, dilationH, dilationW, padding };
  return withBatchDim(x, 'conv3d', (volumes) => call(Op.conv3d, [volumes, filter], writeConv3D, attrs), 'x', 4);
}

/**
 * Computes the transposed 3D convolution of volumes, which is the gradient of a convolution with respect to its input.
 * @param x Volumes, [batch, depth, height, width, in], or one without the batch dimension.
 * @param filter Filter, [filterDepth, filterHeight, filterWidth, out, in].
 * @param outputShape Shape of the result, [batch, depth, height, width, out], or without the batch dimension as `x`.
 * @param strides Strides of the convolution in voxels, [depth, height, width] or one for all.
 * @param pad 'valid' or 'same'.
 * @example
 * tf.conv3dTranspose(tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 2, 1, 1]), [2, 2, 2, 1], 2, 'valid').shape; // [2, 2, 2, 1]
 */
export function conv3dTranspose<T extends Volume>(
  x: T | TensorLike,
  filter: Tensor5D | TensorLike,
  outputShape: [number, number, number, number, number] | [number, number, number, number],
  strides: Size3D,
  pad: 'valid' | 'same',
): T {
  const input = toInput(x, 'x', 'conv3dTranspose');
  const { padding } = padAttrs(pad, undefined, 'conv3dTranspose');
  const attrs = {
    outputShape: toBatchedShape(input, outputShape, 'conv3dTranspose', 4),
    ...strideAttrs(strides),
    padding,
  };
  return withBatchDim(
    input,
    'conv3dTranspose',
    (volumes) => call(Op.conv3dTranspose, [volumes, filter], writeConv3DTranspose, attrs),
    'x',
    4,
  );
}

type Pool3D =
  /**
   * @param x Volumes, [batch, depth, height, width, channels], or one without the batch dimension.
   * @param filterSize Size of the windows in voxels, [depth, height, width] or one for all.
   * @param strides Strides in voxels, [depth, height, width] or one for all.
   * @param pad 'valid', 'same', or padding in voxels.
   * @param dimRoundingMode Rounding of the output's extents, for padding in voxels: 'floor' by default.
   * @param dataFormat Order of the dimensions of `x`: only 'NDHWC' is supported.
   */
  <T extends Volume>(
    x: T | TensorLike,
    filterSize: Size3D,
    strides: Size3D,
    pad: 'valid' | 'same' | number,
    dimRoundingMode?: RoundingMode,
    dataFormat?: 'NDHWC' | 'NCDHW',
  ) => T;

function pool3d(op: Op, name: string): Pool3D {
  return <T extends Volume>(
    x: T | TensorLike,
    filterSize: Size3D,
    strides: Size3D,
    pad: 'valid' | 'same' | number,
    dimRoundingMode?: RoundingMode,
    dataFormat: 'NDHWC' | 'NCDHW' = 'NDHWC',
  ) => {
    assert(
      dataFormat === 'NDHWC',
      () => `Error in ${name}: Only NDHWC is currently supported, but got dataFormat of ${dataFormat}`,
    );
    const [windowD, windowH, windowW] = triple(filterSize);
    const { padding, padTop, rounding } = padAttrs(pad, dimRoundingMode, name);
    const attrs = { windowD, windowH, windowW, ...strideAttrs(strides), padding, pad: padTop, rounding };
    const given = op === Op.avgPool3d ? toInput(x, 'x', name, 'float32') : x;
    return withBatchDim(given, name, (volumes) => callWithAttrs(op, volumes, writePool3D, attrs), 'x', 4);
  };
}

/**
 * Computes the maximum of each window of volumes, [batch, depth, height, width, channels] or one without the batch dimension.
 * @example
 * tf.maxPool3d(tf.tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2, 1]), 2, 2, 'valid'); // [[[[8]]]]
 */
export const maxPool3d: Pool3D = pool3d(Op.maxPool3d, 'maxPool3d');
/**
 * Computes the mean of each window of volumes, [batch, depth, height, width, channels] or one without the batch dimension. The
 * padding is not counted.
 * @example
 * tf.avgPool3d(tf.tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2, 1]), 2, 2, 'valid'); // [[[[4.5]]]]
 */
export const avgPool3d: Pool3D = pool3d(Op.avgPool3d, 'avgPool3d');
