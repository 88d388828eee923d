// A model of one node for each builtin op, with the same computation in tf.
import { float32, int8, int32, ints } from './writer.mjs';

const x = (shape, values, type = 'float32') => ({ shape, values, type });
const constant = (shape, values, type = 'int32') => ({ shape, values, type, isConstant: true });
const f = (shape, type = 'float32') => ({ shape, type });
const ramp = (count, from = -1, to = 1) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1 || 1));
const weights = (shape) => ({
  shape,
  isConstant: true,
  values: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(3 * i + 1)),
});
const v = () => x([2, 3], ramp(6, -2, 2.5));
const positive = () => x([2, 3], ramp(6, 0.2, 2.5));
const w = () => x([2, 3], [3, -1, 0.5, 2, -2, 1.5]);
const bools = (values) => x([values.length], values, 'bool');
const image = (size = 5, channels = 2) => x([1, size, size, channels], weights([size * size * channels]).values);
const none = [];

/**
 * Cases: the name and number of the op, inputs and outputs as in oneNode(), the type and slots of the options, and the
 * computation in tf. `hasNoPeer` if LiteRT.js gives wrong results.
 */
const unary = (name, code, run, input = v, options = {}) => ({
  name,
  code,
  inputs: [input()],
  outputs: [f([2, 3])],
  run,
  ...options,
});
const binary = (name, code, run, options = {}) => ({
  name,
  code,
  inputs: [v(), w()],
  outputs: [f([2, 3], options.result)],
  run,
  ...options,
});
const activated = (type) => ({ type, options: [int8(1)] });
const reduced = (name, code, run, options = {}) => ({
  name,
  code,
  inputs: [options.input ?? v(), constant([1], [1])],
  outputs: [f([2, 1], options.result)],
  type: 27,
  options: [int8(1)],
  run: (tf, a) => run(tf, a, 1, true),
});
const moved = (name, code, input, extra, shape, run, options = {}) => ({
  name,
  code,
  inputs: [input, ...extra],
  outputs: [f(shape, input.type)],
  run,
  ...options,
});
const conv = [int8(0), int32(2), int32(1), int8(3), int32(1), int32(1)];
const pool = [int8(1), int32(2), int32(2), int32(2), int32(2), int8(0)];

