// A model of one node for each builtin op, with the same computation in tf.
import { x, constant, f, ramp, weights, v, positive, w, bools, image } from './case_inputs.mjs';
import { indexingCases } from './indexing_cases.mjs';
import { movementCases } from './movement_cases.mjs';
import { optionCases } from './option_cases.mjs';
import { reductionCases } from './reduction_cases.mjs';
import { float32, int8, int32 } from './writer.mjs';

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
const conv = [int8(0), int32(2), int32(1), int8(3), int32(1), int32(1)];
const pool = [int8(1), int32(2), int32(2), int32(2), int32(2), int8(0)];

export const opCases = [
  binary('ADD', 0, (tf, a, b) => tf.relu(tf.add(a, b)), activated(11)),
  binary('MUL', 18, (tf, a, b) => tf.relu(tf.mul(a, b)), activated(21)),
  binary('SUB', 41, (tf, a, b) => tf.relu(tf.sub(a, b)), activated(28)),
  binary('DIV', 42, (tf, a, b) => tf.relu(tf.div(a, b)), activated(29)),
  binary('MAXIMUM', 55, (tf, a, b) => tf.maximum(a, b)),
  binary('MINIMUM', 57, (tf, a, b) => tf.minimum(a, b)),
  binary('STABLEHLO_ADD', 163, (tf, a, b) => tf.add(a, b)),
  binary('STABLEHLO_MULTIPLY', 165, (tf, a, b) => tf.mul(a, b)),
  binary('STABLEHLO_MAXIMUM', 166, (tf, a, b) => tf.maximum(a, b)),
  binary('STABLEHLO_MINIMUM', 181, (tf, a, b) => tf.minimum(a, b)),
  ...[
    ['SUBTRACT', 188, 'sub'],
    ['DIVIDE', 164, 'div'],
  ].map(([name, code, op]) => binary(`STABLEHLO_${name}`, code, (tf, a, b) => tf[op](a, b))),
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
  ...[
    ['POW', 78],
    ['STABLEHLO_POWER', 184],
  ].map(([name, code]) => ({
    name,
    code,
    inputs: [positive(), w()],
    outputs: [f([2, 3])],
    run: (tf, a, b) => tf.pow(a, b),
  })),
  ...[
    ['LOGICAL_OR', 84, 'logicalOr'],
    ['LOGICAL_AND', 86, 'logicalAnd'],
    ['BITWISE_XOR', 160, 'logicalXor'],
    ['STABLEHLO_AND', 176, 'logicalAnd'],
    ['STABLEHLO_OR', 183, 'logicalOr'],
  ].map(([name, code, op]) => ({
    name,
    code,
    inputs: [bools([0, 0, 1, 1]), bools([0, 1, 0, 1])],
    outputs: [f([4], 'bool')],
    run: (tf, a, b) => tf[op](a, b),
  })),
  {
    name: 'RIGHT_SHIFT',
    code: 161,
    inputs: [x([6], [7, -7, -(2 ** 31), 5, 2 ** 31 - 1, -1], 'int32'), x([6], [1, 1, 31, 0, 30, 31], 'int32')],
    outputs: [f([6], 'int32')],
    run: (tf) => tf.tensor([3, -4, -1, 5, 1, -1], [6], 'int32'),
  },
  ...[
    ['STABLEHLO_AND', 176, (a, b) => a & b],
    ['STABLEHLO_OR', 183, (a, b) => a | b],
  ].map(([name, code, op]) => {
    const [a, b] = [
      [7, -7, -(2 ** 31), 12],
      [1, 6, 2 ** 31 - 1, 10],
    ];
    return {
      name: `${name} of integers`,
      code,
      inputs: [x([4], a, 'int32'), x([4], b, 'int32')],
      outputs: [f([4], 'int32')],
      run: (tf) =>
        tf.tensor(
          a.map((value, i) => op(value, b[i])),
          [4],
          'int32',
        ),
    };
  }),
  {
    name: 'STABLEHLO_DIVIDE of integers',
    code: 164,
    inputs: [x([3], [7, -7, 9], 'int32'), x([3], [2, 2, -4], 'int32')],
    outputs: [f([3], 'int32')],
    run: (tf) => tf.tensor([3, -3, -2], [3], 'int32'),
  },
  {
    name: 'STABLEHLO_SHIFT_LEFT',
    code: 207,
    inputs: [x([6], [-1, 0, 1, 3, 1, 7], 'int32'), x([6], [1, 2, 3, 31, 31, 0], 'int32')],
    outputs: [f([6], 'int32')],
    run: (tf) => tf.tensor([-2, 0, 8, -(2 ** 31), -(2 ** 31), 7], [6], 'int32'),
  },
  ...[
    ['int8', [2, -2, -2, -4, 127], [0, 1, 0, 5, 1], [2, -4, -2, -128, -2]],
    ['int16', [-5, -5, 0, 6, 32767], [0, 2, 0, 2, 1], [-5, -20, 0, 24, -2]],
  ].map(([type, values, shifts, want]) => ({
    name: `STABLEHLO_SHIFT_LEFT of ${type}`,
    code: 207,
    inputs: [x([5], values, type), x([5], shifts, type)],
    outputs: [f([5], type)],
    run: (tf) => tf.tensor(want, [5], 'int32'),
  })),
  {
    name: 'STABLEHLO_CLAMP',
    code: 168,
    inputs: [x([], [-1]), v(), x([], [1.5])],
    outputs: [f([2, 3])],
    run: (tf, low, a) => tf.clipByValue(a, -1, 1.5),
  },
  {
    name: 'STABLEHLO_SELECT',
    code: 187,
    inputs: [x([2, 3], [1, 0, 0, 1, 1, 0], 'bool'), v(), w()],
    outputs: [f([2, 3])],
    run: (tf, condition, a, b) => tf.where(condition, a, b),
  },
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
    ['STABLEHLO_LOGISTIC', 162, 'sigmoid'],
    ['STABLEHLO_ABS', 175, 'abs'],
    ['STABLEHLO_COSINE', 177, 'cos'],
    ['STABLEHLO_EXPONENTIAL', 178, 'exp'],
    ['STABLEHLO_FLOOR', 179, 'floor'],
    ['STABLEHLO_NEGATE', 182, 'neg'],
    ['STABLEHLO_TANH', 189, 'tanh'],
  ].map(([name, code, op]) => unary(name, code, (tf, a) => tf[op](a))),
  ...[
    ['LOG', 73, 'log'],
    ['SQRT', 75, 'sqrt'],
    ['RSQRT', 76, 'rsqrt'],
    ['STABLEHLO_LOG', 180, 'log'],
    ['STABLEHLO_RSQRT', 186, 'rsqrt'],
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
  ...movementCases,
  ...indexingCases,
  ...reductionCases,
  ...optionCases,
];
