// Cases of ops that address elements by indices or conditions: see op_cases.mjs.
import { x, constant, f, ramp, v, w, bools } from './case_inputs.mjs';
import { int8, ints } from './writer.mjs';

const kSums = [
  ['SUM', 0, () => 1],
  ['MEAN', 1, (list) => list.reduce((sum, weight) => sum + weight, 0)],
  ['SQRTN', 2, (list) => Math.sqrt(list.reduce((sum, weight) => sum + weight * weight, 0))],
];
const kIds = [1, 3, 0, 2];
const kRows = [0, 0, 2, 2];
const kWeights = [1, 2, 4, 0.5];
// The squares of these weights are 0 in float32.
const kTinyWeights = [1e-30, 2e-30, 4e-30, 5e-31];

const makeSparseCase = ([name, number, divisor], by = kWeights) => ({
  name: `EMBEDDING_LOOKUP_SPARSE ${name}`,
  code: 33,
  inputs: [
    constant([4], kIds),
    constant(
      [4, 2],
      kRows.flatMap((row, i) => [row, i % 2]),
    ),
    constant([2], [3, 2]),
    constant([4], by, 'float32'),
    x([4, 2], ramp(8)),
  ],
  outputs: [f([3, 2])],
  type: 20,
  options: [int8(number)],
  run: (tf) => {
    const table = ramp(8);
    const values = [0, 1, 2].flatMap((row) => {
      const entries = [0, 1, 2, 3].filter((i) => kRows[i] === row);
      const total = entries.length > 0 ? divisor(entries.map((i) => by[i])) : 1;
      return [0, 1].map((k) => entries.reduce((sum, i) => sum + table[kIds[i] * 2 + k] * by[i], 0) / total);
    });
    return tf.tensor(values, [3, 2]);
  },
});
const sparseCases = [
  ...kSums.map((sum) => makeSparseCase(sum)),
  makeSparseCase(['MEAN of tiny weights', ...kSums[1].slice(1)], kTinyWeights),
];

/** Three boxes, two of which overlap, their scores, and the limits of NON_MAX_SUPPRESSION. */
const kBoxes = [
  x([3, 4], [0, 0, 1, 1, 0, 0, 1, 0.9, 2, 2, 3, 3]),
  x([3], [0.5, 0.9, 0.7]),
  constant([], [3]),
  { shape: [], values: [0.5], isConstant: true },
  { shape: [], values: [0.1], isConstant: true },
];

export const indexingCases = [
  {
    name: 'SELECT',
    code: 64,
    inputs: [bools([1, 0]), v(), w()],
    outputs: [f([2, 3])],
    run: (tf, condition, a, b) => tf.where(tf.reshape(condition, [2, 1]), a, b),
  },
  {
    name: 'SELECT_V2',
    code: 123,
    inputs: [bools([1, 0, 1]), v(), w()],
    outputs: [f([2, 3])],
    run: (tf, condition, a, b) => tf.where(condition, a, b),
  },
  {
    name: 'SCATTER_ND',
    code: 122,
    inputs: [x([2, 1], [2, 0], 'int32'), x([2, 2], [1, 2, 3, 4]), constant([2], [3, 2])],
    outputs: [f([3, 2])],
    run: (tf, indices, updates) => tf.scatterND(indices, updates, [3, 2]),
  },
  {
    name: 'DYNAMIC_UPDATE_SLICE',
    code: 151,
    inputs: [v(), x([1, 2], [8, 9]), constant([2], [1, 2])],
    outputs: [f([2, 3])],
    run: (tf, a) => tf.concat([tf.slice(a, [0, 0], [1, 3]), tf.concat([tf.slice(a, [1, 0], [1, 1]), [[8, 9]]], 1)]),
  },
  {
    name: 'MATRIX_DIAG',
    code: 113,
    inputs: [x([3], [1, 2, 3])],
    outputs: [f([3, 3])],
    run: (tf, a) => tf.diag(a),
  },
  {
    name: 'MATRIX_SET_DIAG',
    code: 115,
    inputs: [v(), x([2], [8, 9])],
    outputs: [f([2, 3])],
    run: (tf, a) =>
      tf.where(
        [
          [true, false, false],
          [false, true, false],
        ],
        tf.tensor([
          [8, 0, 0],
          [0, 9, 0],
        ]),
        a,
      ),
  },
  // Creation.
  {
    name: 'WHERE',
    code: 109,
    inputs: [bools([1, 0, 1])],
    outputs: [f([-1, 1], 'int32')],
    run: (tf) => tf.tensor([[0], [2]], [2, 1], 'int32'),
  },
  {
    name: 'UNIQUE',
    code: 103,
    inputs: [x([4], [3, 1, 3, 2], 'int32')],
    outputs: [f([-1], 'int32'), f([4], 'int32')],
    type: 80,
    options: [int8(2)],
    run: (tf) => [tf.tensor([3, 1, 2], [3], 'int32'), tf.tensor([0, 1, 0, 2], [4], 'int32')],
  },
  // Segments and buckets.
  {
    name: 'SEGMENT_SUM',
    code: 125,
    inputs: [x([3, 1], [1, 2, 4]), x([3], [0, 0, 1], 'int32')],
    outputs: [f([-1, 1])],
    run: (tf) => tf.tensor([[3], [4]]),
  },
  ...[
    ['UNSORTED_SEGMENT_PROD', 153, [8, 2]],
    ['UNSORTED_SEGMENT_MAX', 154, [4, 2]],
    ['UNSORTED_SEGMENT_SUM', 155, [6, 2]],
    ['UNSORTED_SEGMENT_MIN', 157, [2, 2]],
  ].map(([name, code, values]) => ({
    name,
    hasNoPeer: true,
    code,
    inputs: [x([3], [2, 2, 4]), x([3], [0, 1, 0], 'int32'), constant([], [2])],
    outputs: [f([2])],
    run: (tf) => tf.tensor(values),
  })),
  {
    name: 'BUCKETIZE',
    code: 147,
    inputs: [x([3], [-1, 3, 20])],
    outputs: [f([3], 'int32')],
    type: 115,
    options: [(writer) => ints([0, 0x40400000, 0x41200000])(writer)],
    run: (tf) => tf.tensor([0, 2, 3], [3], 'int32'),
  },
  // Boxes.
  {
    name: 'NON_MAX_SUPPRESSION_V4',
    code: 120,
    inputs: kBoxes,
    outputs: [f([3], 'int32'), f([], 'int32')],
    run: (tf) => [tf.tensor([1, 2, 0], [3], 'int32'), tf.scalar(2, 'int32')],
  },
  {
    name: 'NON_MAX_SUPPRESSION_V5',
    code: 121,
    inputs: [...kBoxes, { shape: [], values: [0], isConstant: true }],
    outputs: [f([3], 'int32'), f([3]), f([], 'int32')],
    run: (tf) => [tf.tensor([1, 2, 0], [3], 'int32'), tf.tensor([0.9, 0.7, 0]), tf.scalar(2, 'int32')],
  },
  ...sparseCases,
];
