import { Op, writeBlocks, writeDepthToSpace } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput } from '../../tensor/input.js';
import type { Tensor, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { sizeFromShape } from '../../util/shape.js';

type Edges = number[][];

function blocks(block: readonly number[], edges: Edges) {
  return { block, before: edges.map(([before]) => before!), after: edges.map(([, after]) => after!) };
}

/**
 * Rearranges examples of the batch to blocks of the spatial dimensions; the inverse of spaceToBatchND().
 * @param x Tensor, [batch, ...spatial, ...]. Throws unless the batch is a multiple of the block's size.
 * @param blockShape Extent of the block in each spatial dimension.
 * @param crops Number of elements to crop afterwards, `[before, after]` for each spatial dimension.
 * @example
 * tf.batchToSpaceND([[[1]], [[2]]], [2], [[0, 0]]); // [[[1], [2]]]
 */
export function batchToSpaceND<T extends Tensor>(x: T | TensorLike, blockShape: number[], crops: Edges): T {
  const input = toInput(x, 'x', 'batchToSpaceND');
  const { rank, shape } = input;
  const count = sizeFromShape(blockShape);
  assert(
    rank >= 1 + blockShape.length,
    () => `input rank is ${rank} but should be > than blockShape.length ${blockShape.length}`,
  );
  assert(
    crops.length === blockShape.length,
    () => `crops.length is ${crops.length} but should be equal to blockShape.length  ${blockShape.length}`,
  );
  assert(
    shape[0] % count === 0,
    () =>
      `input tensor batch is ${shape[0]} but is not divisible by the product of the elements of ` +
      `blockShape ${blockShape.join(' * ')} === ${count}`,
  );
  return callWithAttrs(Op.batchToSpace, input, writeBlocks, blocks(blockShape, crops));
}

/**
 * Rearranges blocks of the spatial dimensions to examples of the batch.
 * @param x Tensor, [batch, ...spatial, ...]. Throws unless its padded spatial dimensions are multiples of the block's.
 * @param blockShape Extent of the block in each spatial dimension.
 * @param paddings Number of zeros to pad with first, `[before, after]` for each spatial dimension.
 * @example
 * tf.spaceToBatchND([[[1], [2]]], [2], [[0, 0]]); // [[[1]], [[2]]]
 */
export function spaceToBatchND<T extends Tensor>(x: T | TensorLike, blockShape: number[], paddings: Edges): T {
  const input = toInput(x, 'x', 'spaceToBatchND');
  const { rank, shape } = input;
  assert(rank >= 1 + blockShape.length, () => `input rank ${rank} should be > than [blockShape] ${blockShape.length}`);
  assert(
    paddings.length === blockShape.length,
    () => `paddings.shape[0] ${paddings.length} must be equal to [blockShape] ${blockShape.length}`,
  );
  assert(
    blockShape.every((block, i) => (shape[i + 1]! + paddings[i]![0]! + paddings[i]![1]!) % block === 0),
    () =>
      `input spatial dimensions ${shape.slice(1)} with paddings ${paddings.toString()} must be divisible by ` +
      `blockShapes ${blockShape.toString()}`,
  );
  return callWithAttrs(Op.spaceToBatch, input, writeBlocks, blocks(blockShape, paddings));
}

/**
 * Rearranges channels of images to blocks of the height and width.
 * @param x Images, [batch, height, width, channels]. Throws unless the channels are a multiple of the squared block size.
 * @param blockSize Height and width of a block in pixels. Throws unless it is above 1.
 * @param dataFormat Order of the dimensions of `x`.
 * @example
 * tf.depthToSpace([[[[1, 2, 3, 4]]]], 2); // [[[[1], [2]], [[3], [4]]]]
 */
export function depthToSpace(
  x: Tensor4D | TensorLike,
  blockSize: number,
  dataFormat: 'NHWC' | 'NCHW' = 'NHWC',
): Tensor4D {
  const attrs = { block: blockSize, channelsFirst: dataFormat === 'NCHW' };
  const input = toInput(x, 'x', 'depthToSpace', 'float32');
  const [channels, cells] = [input.shape[dataFormat === 'NCHW' ? 1 : 3]!, blockSize * blockSize];
  assert(blockSize > 1, () => `blockSize should be > 1 for depthToSpace, but was: ${blockSize}`);
  assert(
    input.rank !== 4 || channels % cells === 0,
    () =>
      `Dimension size must be evenly divisible by ${cells} but is ${channels} for depthToSpace with input ` +
      `shape ${input.shape}`,
  );
  return callWithAttrs(Op.depthToSpace, input, writeDepthToSpace, attrs);
}
