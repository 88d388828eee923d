// More cases of single nodes: the options and the forms of inputs of builtin ops that op_cases.mjs does not have. LiteRT.js ignores
// the activation of CONCATENATION, and gives zeros for CONV_2D without a bias.
import { x, constant, f, ramp, weights, v, w, image } from './case_inputs.mjs';
import { float32, int32, int8, ints } from './writer.mjs';

const one = (name, code, inputs, shape, run, options = {}) => ({
  name,
  code,
  inputs,
  outputs: [f(shape, options.result)],
  run,
  ...options,
});
const cube = () => x([2, 3, 4], ramp(24, -2, 3));
const integers = (shape, values) => x(shape, values, 'int32');

/** STRIDED_SLICE of [2, 3, 4] with masks { begin, end, ellipsis, newAxis, shrink } and an offset. */
const strided = (name, begin, end, strides, shape, masks, run) =>
  one(
    `STRIDED_SLICE ${name}`,
    45,
    [cube(), ...[begin, end, strides].map((list) => constant([list.length], list))],
    shape,
    run,
    {
      type: 32,
      options: [
        ...['begin', 'end', 'ellipsis', 'newAxis', 'shrink'].map((mask) => int32(masks[mask] ?? 0)),
        int8(masks.offset ?? 0),
      ],
    },
  );

const conv = (padding, strideW, strideH, activation, dilationW = 1, dilationH = 1) => ({
  type: 1,
  options: [int8(padding), int32(strideW), int32(strideH), int8(activation), int32(dilationW), int32(dilationH)],
});
const convolved = (tf, a, filter, strides, padding, dilations) =>
  tf.conv2d(a, tf.transpose(filter, [1, 2, 3, 0]), strides, padding, 'NHWC', dilations);
const depthwise = (padding, stride, dilation) => ({
  type: 2,
  options: [int8(padding), int32(stride), int32(stride), int32(2), int8(0), int32(dilation), int32(dilation)],
});
const pool = (padding, stride, window) => ({
  type: 5,
  options: [int8(padding), int32(stride), int32(stride), int32(window), int32(window), int8(0)],
});
const resized = (name, code, size, corners, halves, run) =>
  one(name, code, [image(3), constant([2], size)], [1, ...size, 2], run, {
    type: code === 23 ? 15 : 74,
    options: code === 23 ? [undefined, undefined, int8(corners), int8(halves)] : [int8(corners), int8(halves)],
  });
const accumulated = (exclusive, reverse) =>
  one(
    `CUMSUM${exclusive ? ' exclusive' : ''}${reverse ? ' reverse' : ''}`,
    128,
    [cube(), constant([], [-2])],
    [2, 3, 4],
    (tf, a) => tf.cumsum(a, 1, Boolean(exclusive), Boolean(reverse)),
    { type: 102, options: [int8(exclusive), int8(reverse)] },
  );
const reduced = (name, code, axes, keeps, shape, run, input = cube(), result = 'float32') =>
  one(name, code, [input, constant([axes.length], axes)], shape, run, { type: 27, options: [int8(keeps)], result });
const integral = (name, code, run, options = {}) =>
  one(name, code, [integers([4], [7, -7, 6, -9]), integers([4], [2, 2, -4, -3])], [4], run, {
    result: 'int32',
    ...options,
  });

