import { Op, RowPartition, writeRaggedPartitions } from '../../generated/ops.js';
import { callAll } from '../call.js';
import { stripOpPrefix } from '../strip_op_prefix.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInput, toInputs } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';

/**
 * Returns rows of a ragged tensor as another ragged tensor.
 * @param paramsNestedSplits Row splits of each ragged dimension, outermost first: where each row starts, and the end.
 * @param paramsDenseValues Values of all rows.
 * @param indices Indices of the rows.
 * @param _outputRaggedRank Not used.
 * @example
 * const splits = tf.tensor([0, 2, 3], [3], 'int32'); // rows of 10, 20 and of 30
 * const rows = tf.tensor([1, 0], [2], 'int32');
 * const { outputNestedSplits, outputDenseValues } = tf.raggedGather([splits], [10, 20, 30], rows);
 * outputNestedSplits; // [[0, 1, 3]]
 * outputDenseValues; // [30, 10, 20]
 */
export function raggedGather(
  paramsNestedSplits: Tensor[],
  paramsDenseValues: Tensor | TensorLike,
  indices: Tensor | TensorLike,
  _outputRaggedRank?: number,
): {
  /** Row splits of each ragged dimension of the result, outermost first. */
  outputNestedSplits: Tensor[];
  /** Values of the rows. */
  outputDenseValues: Tensor;
} {
  const splits = toInputs(paramsNestedSplits, 'tensors', 'raggedGather', 'int32');
  const results = stripOpPrefix(() => callAll(Op.raggedGather, [paramsDenseValues, indices, ...splits]));
  return { outputNestedSplits: results.slice(0, -1), outputDenseValues: results[results.length - 1]! };
}

/**
 * Returns ranges of numbers as a ragged tensor: its values, and its row splits.
 * @param starts First number of each range.
 * @param limits Limit of each range, exclusive.
 * @param deltas Difference of two numbers of each range.
 * @example
 * const { rtNestedSplits, rtDenseValues } = tf.raggedRange([0, 5], [3, 7], [1, 1]);
 * rtNestedSplits; // [0, 3, 5]
 * rtDenseValues; // [0, 1, 2, 5, 6]
 */
export function raggedRange(
  starts: Tensor | TensorLike,
  limits: Tensor | TensorLike,
  deltas: Tensor | TensorLike,
): {
  /** Row splits: where each range starts among the values, and the end. */
  rtNestedSplits: Tensor;
  /** Values of all ranges. */
  rtDenseValues: Tensor;
} {
  const first = toInput(starts, 'starts', 'raggedRange');
  const last = toInput(limits, 'limits', 'raggedRange', first.dtype);
  const step = toInput(deltas, 'deltas', 'raggedRange', first.dtype);
  const [rtNestedSplits, rtDenseValues] = stripOpPrefix(() => callAll(Op.raggedRange, [first, last, step])) as [
    Tensor,
    Tensor,
  ];
  return { rtNestedSplits, rtDenseValues };
}

const kPartitions: Readonly<Record<string, RowPartition>> = {
  FIRST_DIM_SIZE: RowPartition.firstDimSize,
  VALUE_ROWIDS: RowPartition.valueRowids,
  ROW_LENGTHS: RowPartition.rowLengths,
  ROW_SPLITS: RowPartition.rowSplits,
  ROW_LIMITS: RowPartition.rowLimits,
  ROW_STARTS: RowPartition.rowStarts,
};

/**
 * Converts a ragged tensor to a dense one. Rows that are too long are truncated, those that are too short padded.
 * @param shape Shape of the dense tensor.
 * @param values Values of all rows.
 * @param defaultValue Value of the padding.
 * @param rowPartitionTensors Row partition of each ragged dimension, outermost first.
 * @param rowPartitionTypes Type of each row partition, such as 'ROW_SPLITS'. Throws for an unknown one.
 * @example
 * const splits = tf.tensor([0, 2, 3], [3], 'int32');
 * tf.raggedTensorToTensor(tf.tensor([2, 2], [2], 'int32'), [1, 2, 3], 0, [splits], ['ROW_SPLITS']); // [[1, 2], [3, 0]]
 */
export function raggedTensorToTensor(
  shape: Tensor | TensorLike,
  values: Tensor | TensorLike,
  defaultValue: Tensor | TensorLike,
  rowPartitionTensors: Tensor[],
  rowPartitionTypes: string[],
): Tensor {
  const name = 'raggedTensorToTensor';
  const given = toInput(values, 'values', name, 'string_or_numeric');
  const fallback = toInput(defaultValue, 'defaultValue', name, given.dtype);
  const partitions = toInputs(rowPartitionTensors, 'tensors', name, 'int32');
  const types = rowPartitionTypes.map((type) => {
    const number = Object.hasOwn(kPartitions, type) ? kPartitions[type] : undefined;
    if (number === undefined) throw new Error(`[${name}] unknown row partition type '${type}'`);
    return number;
  });
  return stripOpPrefix(
    () =>
      callAll(Op.raggedTensorToTensor, [shape, given, fallback, ...partitions], writeRaggedPartitions, { types })[0]!,
  );
}
