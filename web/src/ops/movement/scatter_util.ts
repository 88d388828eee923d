// tf.scatter_util and tf.gather_util: shapes and strides of scattering and gathering by coordinates.
import { assert } from '../../util/checks.js';
import { computeStrides, sizeFromShape } from '../../util/shape.js';

interface Info {
  /** Shape of the tensor. */
  readonly shape: readonly number[];
  /** Type of its elements. */
  readonly dtype: string;
}

/**
 * Throws unless the shape of updates is that of the indices without the last dimension, followed by that of a slice of `shape`.
 * @param shape Shape of the tensor to update.
 * @param indices Coordinates of the slices, in the last dimension.
 * @param updates Slices.
 * @example
 * tf.scatter_util.validateUpdateShape([5], tf.tensor([[0], [1]], [2, 1], 'int32'), tf.tensor([1, 2, 3])); // throws Error: Must have updates.shape = indices.shape[:batchDim] + shape[sliceDim:], got updates.shape: 3, indices.shape: 2,1, shape: 5, sliceDim: 1, and batchDim: 1. updates.shape[0] (3) != indices.shape[0] (2).
 */
export function validateUpdateShape(shape: readonly number[], indices: Info, updates: Info): void {
  const rank = indices.shape.length;
  const sliceDim = rank > 1 ? indices.shape[rank - 1]! : 1;
  const batchDim = rank > 1 ? rank - 1 : 1;
  const given = updates.shape;
  const fail = (what: string): never => {
    throw new Error(
      'Must have updates.shape = indices.shape[:batchDim] + shape[sliceDim:], ' +
        `got updates.shape: ${given}, indices.shape: ${indices.shape}, shape: ${shape}, ` +
        `sliceDim: ${sliceDim}, and batchDim: ${batchDim}.${what}`,
    );
  };
  if (given.length < batchDim) fail(` update.rank < ${batchDim}. `);
  const extent = sliceDim + given.length - batchDim;
  if (shape.length < extent) fail(` Output shape length < ${extent}`);
  if (shape.length !== extent) fail(` update.rank != ${batchDim + shape.length - sliceDim}`);
  given.forEach((size, i) => {
    if (i < batchDim) {
      if (size !== indices.shape[i])
        fail(` updates.shape[${i}] (${size}) != indices.shape[${i}] (${indices.shape[i]}).`);
    } else if (size !== shape[i - batchDim + sliceDim]) {
      fail(` updates.shape[${i}] (${size}) != shape[${i}] (${shape[i]})`);
    }
  });
}

/**
 * Throws unless updates can be scattered into a tensor.
 * @param updates Slices.
 * @param indices Coordinates of the slices, in the last dimension, as int32.
 * @param shape Shape of the tensor.
 * @example
 * tf.scatter_util.validateInput(tf.tensor([1, 2]), tf.tensor([[0], [1]], [2, 1], 'int32'), []); // throws Error: Output rank must be greater or equal to 1, but got shape:
 */
export function validateInput(updates: Info, indices: Info, shape: readonly number[]): void {
  const [indicesRank, updatesRank] = [indices.shape.length, updates.shape.length];
  assert(
    indicesRank >= 1,
    () => `tf.scatterND() expects the indices to be rank 1 or higher, but the rank was ${indicesRank}.`,
  );
  assert(
    updatesRank >= 1,
    () => `tf.scatterND() expects the updates to be rank 1 or higher, but the rank was ${updatesRank}.`,
  );
  assert(indices.dtype === 'int32', () => `The dtype of 'indices' should be int32, but got dtype: ${indices.dtype}`);
  assert(shape.length >= 1, () => `Output rank must be greater or equal to 1, but got shape: ${shape}`);
  validateUpdateShape(shape, indices, updates);
}

/**
 * Returns the shapes of a scatter: the coordinates' length, the number and size of slices, their strides, and the output's size.
 * @param _updates Not used.
 * @param indices Coordinates of the slices, in the last dimension.
 * @param shape Shape of the tensor to update.
 * @example
 * tf.scatter_util.calculateShapes({ shape: [2] }, { rank: 2, shape: [2, 1] }, [5]); // { sliceRank: 1, numUpdates: 2, sliceSize: 1, strides: [1], outputSize: 5 }
 */
export function calculateShapes(_updates: Info, indices: Info, shape: readonly number[]) {
  const rank = indices.shape.length;
  const sliceRank = rank > 1 ? indices.shape[rank - 1]! : 1;
  return {
    sliceRank,
    numUpdates: sizeFromShape(indices.shape) / Math.max(1, sliceRank),
    sliceSize: sizeFromShape(shape.slice(sliceRank)),
    strides: [...computeStrides(shape.slice(0, sliceRank)), 1],
    outputSize: sizeFromShape(shape),
  };
}

/**
 * Returns the shapes of a gather: the result's shape, the number of slices, their size and their strides. Throws if the
 * coordinates, in the last dimension of the indices, are not int32 or too long, or if the tensor is empty.
 * @example
 * tf.gather_util.prepareAndValidate(tf.zeros([2, 3]), tf.tensor([[0, 1]], [1, 2], 'int32')); // [[1], 1, 1, [3, 1]]
 */
export function prepareAndValidate(tensor: Info, indices: Info): [number[], number, number, number[]] {
  const rank = tensor.shape.length;
  const depth = indices.shape.length;
  const sliceRank = indices.shape[depth - 1]!;
  assert(rank >= 1, () => `tf.gatherND() expects the input to be rank 1 or higher, but the rank was ${rank}.`);
  assert(depth >= 1, () => `tf.gatherND() expects the indices to be rank 1 or higher, but the rank was ${depth}.`);
  assert(
    indices.dtype === 'int32',
    () => `tf.gatherND() expects the indices to be int32 type, but the dtype was ${indices.dtype}.`,
  );
  assert(
    sliceRank <= rank,
    () => `index innermost dimension length must be <= tensor rank; saw: ${sliceRank} vs. ${rank}`,
  );
  assert(
    sizeFromShape(tensor.shape) > 0,
    () => `Requested more than 0 entries, but input is empty. Input shape: ${tensor.shape}.`,
  );
  const batch = indices.shape.slice(0, -1);
  const slice = tensor.shape.slice(sliceRank);
  const sliceSize = sizeFromShape(slice);
  const strides = [...computeStrides(tensor.shape).map((step) => step / sliceSize), 1].slice(0, sliceRank);
  return [[...batch, ...slice], sizeFromShape(batch), sliceSize, strides];
}