export const optionCases = [
  one(
    'CONCATENATION along the last axis with RELU',
    2,
    [cube(), cube()],
    [2, 3, 8],
    (tf, a, b) => tf.relu(tf.concat([a, b], -1)),
    { hasNoPeer: true, type: 10, options: [int32(-1), int8(1)] },
  ),
  one('PACK along the last axis', 83, [v(), w()], [2, 3, 2], (tf, a, b) => tf.stack([a, b], 2), {
    type: 59,
    options: [int32(2), int32(-1)],
  }),
  one('SQUEEZE of the last axis', 43, [x([1, 3, 1], [1, 2, 3])], [1, 3], (tf, a) => tf.squeeze(a, [2]), {
    type: 30,
    options: [ints([-1])],
  }),
  one('SQUEEZE of all axes', 43, [x([1, 3, 1], [1, 2, 3])], [3], (tf, a) => tf.squeeze(a), {
    type: 30,
    options: [ints([])],
  }),
  one('EXPAND_DIMS of the last axis', 70, [v(), constant([1], [-1])], [2, 3, 1], (tf, a) => tf.expandDims(a, -1)),
  one(
    'TRANSPOSE of rank 5',
    39,
    [x([2, 1, 3, 2, 2], ramp(24)), constant([5], [4, 0, 3, 1, 2])],
    [2, 2, 2, 1, 3],
    (tf, a) => tf.transpose(a, [4, 0, 3, 1, 2]),
  ),
  strided('from the ends', [-1, 0, -3], [0, 3, -1], [1, 2, 1], [1, 2, 2], { end: 1 }, (tf, a) =>
    tf.stridedSlice(a, [1, 0, 1], [2, 3, 3], [1, 2, 1]),
  ),
  strided('with masks', [1, 1, 1], [1, 1, 3], [1, 1, 1], [2, 3, 2], { begin: 3, end: 3 }, (tf, a) =>
    tf.slice(a, [0, 0, 1], [2, 3, 2]),
  ),
  strided('backward', [1, 2, 3], [-3, -4, -5], [-1, -1, -2], [2, 3, 2], {}, (tf, a) =>
    tf.stridedSlice(tf.reverse(a), [0, 0, 0], [2, 3, 4], [1, 1, 2]),
  ),
  strided('of single elements', [1, 0, 2], [2, 3, 3], [1, 1, 1], [3], { shrink: 5 }, (tf, a) =>
    tf.reshape(tf.slice(a, [1, 0, 2], [1, 3, 1]), [3]),
  ),
  strided('with an ellipsis', [0, 1], [0, 3], [1, 1], [2, 3, 2], { ellipsis: 1 }, (tf, a) =>
    tf.slice(a, [0, 0, 1], [2, 3, 2]),
  ),
  strided('with a new axis', [0, 0, 0, 0], [0, 2, 3, 4], [1, 1, 1, 1], [1, 2, 3, 4], { newAxis: 1 }, (tf, a) =>
    tf.expandDims(a, 0),
  ),
  strided('with ends as offsets', [0, 1, 1], [2, 2, 3], [1, 1, 2], [2, 2, 2], { offset: 1 }, (tf, a) =>
    tf.stridedSlice(a, [0, 1, 1], [2, 3, 4], [1, 1, 2]),
  ),
  {
    name: 'SPLIT_V with an open size',
    code: 102,
    inputs: [x([2, 5], ramp(10)), constant([3], [1, -1, 2]), constant([], [-1])],
    outputs: [f([2, 1]), f([2, 2]), f([2, 2])],
    type: 79,
    options: [int32(3)],
    run: (tf, a) => tf.split(a, [1, 2, 2], 1),
  },
  {
    name: 'SPLIT along the last axis',
    code: 49,
    inputs: [constant([], [-1]), x([2, 4], ramp(8))],
    outputs: [f([2, 2]), f([2, 2])],
    type: 35,
    options: [int32(2)],
    run: (tf, axis, a) => tf.split(a, 2, 1),
  },
  one(
    'TRANSPOSE_CONV with a bias and RELU6',
    67,
    [constant([4], [1, 7, 5, 4]), weights([4, 3, 3, 2]), image(3), weights([4])],
    [1, 7, 5, 4],
    (tf, _, filter, a, bias) =>
      tf.relu6(tf.add(tf.conv2dTranspose(a, tf.transpose(filter, [1, 2, 0, 3]), [1, 7, 5, 4], [2, 1], 'valid'), bias)),
    {
      version: 4,
      type: 49,
      options: [int8(1), int32(1), int32(2), int8(3)],
    },
  ),
  one(
    'FULLY_CONNECTED that keeps the dimensions',
    9,
    [x([2, 2, 3], ramp(12)), weights([4, 3])],
    [2, 2, 4],
    (tf, a, b) => tf.reshape(tf.matMul(tf.reshape(a, [4, 3]), b, false, true), [2, 2, 4]),
    { type: 8, options: [int8(0), int8(0), int8(1)] },
  ),
  one(
    'FULLY_CONNECTED of rank 3',
    9,
    [x([2, 2, 3], ramp(12)), weights([4, 6])],
    [2, 4],
    (tf, a, b) => tf.matMul(tf.reshape(a, [2, 6]), b, false, true),
    { type: 8, options: [int8(0), int8(0), int8(0)] },
  ),
  one(
    'BATCH_MATMUL of a transposed matrix',
    126,
    [x([2, 3, 2], ramp(12)), x([2, 3, 4], ramp(24))],
    [2, 2, 4],
    (tf, a, b) => tf.matMul(a, b, true),
    { type: 101, options: [int8(1), int8(0)] },
  ),
  one(
    'BATCH_MATMUL that broadcasts',
    126,
    [x([3, 1, 2, 3], ramp(18)), x([2, 3, 4], ramp(24))],
    [3, 2, 2, 4],
    (tf, a, b) => tf.matMul(tf.tile(a, [1, 2, 1, 1]), tf.tile(tf.reshape(b, [1, 2, 3, 4]), [3, 1, 1, 1])),
    { type: 101, options: [int8(0), int8(0)] },
  ),
  resized('RESIZE_BILINEAR', 23, [5, 2], 0, 0, (tf, a) => tf.image.resizeBilinear(a, [5, 2])),
  resized('RESIZE_BILINEAR with aligned corners', 23, [5, 2], 1, 0, (tf, a) =>
    tf.image.resizeBilinear(a, [5, 2], true),
  ),
  resized('RESIZE_NEAREST_NEIGHBOR with aligned corners', 97, [5, 2], 1, 0, (tf, a) =>
    tf.image.resizeNearestNeighbor(a, [5, 2], true),
  ),
  resized('RESIZE_NEAREST_NEIGHBOR with half pixels', 97, [5, 2], 0, 1, (tf, a) =>
    tf.image.resizeNearestNeighbor(a, [5, 2], false, true),
  ),
  accumulated(0, 0),
  accumulated(1, 0),
  accumulated(1, 1),
  one(
    'ADD that broadcasts to rank 5',
    0,
    [x([2, 1, 3, 1, 2], ramp(12)), x([4, 1, 3, 1], ramp(12))],
    [2, 4, 3, 3, 2],
    (tf, a, b) => tf.add(a, b),
    { type: 11, options: [int8(0)] },
  ),
  integral('ADD of integers with RELU', 0, (tf, a, b) => tf.relu(tf.add(a, b)), { type: 11, options: [int8(1)] }),
  integral('MUL of integers with RELU6', 18, (tf, a, b) => tf.cast(tf.clipByValue(tf.mul(a, b), 0, 6), 'int32'), {
    type: 21,
    options: [int8(3)],
  }),
  integral('DIV of integers', 42, (tf) => tf.tensor([3, -3, -1, 3], [4], 'int32'), { type: 29, options: [int8(0)] }),
  integral('FLOOR_DIV of integers', 90, (tf) => tf.tensor([3, -4, -2, 3], [4], 'int32')),
  integral('FLOOR_MOD of integers', 95, (tf) => tf.tensor([1, 1, -2, 0], [4], 'int32')),
  integral('MAXIMUM of integers', 55, (tf, a, b) => tf.maximum(a, b)),
  integral('SQUARED_DIFFERENCE of integers', 99, (tf, a, b) => tf.squaredDifference(a, b)),
  one(
    'POW of integers',
    78,
    [integers([3], [2, -3, 5]), integers([3], [3, 3, 0])],
    [3],
    (tf) => tf.tensor([8, -27, 1], [3], 'int32'),
    { result: 'int32' },
  ),
  one('NEG of integers', 59, [integers([3], [2, -3, 0])], [3], (tf, a) => tf.neg(a), { result: 'int32' }),
  one('ABS of integers', 101, [integers([3], [2, -3, 0])], [3], (tf, a) => tf.abs(a), { result: 'int32' }),
  one('CAST of integers', 53, [integers([3], [2, -3, 0])], [3], (tf, a) => tf.cast(a, 'float32')),
  reduced('MEAN of two axes', 40, [0, -1], 0, [3], (tf, a) => tf.mean(a, [0, 2])),
  reduced('MEAN of no axes', 40, [], 1, [2, 3, 4], (tf, a) => a.clone()),
  reduced(
    'MEAN of integers',
    40,
    [0],
    0,
    [3],
    (tf) => tf.tensor([2, -2, 4], [3], 'int32'),
    integers([2, 3], [1, -4, 3, 4, -1, 5]),
    'int32',
  ),
  reduced(
    'SUM of integers',
    74,
    [-1],
    1,
    [2, 1],
    (tf, a) => tf.sum(a, 1, true),
    integers([2, 3], [1, -4, 3, 4, -1, 5]),
    'int32',
  ),
  reduced('REDUCE_MAX of all axes', 82, [0, 1, 2], 0, [], (tf, a) => tf.max(a)),
  reduced(
    'REDUCE_PROD of integers',
    81,
    [1],
    0,
    [2],
    (tf, a) => tf.prod(a, 1),
    integers([2, 3], [1, -4, 3, 4, -1, 5]),
    'int32',
  ),
  one('ARG_MAX along the last axis', 56, [cube(), constant([], [-1])], [2, 3], (tf, a) => tf.argMax(a, 2), {
    type: 40,
    options: [int8(2)],
    result: 'int32',
  }),
  one(
    'CONV_2D in groups',
    3,
    [image(5, 4), weights([6, 3, 3, 2]), weights([6])],
    [1, 3, 3, 6],
    (tf, a, filter, bias) => {
      const halves = tf.split(tf.transpose(filter, [1, 2, 3, 0]), 2, 3);
      const parts = tf.split(a, 2, 3).map((part, i) => tf.conv2d(part, halves[i], 1, 'valid'));
      return tf.relu(tf.add(tf.concat(parts, 3), bias));
    },
    conv(1, 1, 1, 1),
  ),
  one(
    'CONV_2D dilated',
    3,
    [image(7), weights([3, 3, 3, 2]), weights([3])],
    [1, 7, 7, 3],
    (tf, a, filter, bias) => tf.add(convolved(tf, a, filter, 1, 'same', [3, 2]), bias),
    conv(0, 1, 1, 0, 2, 3),
  ),
  one(
    'CONV_2D without a bias',
    3,
    [image(6), weights([3, 2, 3, 2])],
    [1, 3, 4, 3],
    (tf, a, filter) => convolved(tf, a, filter, [2, 1], 'valid', 1),
    { hasNoPeer: true, ...conv(1, 1, 2, 0) },
  ),
  one(
    'DEPTHWISE_CONV_2D with strides',
    4,
    [image(6), weights([1, 3, 3, 4]), weights([4])],
    [1, 3, 3, 4],
    (tf, a, filter, bias) => tf.add(tf.depthwiseConv2d(a, tf.reshape(filter, [3, 3, 2, 2]), 2, 'same'), bias),
    depthwise(0, 2, 1),
  ),
  one(
    'DEPTHWISE_CONV_2D dilated',
    4,
    [image(6), weights([1, 3, 3, 4]), weights([4])],
    [1, 2, 2, 4],
    (tf, a, filter, bias) =>
      tf.add(tf.depthwiseConv2d(a, tf.reshape(filter, [3, 3, 2, 2]), 1, 'valid', 'NHWC', 2), bias),
    depthwise(1, 1, 2),
  ),
  one('AVERAGE_POOL_2D with pads', 1, [image(5)], [1, 3, 3, 2], (tf, a) => tf.avgPool(a, 3, 2, 'same'), pool(0, 2, 3)),
  one('MAX_POOL_2D with pads', 17, [image(5)], [1, 5, 5, 2], (tf, a) => tf.maxPool(a, 3, 1, 'same'), pool(0, 1, 3)),
  one(
    'GATHER along the last axis',
    36,
    [cube(), constant([2], [3, 0])],
    [2, 3, 2],
    (tf, a) => tf.gather(a, tf.tensor1d([3, 0], 'int32'), 2),
    {
      type: 23,
      options: [int32(-1), int32(0)],
    },
  ),
  one(
    'GATHER in batches',
    36,
    [cube(), constant([2, 1], [2, 0])],
    [2, 1, 4],
    (tf, a) => tf.concat([tf.slice(a, [0, 2, 0], [1, 1, 4]), tf.slice(a, [1, 0, 0], [1, 1, 4])], 0),
    {
      type: 23,
      options: [int32(1), int32(1)],
    },
  ),
  one('PRELU of images', 54, [image(3), weights([1, 1, 2])], [1, 3, 3, 2], (tf, a, alpha) =>
    tf.prelu(a, tf.reshape(alpha, [2])),
  ),
  one('SOFTMAX of images', 25, [image(3, 4)], [1, 3, 3, 4], (tf, a) => tf.softmax(a), {
    type: 9,
    options: [float32(1)],
  }),
  one(
    'ONE_HOT along the first axis',
    85,
    [integers([3], [2, 0, 1]), constant([], [3]), constant([], [5], 'float32'), constant([], [-1], 'float32')],
    [3, 3],
    (tf) => tf.tensor([-1, 5, -1, -1, -1, 5, 5, -1, -1], [3, 3]),
    { type: 61, options: [int32(0)] },
  ),
  ...[
    ['REFLECT', 0, 'reflect'],
    ['SYMMETRIC', 1, 'symmetric'],
  ].map(([name, mode, kind]) =>
    one(
      `MIRROR_PAD ${name}`,
      100,
      [v(), constant([2, 2], [1, 0, 2, 1])],
      [3, 6],
      (tf, a) =>
        tf.mirrorPad(
          a,
          [
            [1, 0],
            [2, 1],
          ],
          kind,
        ),
      { type: 77, options: [int8(mode)] },
    ),
  ),
  one('PAD by int64', 34, [v(), constant([2, 2], [1, 0, 0, 2], 'int64')], [3, 5], (tf, a) =>
    tf.pad(a, [
      [1, 0],
      [0, 2],
    ]),
  ),
  one('TILE of rank 3', 69, [cube(), constant([3], [1, 2, 2])], [2, 6, 8], (tf, a) => tf.tile(a, [1, 2, 2])),
  one(
    'SPACE_TO_BATCH_ND of rank 3',
    38,
    [x([1, 4, 2], ramp(8)), constant([1], [2]), constant([1, 2], [0, 0])],
    [2, 2, 2],
    (tf, a) => tf.spaceToBatchND(a, [2], [[0, 0]]),
  ),
  one('L2_NORMALIZATION of zeros', 11, [x([2, 2], [0, 0, 3, 4])], [2, 2], (tf) => tf.tensor([0, 0, 0.6, 0.8], [2, 2]), {
    type: 12,
    options: [int8(0)],
  }),
];
