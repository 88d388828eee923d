import { callWithAttrs } from '../call.js';
import { Op, writeResize } from '../../generated/ops.js';
import type { Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { assert } from '../../util/checks.js';
import { withBatchDim, pair } from '../nn/window_args.js';

type Resize =
  /**
   * @param images Images, [batch, height, width, channels], or one without the batch dimension.
   * @param size Size of the result in pixels, [height, width].
   * @param alignCorners True to map the centers of the corner pixels onto each other; false by default.
   * @param halfPixelCenters True if the center of pixel i is at i + 0.5; false by default. Throws with `alignCorners`.
   */
  <T extends Tensor3D | Tensor4D>(
    images: T | TensorLike,
    size: [number, number],
    alignCorners?: boolean,
    halfPixelCenters?: boolean,
  ) => T;

function resize(op: Op, name: string): Resize {
  return <T extends Tensor3D | Tensor4D>(
    images: T | TensorLike,
    size: [number, number],
    alignCorners = false,
    halfPixelCenters = false,
  ): T =>
    withBatchDim(
      images,
      name,
      (batch) => {
        assert(batch.rank === 4, () => `Error in ${name}: x must be rank 3 or 4, but got rank ${batch.rank}.`);
        assert(size.length === 2, () => `Error in ${name}: new shape must 2D, but got shape ${size as number[]}.`);
        assert(
          !halfPixelCenters || !alignCorners,
          () => `Error in ${name}: If halfPixelCenters is true, alignCorners must be false.`,
        );
        const [height, width] = pair(size, 'size');
        return callWithAttrs(op, batch, writeResize, { height, width, alignCorners, halfPixelCenters });
      },
      'images',
    );
}

/**
 * Resizes images [batch, height, width, channels], or one without the batch dimension, to a size [height, width] in pixels by
 * bilinear interpolation. Returns float32.
 * @example
 * tf.image.resizeBilinear([[[1], [3]]], [1, 4]); // [[[1], [2], [3], [3]]]
 */
export const resizeBilinear: Resize = resize(Op.resizeBilinear, 'resizeBilinear');
/**
 * Resizes images [batch, height, width, channels], or one without the batch dimension, to a size [height, width] in pixels by
 * nearest-neighbor interpolation.
 * @example
 * tf.image.resizeNearestNeighbor([[[1], [3]]], [1, 4]); // [[[1], [1], [3], [3]]]
 */
export const resizeNearestNeighbor: Resize = resize(Op.resizeNearestNeighbor, 'resizeNearestNeighbor');
