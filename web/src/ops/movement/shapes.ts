// Ops of shapes, diagonals and grids.
import { Op, writeMeshGrid } from '../../generated/ops.js';
import { callAll, callUnary } from '../call.js';
import { reshape } from './reshape.js';
import type { Shape, TensorLike } from '../../runtime/types.js';
import { createTensor } from '../../tensor/create.js';
import { toInput } from '../../tensor/input.js';
import { Tensor } from '../../tensor/tensor.js';
import { assertAndGetBroadcastShape } from '../../util/broadcast.js';
import { arraysEqualWithNull } from '../../util/checks.js';

type TensorOrLike = Tensor | TensorLike;

/**
 * Returns the tensor itself. Throws unless its shape matches `shape`, in which null is any extent.
 * @example
 * tf.ensureShape(tf.ones([2, 3]), [null, 3]).shape; // [2, 3]
 * tf.ensureShape(tf.ones([2, 3]), [null, 4]); // throws Error: EnsureShape: Shape of tensor 2,3 is not compatible with expected shape ,4
 */
export function ensureShape<T extends Tensor>(x: T, shape: Shape): T {
  const given = toInput(x, 'x', 'ensureShape', 'string_or_numeric').shape;
  if (arraysEqualWithNull(given, shape)) return x;
  throw new Error(`EnsureShape: Shape of tensor ${given} is not compatible with expected shape ${shape}`);
}

/**
 * Returns the shape to which two shapes broadcast, all as int32 vectors. Throws if they are not compatible.
 * @example
 * tf.broadcastArgs(tf.tensor([2, 1], [2], 'int32'), tf.tensor([3], [1], 'int32')); // [2, 3]
 */
export function broadcastArgs(s0: TensorOrLike, s1: TensorOrLike): Tensor {
  const [a, b] = [s0, s1].map((shape, i) => {
    const input = toInput(shape, `s${i}`, 'broadcastArgs', 'int32');
    if (input.rank !== 1) {
      const place = i === 0 ? 'first' : 'second';
      throw new Error(`broadcastArgs(): ${place} input must be a vector (rank=1). Has rank ${input.rank}`);
    }
    return [...(input instanceof Tensor ? input.dataSync<'int32'>() : (input.values as Int32Array))];
  }) as [number[], number[]];
  const shape = assertAndGetBroadcastShape(a, b);
  return createTensor(Int32Array.from(shape), [shape.length], 'int32');
}

/**
 * Returns a tensor of twice the rank, with the elements of x on its diagonal and zeros elsewhere.
 * @example
 * tf.diag([1, 2]); // [[1, 0], [0, 2]]
 */
export function diag(x: TensorOrLike): Tensor {
  return callUnary(Op.diag, x);
}

/** Options of meshgrid(). */
interface MeshGridOptions {
  /** 'xy' (default): `x` runs along the columns. 'ij': `x` runs along the rows. */
  indexing?: 'xy' | 'ij';
}

/**
 * Returns the coordinates of a grid.
 * @param x Coordinates along the columns, or along the rows for the indexing 'ij'.
 * @param y Coordinates along the rows, or along the columns for the indexing 'ij'.
 * @param options Indexing of the grid.
 * @example
 * const [x, y] = tf.meshgrid([1, 2, 3], [4, 5]);
 * x; // [[1, 2, 3], [1, 2, 3]]
 * y; // [[4, 4, 4], [5, 5, 5]]
 */
export function meshgrid<T extends Tensor>(
  x?: T | TensorLike,
  y?: T | TensorLike,
  { indexing = 'xy' }: MeshGridOptions = {},
): Tensor[] {
  if (indexing !== 'xy' && indexing !== 'ij') {
    throw new TypeError(`${String(indexing)} is not a valid third argument to meshgrid`);
  }
  if (x === undefined) return [];
  const across = toInput(x, 'x', 'meshgrid') as Tensor;
  if (y === undefined) return [reshape(across, across.shape as number[])];
  const down = toInput(y, 'y', 'meshgrid') as Tensor;
  return callAll(Op.meshgrid, [across, down], writeMeshGrid, { alongRows: indexing === 'ij' });
}
