// tf.sparse
import { Op } from '../../generated/ops.js';
import { callAll } from '../call.js';
import { stripOpPrefix } from '../strip_op_prefix.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput, type Input } from '../../tensor/input.js';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '../../tensor/tensor.js';

/**
 * Fills the empty rows of a sparse tensor with a default value in their first column.
 * @param indices Coordinates of the values, [count, rank].
 * @param values Values.
 * @param denseShape Shape of the dense tensor.
 * @param defaultValue Value for empty rows.
 * @example
 * const indices = tf.tensor([[0, 0], [2, 1]], [2, 2], 'int32');
 * const shape = tf.tensor([3, 2], [2], 'int32');
 * const { outputIndices, outputValues } = tf.sparse.sparseFillEmptyRows(indices, [5, 7], shape, -1);
 * outputIndices; // [[0, 0], [1, 0], [2, 1]]
 * outputValues; // [5, -1, 7]
 */
export function sparseFillEmptyRows(
  indices: Tensor2D | TensorLike,
  values: Tensor1D | TensorLike,
  denseShape: Tensor1D | TensorLike,
  defaultValue: Scalar | TensorLike,
): {
  /** Coordinates of the values, [count, rank], ordered by row. */
  outputIndices: Tensor;
  /** Values, with the default value for each row that was empty. */
  outputValues: Tensor;
  /** True for each row that was empty. */
  emptyRowIndicator: Tensor;
  /** Index of each input value among the output values. */
  reverseIndexMap: Tensor;
} {
  const name = 'sparseFillEmptyRows';
  const places = toInput(indices, 'indices', name, 'int32');
  const given = toInput(values, 'values', name, 'string_or_numeric');
  const shape = toInput(denseShape, 'denseShape', name, 'int32');
  const fallback = toInput(defaultValue, 'defaultValue', name, given.dtype);
  checkRank(places, 2, 'Indices');
  checkRank(given, 1, 'Values');
  checkRank(shape, 1, 'Dense shape');
  if (fallback.rank !== 0) throw new Error(`Default value should be a scalar but received shape ${fallback.shape}`);
  const [outputIndices, outputValues, emptyRowIndicator, reverseIndexMap] = stripOpPrefix(() =>
    callAll(Op.sparseFillEmptyRows, [places, given, shape, fallback]),
  ) as [Tensor, Tensor, Tensor, Tensor];
  return { outputIndices, outputValues, emptyRowIndicator, reverseIndexMap };
}

/**
 * Returns the coordinates that the elements of a sparse tensor have in another shape, and that shape.
 * @param inputIndices Coordinates of the values, [count, rank].
 * @param inputShape Shape of the dense tensor.
 * @param newShape New shape, of which one extent may be -1.
 * @example
 * const int32 = (values, shape) => tf.tensor(values, shape, 'int32');
 * tf.sparse.sparseReshape(int32([[0, 0], [1, 2]], [2, 2]), int32([2, 3], [2]), int32([3, -1], [2])); // { outputIndices: [[0, 0], [2, 1]], outputShape: [3, 2] }
 */
export function sparseReshape(
  inputIndices: Tensor2D | TensorLike,
  inputShape: Tensor1D | TensorLike,
  newShape: Tensor1D | TensorLike,
): {
  /** Coordinates of the values in the new shape, [count, rank]. */
  outputIndices: Tensor;
  /** New shape, without -1. */
  outputShape: Tensor;
} {
  const places = toInput(inputIndices, 'inputIndices', 'sparseReshape', 'int32');
  const from = toInput(inputShape, 'inputShape', 'sparseReshape', 'int32');
  const to = toInput(newShape, 'newShape', 'sparseReshape', 'int32');
  checkRank(places, 2, 'Input indices');
  checkRank(from, 1, 'Input shape');
  checkRank(to, 1, 'New shape');
  const [outputIndices, outputShape] = stripOpPrefix(() => callAll(Op.sparseReshape, [places, from, to])) as [
    Tensor,
    Tensor,
  ];
  return { outputIndices, outputShape };
}

type Segments =
  /**
   * @param data Rows, along the first dimension.
   * @param indices Index of each row to reduce, int32.
   * @param segmentIds Segment of each of these rows, int32 in ascending order.
   */
  (data: Tensor | TensorLike, indices: Tensor1D | TensorLike, segmentIds: Tensor1D | TensorLike) => Tensor;

function segments(op: Op, name: string): Segments {
  return (data, indices, segmentIds) => {
    const rows = toInput(data, 'data', name);
    const picked = toInput(indices, 'indices', name, 'int32');
    const ids = toInput(segmentIds, 'segmentIds', name, 'int32');
    if (rows.rank < 1) throw new Error('Data should be at least 1 dimensional but received scalar');
    checkRank(picked, 1, 'Indices');
    checkRank(ids, 1, 'Segment ids');
    return stripOpPrefix(() => callAll(op, [rows, picked, ids])[0]!);
  };
}

/**
 * Sums the rows of `data` at `indices` by segment: the i-th of these rows belongs to the segment `segmentIds[i]`.
 * @example
 * const rows = tf.tensor([0, 2], [2], 'int32');
 * const segments = tf.tensor([0, 0], [2], 'int32');
 * tf.sparse.sparseSegmentSum([[1, 2], [3, 4], [5, 6]], rows, segments); // [[6, 8]]
 */
export const sparseSegmentSum: Segments = segments(Op.sparseSegmentSum, 'sparseSegmentSum');
/**
 * Averages the rows of `data` at `indices` by segment: the i-th of these rows belongs to the segment `segmentIds[i]`.
 * @example
 * const rows = tf.tensor([0, 2], [2], 'int32');
 * const segments = tf.tensor([0, 0], [2], 'int32');
 * tf.sparse.sparseSegmentMean([[1, 2], [3, 4], [5, 6]], rows, segments); // [[3, 4]]
 */
export const sparseSegmentMean: Segments = segments(Op.sparseSegmentMean, 'sparseSegmentMean');

function checkRank({ rank, shape }: Input, expected: number, what: string): void {
  if (rank !== expected) throw new Error(`${what} should be Tensor${expected}D but received shape ${shape}`);
}
