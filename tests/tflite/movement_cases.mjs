// Cases of ops that move elements, give them another type, or create tensors: see op_cases.mjs.
import { x, constant, f, ramp, v, w, image, none } from './case_inputs.mjs';
import { int32, int8, ints, longs } from './writer.mjs';

const moved = (name, code, input, extra, shape, run, options = {}) => ({
  name,
  code,
  inputs: [input, ...extra],
  outputs: [f(shape, input.type)],
  run,
  ...options,
});
/** Returns the shape of a padded matrix, and the index of the element that each of its elements is; -1 for the others. */
function padded(shape, low, high, interior) {
  const extents = shape.map((extent, i) => low[i] + high[i] + (extent - 1) * (interior[i] + 1) + 1);
  const result = extents.some((extent) => extent <= 0) ? extents.map(() => 0) : extents;
  const from = Array.from({ length: result[0] * result[1] }, (_, k) => {
    const at = [Math.floor(k / result[1]), k % result[1]].map((position, i) => (position - low[i]) / (interior[i] + 1));
    return at.every((each, i) => Number.isInteger(each) && each >= 0 && each < shape[i])
      ? at[0] * shape[1] + at[1]
      : -1;
  });
  return { shape: result, from };
}

export const movementCases = [
  {
    name: 'CONCATENATION',
    code: 2,
    inputs: [v(), w()],
    outputs: [f([2, 6])],
    type: 10,
    options: [int32(1), int8(0)],
    run: (tf, a, b) => tf.concat([a, b], 1),
  },
  moved('RESHAPE', 22, v(), [constant([2], [3, -1])], [3, 2], (tf, a) => tf.reshape(a, [3, 2]), {
    type: 17,
    options: [ints([3, 2])],
  }),
  moved('TRANSPOSE', 39, v(), [constant([2], [1, 0])], [3, 2], (tf, a) => tf.transpose(a)),
  moved('PAD', 34, v(), [constant([2, 2], [1, 0, 0, 2])], [3, 5], (tf, a) =>
    tf.pad(a, [
      [1, 0],
      [0, 2],
    ]),
  ),
  moved(
    'PADV2',
    60,
    v(),
    [constant([2, 2], [1, 0, 0, 2]), { shape: [1], values: [7], isConstant: true }],
    [3, 5],
    (tf, a) =>
      tf.pad(
        a,
        [
          [1, 0],
          [0, 2],
        ],
        7,
      ),
  ),
  moved(
    'MIRROR_PAD',
    100,
    v(),
    [constant([2, 2], [1, 0, 0, 2])],
    [3, 5],
    (tf, a) =>
      tf.mirrorPad(
        a,
        [
          [1, 0],
          [0, 2],
        ],
        'reflect',
      ),
    {
      type: 77,
      options: [int8(0)],
    },
  ),
  moved('SLICE', 65, v(), [constant([2], [0, 1]), constant([2], [-1, 2])], [2, 2], (tf, a) =>
    tf.slice(a, [0, 1], [2, 2]),
  ),
  moved(
    'STRIDED_SLICE',
    45,
    v(),
    [constant([2], [0, 2]), constant([2], [2, 0]), constant([2], [1, -1])],
    [2, 2],
    (tf, a) => tf.stridedSlice(a, [0, 2], [2, 0], [1, -1]),
    { type: 32, options: [int32(0), int32(0), int32(0), int32(0), int32(0)] },
  ),
  moved('TILE', 69, v(), [constant([2], [2, 1])], [4, 3], (tf, a) => tf.tile(a, [2, 1])),
  moved('EXPAND_DIMS', 70, v(), [constant([], [1])], [2, 1, 3], (tf, a) => tf.expandDims(a, 1)),
  moved('SQUEEZE', 43, x([1, 3, 1], [1, 2, 3]), none, [1, 3], (tf, a) => tf.squeeze(a, [2]), {
    type: 30,
    options: [ints([2])],
  }),
  moved('REVERSE_V2', 105, v(), [constant([1], [1])], [2, 3], (tf, a) => tf.reverse(a, 1)),
  moved('BROADCAST_TO', 130, x([1, 3], [1, 2, 3]), [constant([2], [2, 3])], [2, 3], (tf, a) =>
    tf.broadcastTo(a, [2, 3]),
  ),
  moved('GATHER', 36, v(), [x([2], [2, 0], 'int32')], [2, 2], (tf, a, indices) => tf.gather(a, indices, 1), {
    type: 23,
    options: [int32(1)],
  }),
  moved('GATHER_ND', 107, v(), [x([2, 2], [0, 1, 1, 2], 'int32')], [2], (tf, a, indices) => tf.gatherND(a, indices)),
  moved('DEPTH_TO_SPACE', 5, image(2, 4), none, [1, 4, 4, 1], (tf, a) => tf.depthToSpace(a, 2), {
    type: 94,
    options: [int32(2)],
  }),
  moved('SPACE_TO_DEPTH', 26, image(2, 2), none, [1, 1, 1, 8], (tf, a) => tf.reshape(a, [1, 1, 1, 8]), {
    type: 19,
    options: [int32(2)],
  }),
  moved(
    'BATCH_TO_SPACE_ND',
    37,
    x([4, 1, 1, 1], [1, 2, 3, 4]),
    [constant([2], [2, 2]), constant([2, 2], [0, 0, 0, 0])],
    [1, 2, 2, 1],
    (tf, a) =>
      tf.batchToSpaceND(
        a,
        [2, 2],
        [
          [0, 0],
          [0, 0],
        ],
      ),
  ),
  moved(
    'SPACE_TO_BATCH_ND',
    38,
    x([1, 2, 2, 1], [1, 2, 3, 4]),
    [constant([2], [2, 2]), constant([2, 2], [0, 0, 0, 0])],
    [4, 1, 1, 1],
    (tf, a) =>
      tf.spaceToBatchND(
        a,
        [2, 2],
        [
          [0, 0],
          [0, 0],
        ],
      ),
  ),
  moved(
    'REVERSE_SEQUENCE',
    112,
    v(),
    [x([2], [2, 3], 'int32')],
    [2, 3],
    (tf, a) => tf.stack([tf.gather(tf.gather(a, 0), [1, 0, 2]), tf.gather(tf.gather(a, 1), [2, 1, 0])]),
    { type: 87, options: [int32(1), int32(0)] },
  ),
  {
    name: 'SPLIT',
    code: 49,
    inputs: [constant([], [1]), v()],
    outputs: [f([2, 1]), f([2, 1]), f([2, 1])],
    type: 35,
    options: [int32(3)],
    run: (tf, axis, a) => tf.split(a, 3, 1),
  },
  {
    name: 'SPLIT_V',
    code: 102,
    inputs: [v(), constant([2], [1, -1]), constant([], [1])],
    outputs: [f([2, 1]), f([2, 2])],
    type: 79,
    options: [int32(2)],
    run: (tf, a) => tf.split(a, [1, 2], 1),
  },
  {
    name: 'PACK',
    code: 83,
    inputs: [v(), w()],
    outputs: [f([2, 2, 3])],
    type: 59,
    options: [int32(2), int32(1)],
    run: (tf, a, b) => tf.stack([a, b], 1),
  },
  {
    name: 'UNPACK',
    code: 88,
    inputs: [v()],
    outputs: [f([3]), f([3])],
    type: 64,
    options: [int32(2), int32(0)],
    run: (tf, a) => tf.unstack(a),
  },
  {
    name: 'SHAPE',
    hasNoPeer: true,
    code: 77,
    inputs: [v()],
    outputs: [f([2], 'int32')],
    type: 55,
    options: [int8(2)],
    run: (tf) => tf.tensor([2, 3], [2], 'int32'),
  },
  {
    name: 'RANK',
    hasNoPeer: true,
    code: 110,
    inputs: [v()],
    outputs: [f([], 'int32')],
    run: (tf) => tf.scalar(2, 'int32'),
  },
  {
    name: 'FILL',
    code: 94,
    inputs: [constant([2], [2, 2]), x([], [3])],
    outputs: [f([2, 2])],
    run: (tf) => tf.fill([2, 2], 3),
  },
  {
    name: 'RANGE',
    hasNoPeer: true,
    code: 96,
    inputs: [constant([], [2]), constant([], [9]), constant([], [3])],
    outputs: [f([3], 'int32')],
    run: (tf) => tf.tensor([2, 5, 8], [3], 'int32'),
  },
  {
    name: 'ONE_HOT',
    code: 85,
    inputs: [
      x([2], [2, 0], 'int32'),
      constant([], [3]),
      { shape: [], values: [5], isConstant: true },
      { shape: [], values: [1], isConstant: true },
    ],
    outputs: [f([2, 3])],
    type: 61,
    options: [int32(-1)],
    run: (tf, indices) => tf.add(tf.mul(tf.cast(tf.oneHot(indices, 3), 'float32'), 4), 1),
  },
  {
    name: 'SPARSE_TO_DENSE',
    code: 68,
    inputs: [x([2], [2, 0], 'int32'), constant([1], [4]), x([2], [7, 8]), { shape: [], values: [1], isConstant: true }],
    outputs: [f([4])],
    type: 50,
    options: [int8(0)],
    run: (tf) => tf.tensor([8, 1, 7, 1]),
  },
  {
    name: 'BROADCAST_ARGS',
    hasNoPeer: true,
    code: 145,
    inputs: [constant([2], [3, 1]), constant([1], [2])],
    outputs: [f([2], 'int32')],
    run: (tf) => tf.tensor([3, 2], [2], 'int32'),
  },
  {
    name: 'DILATE',
    code: 203,
    inputs: [x([2, 3], ramp(6)), constant([2], [2, 3]), constant([], [7], 'float32')],
    outputs: [f([3, 7])],
    run: (tf) => {
      const values = new Array(21).fill(7);
      ramp(6).forEach((value, i) => (values[Math.floor(i / 3) * 14 + (i % 3) * 3] = value));
      return tf.tensor(values, [3, 7]);
    },
  },
  ...[
    ['', [1, 1], [0, 2], [1, 2]],
    [' that crops', [-1, 2], [1, -1], [0, 1]],
    [' that crops all', [-1, 2], [-1, 0], [0, 0]],
    [' that crops more than all', [-1, 2], [-3, 0], [0, 0]],
  ].map(([what, low, high, interior]) => ({
    name: `STABLEHLO_PAD${what}`,
    code: 195,
    inputs: [x([2, 3], ramp(6)), constant([], [7], 'float32')],
    outputs: [f(padded([2, 3], low, high, interior).shape)],
    type: 10,
    options: [longs(low), longs(high), longs(interior)],
    isInSecondUnion: true,
    run: (tf) => {
      const { shape, from } = padded([2, 3], low, high, interior);
      return tf.tensor(
        from.map((i) => (i < 0 ? 7 : ramp(6)[i])),
        shape,
      );
    },
  })),
  {
    name: 'STABLEHLO_PAD of no elements',
    code: 195,
    inputs: [x([0, 2], []), constant([], [7], 'float32')],
    outputs: [f([2, 3])],
    type: 10,
    options: [longs([1, 0]), longs([2, 0]), longs([1, 1])],
    isInSecondUnion: true,
    run: (tf) => tf.fill([2, 3], 7),
  },
  {
    name: 'BITCAST of float32',
    code: 159,
    inputs: [x([3], [1, -2.5, 0])],
    outputs: [f([3], 'int32')],
    run: (tf) => tf.tensor([...new Int32Array(Float32Array.of(1, -2.5, 0).buffer)], [3], 'int32'),
  },
  {
    name: 'BITCAST of int32',
    code: 159,
    inputs: [x([2], [0x3f800000, -1056964608], 'int32')],
    outputs: [f([2])],
    run: (tf) => tf.tensor([1, -8]),
  },
  {
    name: 'BITCAST to bytes',
    code: 159,
    inputs: [x([2], [0x01020380, -2], 'int32')],
    outputs: [f([2, 4], 'uint8')],
    run: (tf) => tf.tensor([0x80, 3, 2, 1, 254, 255, 255, 255], [2, 4], 'int32'),
  },
  {
    name: 'BITCAST of bytes',
    code: 159,
    inputs: [x([2, 4], [0x80, 3, 2, 1, 254, 255, 255, 255], 'uint8')],
    outputs: [f([2], 'int32')],
    run: (tf) => tf.tensor([0x01020380, -2], [2], 'int32'),
  },
];