export const opCases = [
  binary('ADD', 0, (tf, a, b) => tf.relu(tf.add(a, b)), activated(11)),
  binary('MUL', 18, (tf, a, b) => tf.relu(tf.mul(a, b)), activated(21)),
  binary('SUB', 41, (tf, a, b) => tf.relu(tf.sub(a, b)), activated(28)),
  binary('DIV', 42, (tf, a, b) => tf.relu(tf.div(a, b)), activated(29)),
  binary('MAXIMUM', 55, (tf, a, b) => tf.maximum(a, b)),
  binary('MINIMUM', 57, (tf, a, b) => tf.minimum(a, b)),
  binary('SQUARED_DIFFERENCE', 99, (tf, a, b) => tf.squaredDifference(a, b)),
  binary('FLOOR_DIV', 90, (tf, a, b) => tf.floorDiv(a, b)),
  binary('FLOOR_MOD', 95, (tf, a, b) => tf.mod(a, b)),
  binary('ATAN2', 156, (tf, a, b) => tf.atan2(a, b)),
  binary('LESS', 58, (tf, a, b) => tf.less(a, b), { result: 'bool' }),
  binary('LESS_EQUAL', 63, (tf, a, b) => tf.lessEqual(a, b), { result: 'bool' }),
  binary('GREATER', 61, (tf, a, b) => tf.greater(a, b), { result: 'bool' }),
  binary('GREATER_EQUAL', 62, (tf, a, b) => tf.greaterEqual(a, b), { result: 'bool' }),
  binary('EQUAL', 71, (tf, a, b) => tf.equal(a, b), { result: 'bool' }),
  binary('NOT_EQUAL', 72, (tf, a, b) => tf.notEqual(a, b), { result: 'bool' }),
  {
    name: 'POW',
    code: 78,
    inputs: [positive(), w()],
    outputs: [f([2, 3])],
    run: (tf, a, b) => tf.pow(a, b),
  },
  ...[
    ['LOGICAL_OR', 84, 'logicalOr'],
    ['LOGICAL_AND', 86, 'logicalAnd'],
    ['BITWISE_XOR', 160, 'logicalXor'],
  ].map(([name, code, op]) => ({
    name,
    code,
    inputs: [bools([0, 0, 1, 1]), bools([0, 1, 0, 1])],
    outputs: [f([4], 'bool')],
    run: (tf, a, b) => tf[op](a, b),
  })),
  {
    name: 'LOGICAL_NOT',
    code: 87,
    inputs: [bools([0, 1])],
    outputs: [f([2], 'bool')],
    run: (tf, a) => tf.logicalNot(a),
  },
  ...[
    ['FLOOR', 8, 'floor'],
    ['LOGISTIC', 14, 'sigmoid'],
    ['RELU', 19, 'relu'],
    ['RELU6', 21, 'relu6'],
    ['TANH', 28, 'tanh'],
    ['EXP', 47, 'exp'],
    ['NEG', 59, 'neg'],
    ['SIN', 66, 'sin'],
    ['SQUARE', 92, 'square'],
    ['ABS', 101, 'abs'],
    ['CEIL', 104, 'ceil'],
    ['COS', 108, 'cos'],
    ['ELU', 111, 'elu'],
    ['ROUND', 116, 'round'],
    ['SIGN', 158, 'sign'],
    ['ZEROS_LIKE', 93, 'zerosLike'],
    ['LOG_SOFTMAX', 50, 'logSoftmax'],
  ].map(([name, code, op]) => unary(name, code, (tf, a) => tf[op](a))),
  ...[
    ['LOG', 73, 'log'],
    ['SQRT', 75, 'sqrt'],
    ['RSQRT', 76, 'rsqrt'],
  ].map(([name, code, op]) => unary(name, code, (tf, a) => tf[op](a), positive)),
  unary('RELU_N1_TO_1', 20, (tf, a) => tf.clipByValue(a, -1, 1)),
  unary('RELU_0_TO_1', 152, (tf, a) => tf.clipByValue(a, 0, 1)),
  unary('HARD_SWISH', 117, (tf, a) => tf.mul(a, tf.div(tf.relu6(tf.add(a, 3)), 6))),
  unary('LEAKY_RELU', 98, (tf, a) => tf.leakyRelu(a, 0.3), v, { type: 75, options: [float32(0.3)] }),
  unary('GELU', 150, (tf, a) => tf.mul(tf.mul(a, 0.5), tf.add(tf.erf(tf.mul(a, Math.SQRT1_2)), 1)), v, {
    type: 116,
    options: [int8(0)],
  }),
  unary('SOFTMAX', 25, (tf, a) => tf.softmax(tf.mul(a, 2)), v, { type: 9, options: [float32(2)] }),
  unary('L2_NORMALIZATION', 11, (tf, a) => tf.div(a, tf.norm(a, 2, 1, true)), v, { type: 12, options: [int8(0)] }),
  unary('FAKE_QUANT', 80, (tf, a) => tf.clipByValue(tf.mul(tf.round(tf.div(a, 0.5)), 0.5), -2, 1.5), v, {
    type: 58,
    options: [float32(-2), float32(1.5), int32(3), int8(0)],
  }),
  unary('CAST', 53, (tf, a) => tf.cast(a, 'int32'), v, { outputs: [f([2, 3], 'int32')] }),
  {
    name: 'ADD_N',
    code: 106,
    inputs: [v(), w(), positive()],
    outputs: [f([2, 3])],
    run: (tf, ...list) => tf.addN(list),
  },
  {
    name: 'PRELU',
    code: 54,
    inputs: [v(), { ...weights([3]) }],
    outputs: [f([2, 3])],
    run: (tf, a, alpha) => tf.prelu(a, alpha),
  },
  {
    name: 'LOCAL_RESPONSE_NORMALIZATION',
    code: 13,
    inputs: [image(3, 4)],
    outputs: [f([1, 3, 3, 4])],
    type: 13,
    options: [int32(2), float32(1), float32(0.5), float32(0.75)],
    run: (tf, a) => tf.localResponseNormalization(a, 2, 1, 0.5, 0.75),
  },
  // Convolutions, whose filters are [out, height, width, in].
  {
    name: 'CONV_2D',
    code: 3,
    inputs: [image(), weights([4, 3, 3, 2]), weights([4])],
    outputs: [f([1, 5, 3, 4])],
    type: 1,
    options: conv,
    run: (tf, a, filter, bias) =>
      tf.relu6(tf.add(tf.conv2d(a, tf.transpose(filter, [1, 2, 3, 0]), [1, 2], 'same'), bias)),
  },
  {
    name: 'CONV_2D dilated with strides',
    code: 3,
    inputs: [image(9), weights([4, 3, 3, 2]), weights([4])],
    outputs: [f([1, 5, 5, 4])],
    type: 1,
    options: [int8(0), int32(2), int32(2), int8(0), int32(2), int32(2)],
    run: (tf, a, filter, bias) => {
      const padded = tf.pad(a, [
        [0, 0],
        [2, 2],
        [2, 2],
        [0, 0],
      ]);
      const y = tf.conv2d(padded, tf.transpose(filter, [1, 2, 3, 0]), 1, 'valid', 'NHWC', 2);
      return tf.add(tf.stridedSlice(y, [0, 0, 0, 0], [1, 9, 9, 4], [1, 2, 2, 1]), bias);
    },
  },
  {
    name: 'DEPTHWISE_CONV_2D',
    code: 4,
    inputs: [image(), weights([1, 3, 3, 4]), weights([4])],
    outputs: [f([1, 3, 3, 4])],
    type: 2,
    options: [int8(1), int32(1), int32(1), int32(2), int8(1), int32(1), int32(1)],
    run: (tf, a, filter, bias) =>
      tf.relu(tf.add(tf.depthwiseConv2d(a, tf.reshape(filter, [3, 3, 2, 2]), 1, 'valid'), bias)),
  },
  {
    name: 'TRANSPOSE_CONV',
    code: 67,
    inputs: [constant([4], [1, 6, 6, 4]), weights([4, 3, 3, 2]), image(3)],
    outputs: [f([1, 6, 6, 4])],
    type: 49,
    options: [int8(0), int32(2), int32(2)],
    run: (tf, shape, filter, a) => tf.conv2dTranspose(a, tf.transpose(filter, [1, 2, 0, 3]), [1, 6, 6, 4], 2, 'same'),
  },
  {
    name: 'CONV_3D',
    code: 132,
    inputs: [x([1, 3, 4, 4, 1], ramp(48)), weights([2, 2, 2, 1, 3])],
    outputs: [f([1, 2, 3, 3, 3])],
    type: 106,
    options: [int8(1), int32(1), int32(1), int32(1), int8(0), int32(1), int32(1), int32(1)],
    run: (tf, a, filter) => tf.conv3d(a, filter, 1, 'valid'),
  },
  {
    name: 'FULLY_CONNECTED',
    code: 9,
    inputs: [v(), weights([4, 3]), weights([4])],
    outputs: [f([2, 4])],
    type: 8,
    options: [int8(1), int8(0)],
    run: (tf, a, b, bias) => tf.relu(tf.add(tf.matMul(a, b, false, true), bias)),
  },
  {
    name: 'BATCH_MATMUL',
    code: 126,
    inputs: [x([2, 2, 3], ramp(12)), x([2, 4, 3], ramp(24))],
    outputs: [f([2, 2, 4])],
    type: 101,
    options: [int8(0), int8(1)],
    run: (tf, a, b) => tf.matMul(a, b, false, true),
  },
  {
    name: 'EMBEDDING_LOOKUP',
    code: 7,
    inputs: [x([2], [2, 0], 'int32'), weights([3, 4])],
    outputs: [f([2, 4])],
    run: (tf, indices, table) => tf.gather(table, indices),
  },
  ...[
    ['AVERAGE_POOL_2D', 1, (tf, a) => tf.avgPool(a, 2, 2, 'valid')],
    ['MAX_POOL_2D', 17, (tf, a) => tf.maxPool(a, 2, 2, 'valid')],
    ['L2_POOL_2D', 12, (tf, a) => tf.sqrt(tf.avgPool(tf.square(a), 2, 2, 'valid'))],
  ].map(([name, code, run]) => ({
    name,
    code,
    inputs: [image()],
    outputs: [f([1, 2, 2, 2])],
    type: 5,
    options: pool,
    run,
  })),
  {
    name: 'RESIZE_BILINEAR',
    code: 23,
    inputs: [image(3), constant([2], [6, 5])],
    outputs: [f([1, 6, 5, 2])],
    type: 15,
    options: [undefined, undefined, int8(0), int8(1)],
    run: (tf, a) => tf.image.resizeBilinear(a, [6, 5], false, true),
  },
  {
    name: 'RESIZE_NEAREST_NEIGHBOR',
    code: 97,
    inputs: [image(3), constant([2], [6, 6])],
    outputs: [f([1, 6, 6, 2])],
    type: 74,
    options: [int8(0), int8(0)],
    run: (tf, a) => tf.image.resizeNearestNeighbor(a, [6, 6]),
  },
  // Reductions.
  reduced('MEAN', 40, (tf, ...rest) => tf.mean(...rest)),
  reduced('SUM', 74, (tf, ...rest) => tf.sum(...rest)),
  reduced('REDUCE_PROD', 81, (tf, ...rest) => tf.prod(...rest)),
  reduced('REDUCE_MAX', 82, (tf, ...rest) => tf.max(...rest)),
  reduced('REDUCE_MIN', 89, (tf, ...rest) => tf.min(...rest)),
  reduced('REDUCE_ANY', 91, (tf, ...rest) => tf.any(...rest), {
    input: x([2, 3], [0, 0, 0, 0, 1, 0], 'bool'),
    result: 'bool',
  }),
  reduced('REDUCE_ALL', 140, (tf, ...rest) => tf.all(...rest), {
    input: x([2, 3], [1, 1, 1, 0, 1, 0], 'bool'),
    result: 'bool',
  }),
  {
    name: 'ARG_MAX',
    code: 56,
    inputs: [w(), constant([1], [1])],
    outputs: [f([2], 'int32')],
    type: 40,
    options: [int8(2)],
    run: (tf, a) => tf.argMax(a, 1),
  },
  {
    name: 'ARG_MIN',
    code: 79,
    inputs: [w(), constant([1], [1])],
    outputs: [f([2], 'int32')],
    type: 57,
    options: [int8(2)],
    run: (tf, a) => tf.argMin(a, 1),
  },
  {
    name: 'CUMSUM',
    code: 128,
    inputs: [v(), constant([], [1])],
    outputs: [f([2, 3])],
    type: 102,
    options: [int8(0), int8(1)],
    run: (tf, a) => tf.cumsum(a, 1, false, true),
  },
  {
    name: 'TOPK_V2',
    code: 48,
    inputs: [w(), constant([], [2])],
    outputs: [f([2, 2]), f([2, 2], 'int32')],
    run: (tf, a) => {
      const { values, indices } = tf.topk(a, 2);
      return [values, indices];
    },
  },
  // Movement.
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
    inputs: [
      x([3, 4], [0, 0, 1, 1, 0, 0, 1, 0.9, 2, 2, 3, 3]),
      x([3], [0.5, 0.9, 0.7]),
      constant([], [3]),
      { shape: [], values: [0.5], isConstant: true },
      { shape: [], values: [0.1], isConstant: true },
    ],
    outputs: [f([3], 'int32'), f([], 'int32')],
    run: (tf) => [tf.tensor([1, 2, 0], [3], 'int32'), tf.scalar(2, 'int32')],
  },
  {
    name: 'NON_MAX_SUPPRESSION_V5',
    code: 121,
    inputs: [
      x([3, 4], [0, 0, 1, 1, 0, 0, 1, 0.9, 2, 2, 3, 3]),
      x([3], [0.5, 0.9, 0.7]),
      constant([], [3]),
      { shape: [], values: [0.5], isConstant: true },
      { shape: [], values: [0.1], isConstant: true },
      { shape: [], values: [0], isConstant: true },
    ],
    outputs: [f([3], 'int32'), f([3]), f([], 'int32')],
    run: (tf) => [tf.tensor([1, 2, 0], [3], 'int32'), tf.tensor([0.9, 0.7, 0]), tf.scalar(2, 'int32')],
  },
];
