// One row for each way to call an op: its name, the call, and the shape, values and dtype of the result. The values are worked
// out by hand or in plain JavaScript; those of losses and metrics are TensorFlow.js's.
import { tf } from '../expect.mjs';

const x = [1, -2, 0.5, 3];
const m = [
  [1, -2, 3],
  [4, 5, -6],
];
const a = [7, -7, 2.5, 0];
const b = [2, 3, -1, 4];
const yes = [true, true, false, false];
const no = [true, false, true, false];
const int = (values) => tf.tensor1d(values, 'int32');
const sigmoid = (v) => 1 / (1 + Math.exp(-v));
const erf = [0.8427007929, -0.995322265, 0.5204998778, 0.9999779095];
const floorMod = (p, q) => p - q * Math.floor(p / q);

const unary = (name, f, values = x, dtype) => [name, () => tf[name](values), [values.length], values.map(f), dtype];
const binary = (name, f, dtype) => [name, () => tf[name](a, b), [4], a.map((v, i) => f(v, b[i])), dtype];
const logical = (name, f) => [name, () => tf[name](yes, no), [4], yes.map((v, i) => f(v, no[i])), 'bool'];
/** Activations that layers have and `tf` does not. */
const activated = (name, f, activation = name) => [
  name,
  () => tf.layers.activation({ activation }).apply(tf.tensor1d(x)),
  [4],
  x.map(f),
];
const image = () => tf.tensor4d([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1]);
const ones = (...shape) => tf.ones(shape);

const labels = [
  [1, 0, 0],
  [0, 0, 1],
];
const guesses = [
  [0.7, 0.2, 0.1],
  [0.3, 0.3, 0.4],
];
const pairs = () =>
  tf.tensor2d([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);

export const cases = [
  unary('neg', (v) => -v),
  unary('abs', Math.abs),
  unary('sign', Math.sign),
  unary('square', (v) => v * v),
  unary('relu', (v) => Math.max(v, 0)),
  unary('relu6', (v) => Math.min(Math.max(v, 0), 6), [-1, 3, 7]),
  unary('ceil', Math.ceil),
  unary('floor', Math.floor),
  unary('round', (v) => [-2, 0, 2, 2][[-1.5, 0.5, 1.5, 2.5].indexOf(v)], [-1.5, 0.5, 1.5, 2.5]),
  unary('reciprocal', (v) => 1 / v),
  unary('sqrt', Math.sqrt, [0, 1, 2, 9]),
  unary('rsqrt', (v) => 1 / Math.sqrt(v), [1, 4, 0.25]),
  unary('exp', Math.exp),
  unary('expm1', Math.expm1, [1e-6, 1]),
  unary('log', Math.log, [0.5, 1, 10]),
  unary('log1p', Math.log1p, [1e-6, 1]),
  unary('sin', Math.sin),
  unary('cos', Math.cos),
  unary('tan', Math.tan),
  unary('asin', Math.asin, [-1, 0.25, 1]),
  unary('acos', Math.acos, [-1, 0.25, 1]),
  unary('atan', Math.atan),
  unary('sinh', Math.sinh),
  unary('cosh', Math.cosh),
  unary('tanh', Math.tanh),
  unary('asinh', Math.asinh),
  unary('acosh', Math.acosh, [1, 2, 10]),
  unary('atanh', Math.atanh, [-0.5, 0, 0.75]),
  unary('erf', (v) => erf[x.indexOf(v)]),
  unary('sigmoid', sigmoid),
  unary('logSigmoid', (v) => Math.log(sigmoid(v))),
  unary('softplus', (v) => Math.log1p(Math.exp(v))),
  unary('elu', (v) => (v > 0 ? v : Math.expm1(v))),
  unary('selu', (v) => 1.0507009873554805 * (v > 0 ? v : 1.6732632423543772 * Math.expm1(v))),
  unary('leakyRelu', (v) => (v < 0 ? 0.2 * v : v)),
  unary('step', (v) => (v > 0 ? 1 : 0)),
  activated('hardSigmoid', (v) => Math.min(Math.max(0.2 * v + 0.5, 0), 1)),
  activated('softsign', (v) => v / (1 + Math.abs(v))),
  activated('swish', (v) => v * sigmoid(v)),
  activated('mish', (v) => v * Math.tanh(Math.log1p(Math.exp(v)))),
  activated('gelu', (v, i) => (v / 2) * (1 + [0.6826894921, -0.9544997361, 0.3829249225, 0.9973002039][i])),
  activated('geluNew', (v) => (v / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3))), 'gelu_new'),
  unary('isNaN', Number.isNaN, [NaN, 1, Infinity], 'bool'),
  unary('isInf', (v) => Math.abs(v) === Infinity, [NaN, 1, -Infinity], 'bool'),
  unary('isFinite', Number.isFinite, [NaN, 1, Infinity], 'bool'),
  unary('logicalNot', (v) => !v, yes, 'bool'),
  ['leakyRelu', () => tf.leakyRelu(x, 0.5), [4], [1, -1, 0.5, 3]],
  ['step', () => tf.step(x, 0.5), [4], [1, 0.5, 1, 1]],
  ['clipByValue', () => tf.clipByValue(x, -1, 2), [4], [1, -1, 0.5, 2]],
  ['neg', () => tf.neg(int([1, -2])), [2], [-1, 2], 'int32'],
  ['abs', () => tf.abs([]), [0], []],

  binary('add', (p, q) => p + q),
  binary('sub', (p, q) => p - q),
  binary('mul', (p, q) => p * q),
  binary('div', (p, q) => p / q),
  binary('floorDiv', (p, q) => Math.floor(p / q)),
  binary('mod', floorMod),
  binary('maximum', Math.max),
  binary('minimum', Math.min),
  binary('squaredDifference', (p, q) => (p - q) ** 2),
  binary('atan2', Math.atan2),
  binary('equal', (p, q) => p === q, 'bool'),
  binary('notEqual', (p, q) => p !== q, 'bool'),
  binary('less', (p, q) => p < q, 'bool'),
  binary('lessEqual', (p, q) => p <= q, 'bool'),
  binary('greater', (p, q) => p > q, 'bool'),
  binary('greaterEqual', (p, q) => p >= q, 'bool'),
  logical('logicalAnd', (p, q) => p && q),
  logical('logicalOr', (p, q) => p || q),
  logical('logicalXor', (p, q) => p !== q),
  ['pow', () => tf.pow([2, 3, 4], [3, 2, 0.5]), [3], [8, 9, 2]],
  ['divNoNan', () => tf.divNoNan([1, 6], [0, 3]), [2], [0, 2]],
  ['prelu', () => tf.prelu([1, -2], [0.5, 0.25]), [2], [1, -0.5]],
  ['add', () => tf.add([[1], [2]], [10, 20, 30]), [2, 3], [11, 21, 31, 12, 22, 32]],
  ['add', () => tf.add(int([1, 2]), int([3, 4])), [2], [4, 6], 'int32'],
  ['add', () => tf.add(int([1, 2]), 0.5), [2], [1.5, 2.5]],
  ['div', () => tf.div(int([7, -7]), int([2, 2])), [2], [3, -4], 'int32'],
  ['mul', () => tf.mul(ones(0, 3), ones(3)), [0, 3], []],
  [
    'addN',
    () =>
      tf.addN([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    [2],
    [9, 12],
  ],

  ['clone', () => tf.clone(m), [2, 3], m.flat()],
  ['reshape', () => tf.reshape(m, [3, -1]), [3, 2], m.flat()],
  ['expandDims', () => tf.expandDims(x, -1), [4, 1], x],
  ['squeeze', () => tf.squeeze([[[1], [2]]]), [2], [1, 2]],
  ['squeeze', () => tf.squeeze([[[1], [2]]], [0]), [2, 1], [1, 2]],
  ['cast', () => tf.cast([1.9, -1.9, 0], 'int32'), [3], [1, -1, 0], 'int32'],
  ['cast', () => tf.cast([0.5, 0], 'bool'), [2], [1, 0], 'bool'],
  ['broadcastTo', () => tf.broadcastTo([1, 2], [2, 2]), [2, 2], [1, 2, 1, 2]],
  ['transpose', () => tf.transpose(m), [3, 2], [1, 4, -2, 5, 3, -6]],
  ['transpose', () => tf.transpose([[[1, 2]]], [2, 0, 1]), [2, 1, 1], [1, 2]],

  ['fill', () => tf.fill([2], 7, 'int32'), [2], [7, 7], 'int32'],
  ['zeros', () => tf.zeros([2, 1]), [2, 1], [0, 0]],
  ['ones', () => tf.ones([2], 'bool'), [2], [1, 1], 'bool'],
  ['zerosLike', () => tf.zerosLike(int([3])), [1], [0], 'int32'],
  ['onesLike', () => tf.onesLike([[3, 4]]), [1, 2], [1, 1]],
  ['range', () => tf.range(0, 1, 0.25), [4], [0, 0.25, 0.5, 0.75]],
  ['range', () => tf.range(3, 0, 1, 'int32'), [3], [3, 2, 1], 'int32'],
  ['range', () => tf.range(16777217, 16777220, 1, 'int32'), [3], [16777217, 16777218, 16777219], 'int32'],
  ['range', () => tf.range(2 ** 31 - 1, 2 ** 31 - 4, -1, 'int32'), [3], [2147483647, 2147483646, 2147483645], 'int32'],
  ['range', () => tf.range(0, 2, 0.5, 'int32'), [4], [0, 0, 1, 1], 'int32'],
  ['range', () => tf.range(0, 3, -1), [0], []],
  ['linspace', () => tf.linspace(0, 1, 3), [3], [0, 0.5, 1]],
  ['diag', () => tf.diag([1, 2, 3]), [3, 3], [1, 0, 0, 0, 2, 0, 0, 0, 3]],
  ['meshgrid', () => tf.meshgrid([1, 2, 3], [4, 5])[0], [2, 3], [1, 2, 3, 1, 2, 3]],
  ['meshgrid', () => tf.meshgrid([1, 2, 3], [4, 5], { indexing: 'ij' })[1], [3, 2], [4, 5, 4, 5, 4, 5]],
  ['eye', () => tf.eye(2, 3), [2, 3], [1, 0, 0, 0, 1, 0]],
  ['eye', () => tf.eye(1, 2, [2, 1], 'int32'), [2, 1, 1, 2], [1, 0, 1, 0], 'int32'],
  ['oneHot', () => tf.oneHot([1, 0], 3, 5, -1), [2, 3], [-1, 5, -1, 5, -1, -1], 'int32'],
  ['rand', () => tf.rand([2], () => 0.5), [2], [0.5, 0.5]],

  ['concat', () => tf.concat([m, m], 1), [2, 6], [1, -2, 3, 1, -2, 3, 4, 5, -6, 4, 5, -6]],
  ['concat1d', () => tf.concat1d([[1], [2, 3]]), [3], [1, 2, 3]],
  ['concat2d', () => tf.concat2d([[[1]], [[2]]], 0), [2, 1], [1, 2]],
  ['concat3d', () => tf.concat3d([[[[1]]], [[[2]]]], 2), [1, 1, 2], [1, 2]],
  ['concat4d', () => tf.concat4d([[[[[1]]]], [[[[2]]]]], 3), [1, 1, 1, 2], [1, 2]],
  [
    'stack',
    () =>
      tf.stack(
        [
          [1, 2],
          [3, 4],
        ],
        1,
      ),
    [2, 2],
    [1, 3, 2, 4],
  ],
  ['unstack', () => tf.unstack(m, 1)[2], [2], [3, -6]],
  ['split', () => tf.split(m, 3, 1)[1], [2, 1], [-2, 5]],
  ['split', () => tf.split(x, [1, -1])[1], [3], [-2, 0.5, 3]],
  ['split', () => tf.split(tf.range(0, 24).reshape([2, 12]), 12, 1)[11], [2, 1], [11, 23]],
  ['slice', () => tf.slice(m, [0, 1], [-1, 2]), [2, 2], [-2, 3, 5, -6]],
  ['slice', () => tf.slice(x, 1, 2), [2], [-2, 0.5]],
  ['slice1d', () => tf.slice1d(x, 1, 2), [2], [-2, 0.5]],
  ['slice2d', () => tf.slice2d(m, [1, 0], [1, 2]), [1, 2], [4, 5]],
  ['slice3d', () => tf.slice3d([[[1, 2]]], [0, 0, 1], [1, 1, 1]), [1, 1, 1], [2]],
  ['slice4d', () => tf.slice4d([[[[1, 2]]]], [0, 0, 0, 1], [1, 1, 1, 1]), [1, 1, 1, 1], [2]],
  ['stridedSlice', () => tf.stridedSlice(m, [1, 2], [-3, -4], [-1, -2]), [2, 2], [-6, 4, 3, 1]],
  ['stridedSlice', () => tf.stridedSlice(m, [1, 0], [2, 3], [1, 1], 0, 0, 0, 0, 1), [3], [4, 5, -6]],
  ['gather', () => tf.gather(m, [2, 0], 1), [2, 2], [3, 1, -6, 4]],
  ['gather', () => tf.gather(m, [[0], [2]], 1, 1), [2, 1], [1, -6]],
  [
    'unsortedSegmentSum',
    () =>
      tf.unsortedSegmentSum(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [1, -1, 1],
        2,
      ),
    [2, 2],
    [0, 0, 6, 8],
  ],
  ['tile', () => tf.tile([[1, 2]], [2, 2]), [2, 4], [1, 2, 1, 2, 1, 2, 1, 2]],
  ['pad', () => tf.pad([1, 2], [[1, 2]], 9), [5], [9, 1, 2, 9, 9]],
  ['pad1d', () => tf.pad1d([1], [1, 0]), [2], [0, 1]],
  [
    'pad2d',
    () =>
      tf.pad2d(
        [[1]],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    [2, 2],
    [0, 0, 1, 0],
  ],
  [
    'pad3d',
    () =>
      tf.pad3d(
        [[[1]]],
        [
          [0, 0],
          [0, 0],
          [1, 0],
        ],
      ),
    [1, 1, 2],
    [0, 1],
  ],
  [
    'pad4d',
    () =>
      tf.pad4d(
        [[[[1]]]],
        [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 1],
        ],
      ),
    [1, 1, 1, 2],
    [1, 0],
  ],
  ['mirrorPad', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'reflect'), [6], [3, 2, 1, 2, 3, 2]],
  ['mirrorPad', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric'), [6], [2, 1, 1, 2, 3, 3]],
  ['reverse', () => tf.reverse(m, 1), [2, 3], [3, -2, 1, -6, 5, 4]],
  ['reverse', () => tf.reverse(m, []), [2, 3], [1, -2, 3, 4, 5, -6]],
  ['reverse4d', () => tf.reverse4d([[[[1, 2]]]], []), [1, 1, 1, 2], [1, 2]],
  ['reverse1d', () => tf.reverse1d(x), [4], [3, 0.5, -2, 1]],
  ['reverse2d', () => tf.reverse2d([[1, 2]]), [1, 2], [2, 1]],
  ['reverse3d', () => tf.reverse3d([[[1, 2]]], -1), [1, 1, 2], [2, 1]],
  ['reverse4d', () => tf.reverse4d([[[[1, 2]]]], [3]), [1, 1, 1, 2], [2, 1]],
  ['where', () => tf.where([true, false], [1, 2], 9), [2], [1, 9]],

  ['sum', () => tf.sum(m), [], [5]],
  ['sum', () => tf.sum(m, -1, true), [2, 1], [2, 3]],
  ['sum', () => tf.sum(yes), [], [2], 'int32'],
  ['sum', () => tf.sum(m, []), [2, 3], m.flat()],
  ['prod', () => tf.prod(m, 0), [3], [4, -10, -18]],
  ['max', () => tf.max(m, [0, 1]), [], [5]],
  ['min', () => tf.min(m, 1), [2], [-2, -6]],
  ['mean', () => tf.mean(tf.tensor([1, 2], [2], 'int32'), []), [2], [1, 2]],
  ['sum', () => tf.sum([true, false], []), [2], [1, 0], 'int32'],
  ['prod', () => tf.prod([true, false], [], true), [2], [1, 0], 'int32'],
  ['norm', () => tf.norm(x, 2, []), [4], [1, 2, 0.5, 3]],
  ['sigmoid', () => tf.sigmoid([-87]).mul(1e38).mul(10), [1], [16.4581]],
  ['mean', () => tf.mean(m, 0), [3], [2.5, 1.5, -1.5]],
  ['any', () => tf.any([yes, no], 0), [4], [1, 1, 1, 0], 'bool'],
  ['all', () => tf.all([yes, no], 0), [4], [1, 0, 0, 0], 'bool'],
  ['argMax', () => tf.argMax(m), [3], [1, 1, 0], 'int32'],
  ['argMin', () => tf.argMin(m, -1), [2], [1, 2], 'int32'],
  ['norm', () => tf.norm([3, -4]), [], [5]],
  ['norm', () => tf.norm(m, 1, [0, 1]), [], [9]],
  ['norm', () => tf.norm(m, Infinity, 1), [2], [3, 6]],
  ['euclideanNorm', () => tf.euclideanNorm(m, 1), [2], [Math.sqrt(14), Math.sqrt(77)]],
  ['logSumExp', () => tf.logSumExp([1000, 1000]), [], [1000 + Math.LN2]],
  ['moments', () => tf.moments(m, 1).mean, [2], [2 / 3, 1]],
  ['moments', () => tf.moments([1, 3]).variance, [], [1]],

  ['matMul', () => tf.matMul(m, m, false, true), [2, 2], [14, -24, -24, 77]],
  ['matMul', () => tf.matMul(ones(2, 1, 3), ones(3, 1)), [2, 1, 1], [3, 3]],
  ['dot', () => tf.dot(m, [1, 1, 1]), [2], [2, 3]],
  ['outerProduct', () => tf.outerProduct([1, 2], [3, 4]), [2, 2], [3, 4, 6, 8]],

  ['conv2d', () => tf.conv2d(image(), ones(2, 2, 1, 1), 1, 'valid'), [1, 2, 2, 1], [12, 16, 24, 28]],
  ['conv2d', () => tf.conv2d(image().squeeze([0]), ones(2, 2, 1, 1), 2, 'same'), [2, 2, 1], [12, 9, 15, 9]],
  ['conv2d', () => tf.conv2d(image(), ones(2, 2, 1, 1), 1, 'valid', 'NHWC', 2), [1, 1, 1, 1], [20]],
  [
    'conv2d',
    () =>
      tf.conv2d(
        ones(1, 2, 1, 3),
        ones(1, 1, 2, 1),
        1,
        [
          [0, 0],
          [0, 0],
          [1, 0],
          [0, 0],
        ],
        'NCHW',
      ),
    [1, 1, 2, 3],
    [0, 0, 0, 2, 2, 2],
  ],
  ['depthwiseConv2d', () => tf.depthwiseConv2d(ones(2, 1, 2), ones(1, 2, 2, 1), 1, 0, 'NCHW'), [2, 1, 1], [2, 2]],
  [
    'fused.conv2d',
    () =>
      tf.fused.conv2d({
        x: ones(2, 1, 2),
        filter: ones(1, 1, 2, 2),
        strides: 1,
        pad: 0,
        dataFormat: 'NCHW',
        bias: [1, 2],
      }),
    [2, 1, 2],
    [3, 3, 4, 4],
  ],
  [
    'fused.depthwiseConv2d',
    () =>
      tf.fused.depthwiseConv2d({
        x: [[[-1, -1]]],
        filter: ones(1, 1, 2, 1),
        strides: 1,
        pad: 0,
        activation: 'prelu',
        preluActivationWeights: tf.tensor4d([[[[2, 3]]]]),
      }),
    [1, 1, 2],
    [-2, -3],
  ],
  ['conv2d', () => tf.conv2d(ones(1, 2, 3, 3), ones(1, 1, 2, 1), 1, 0, 'NCHW'), [1, 1, 3, 3], Array(9).fill(2)],
  ['conv1d', () => tf.conv1d([[1], [2], [3]], ones(2, 1, 1), 1, 'same'), [3, 1], [3, 5, 3]],
  ['conv1d', () => tf.conv1d([[[1], [2], [3]]], ones(2, 1, 1), 1, 1), [1, 4, 1], [1, 3, 5, 3]],
  ['depthwiseConv2d', () => tf.depthwiseConv2d(ones(1, 2, 2, 2), ones(2, 2, 2, 1), 1, 'valid'), [1, 1, 1, 2], [4, 4]],
  [
    'separableConv2d',
    () => tf.separableConv2d(ones(1, 2, 2, 2), ones(2, 2, 2, 1), ones(1, 1, 2, 1), 1, 'valid'),
    [1, 1, 1, 1],
    [8],
  ],
  [
    'conv2dTranspose',
    () => tf.conv2dTranspose([[[1], [2]]], ones(1, 2, 1, 1), [1, 4, 1], [1, 2], 'same'),
    [1, 4, 1],
    [1, 1, 2, 2],
  ],
  [
    'conv2dTranspose',
    () =>
      tf.conv2dTranspose(tf.tensor3d([[[1], [2]]], [1, 2, 1], 'int32'), ones(1, 2, 1, 1), [1, 4, 1], [1, 2], 'same'),
    [1, 4, 1],
    [1, 1, 2, 2],
  ],
  [
    'conv2dTranspose',
    () =>
      tf.conv2dTranspose(
        [[new Int32Array([1]), new Int32Array([2])]],
        [[[new Int32Array([1])], [new Int32Array([1])]]],
        [1, 4, 1],
        [1, 2],
        'same',
      ),
    [1, 4, 1],
    [1, 1, 2, 2],
  ],
  ['maxPool', () => tf.maxPool(image(), 2, 1, 'valid'), [1, 2, 2, 1], [5, 6, 8, 9]],
  ['avgPool', () => tf.avgPool(image().squeeze([0]), 2, 2, 'same'), [2, 2, 1], [3, 4.5, 7.5, 9]],
  ['pool', () => tf.pool(image(), 2, 'max', 'valid', 2), [1, 1, 1, 1], [9]],
  ['pool', () => tf.pool(image(), [2, 2], 'avg', 'valid'), [1, 2, 2, 1], [3, 4, 6, 7]],

  ['softmax', () => tf.softmax([0, Math.log(3)]), [2], [0.25, 0.75]],
  ['logSoftmax', () => tf.logSoftmax([1000, 1000]), [2], [-Math.LN2, -Math.LN2]],
  ['batchNorm', () => tf.batchNorm([[3, 5]], [1, 1], [4, 4], [1, 0], [2, 1], 0), [1, 2], [3, 2]],
  ['batchNorm', () => tf.batchNorm([[3, 5]], [[1, 1]], [[4, 4]], null, [[2, 1]], 0), [1, 2], [2, 2]],
  ['batchNorm', () => tf.batchNorm([[3, 5]], [1], [4, 16], [1], [2], 0), [1, 2], [3, 3]],
  ['batchNorm', () => tf.batchNorm([[3, 5]], 1, 4, 1, 2, 0), [1, 2], [3, 5]],
  ['batchNorm', () => tf.batchNorm([[3, 5]], [[1], [3]].slice(0, 1), [[4]], null, null, 0), [1, 2], [1, 2]],
  ['batchNorm', () => tf.batchNorm(3, 1, 4, 1, 2, 0), [], [3]],
  ['batchNorm', () => tf.batchNorm(3, [1], [4], null, null, 0), [], [1]],
  ['batchNorm2d', () => tf.batchNorm2d([[3]], [1], [4], undefined, undefined, 0), [1, 1], [1]],
  ['batchNorm3d', () => tf.batchNorm3d([[[3]]], [1], [4], [1], [1], 0), [1, 1, 1], [2]],
  ['batchNorm4d', () => tf.batchNorm4d([[[[3]]]], [1], [4], [1], [2], 0), [1, 1, 1, 1], [3]],
  ['image.resizeBilinear', () => tf.image.resizeBilinear([[[0], [2]]], [1, 4]), [1, 4, 1], [0, 1, 2, 2]],
  ['image.resizeNearestNeighbor', () => tf.image.resizeNearestNeighbor([[[0], [2]]], [1, 4]), [1, 4, 1], [0, 0, 2, 2]],
  ['fused.matMul', () => tf.fused.matMul({ a: m, b: ones(3, 1), bias: [-3], activation: 'relu' }), [2, 1], [0, 0]],
  [
    'fused.matMul',
    () => tf.fused.matMul({ a: m, b: ones(3, 1), activation: 'prelu', preluActivationWeights: tf.scalar(-1) }),
    [2, 1],
    [2, 3],
  ],
  [
    'fused.conv2d',
    () =>
      tf.fused.conv2d({
        x: image(),
        filter: ones(3, 3, 1, 1),
        strides: 1,
        pad: 'valid',
        bias: [-46],
        activation: 'leakyrelu',
      }),
    [1, 1, 1, 1],
    [-0.2],
  ],
  [
    'fused.depthwiseConv2d',
    () =>
      tf.fused.depthwiseConv2d({ x: image(), filter: ones(3, 3, 1, 1), strides: 1, pad: 'valid', activation: 'relu6' }),
    [1, 1, 1, 1],
    [6],
  ],

  ['gatherND', () => tf.gatherND(m, [[1], [0]]), [2, 3], [4, 5, -6, 1, -2, 3]],
  [
    'scatterND',
    () =>
      tf.scatterND(
        [[1], [1], [0]],
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [3, 2],
      ),
    [3, 2],
    [5, 6, 4, 6, 0, 0],
  ],
  [
    'tensorScatterUpdate',
    () =>
      tf.tensorScatterUpdate(
        [
          [1, 2],
          [3, 4],
        ],
        [[0, 1]],
        [9],
      ),
    [2, 2],
    [1, 9, 3, 4],
  ],
  ['sparseToDense', () => tf.sparseToDense([1, 3], 7, [4], -1), [4], [-1, 7, -1, 7]],
  ['topk', () => tf.topk(m, 2).values, [2, 2], [3, 1, 5, 4]],
  ['topk', () => tf.topk(m, 2).indices, [2, 2], [2, 0, 1, 0], 'int32'],
  ['unique', () => tf.unique([3, 1, 3]).values, [2], [3, 1]],
  ['searchSorted', () => tf.searchSorted([1, 2, 2, 3], [2, 0, 4], 'right'), [3], [3, 0, 4], 'int32'],
  ['bincount', () => tf.bincount(int([1, 1, 5]), [], 3), [3], [0, 2, 0]],
  ['math.confusionMatrix', () => tf.math.confusionMatrix([0, 1, 1], [0, 0, 1], 2), [2, 2], [1, 0, 1, 1], 'int32'],
  ['cumsum', () => tf.cumsum(m, 1), [2, 3], [1, -1, 2, 4, 9, 3]],
  ['cumsum', () => tf.cumsum(m, 0, true, true), [2, 3], [4, 5, -6, 0, 0, 0]],
  ['cumsum', () => tf.cumsum([true, true]), [2], [1, 2], 'int32'],
  ['cumsum', () => tf.cumsum(tf.zeros([0, 2]), 1), [0, 2], []],
  ['cumprod', () => tf.cumprod(m, -1), [2, 3], [1, -2, -6, 4, 20, -120]],
  ['bitwiseAnd', () => tf.bitwiseAnd(int([6, 5]), int([3, 4])), [2], [2, 4], 'int32'],
  ['spaceToBatchND', () => tf.spaceToBatchND([[[1], [2]]], [2], [[0, 0]]), [2, 1, 1], [1, 2]],
  [
    'spaceToBatchND',
    () =>
      tf.spaceToBatchND(
        image(),
        [2, 2],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    [4, 2, 2, 1],
    [0, 0, 4, 6, 0, 0, 5, 0, 1, 3, 7, 9, 2, 0, 8, 0],
  ],
  [
    'batchToSpaceND',
    () =>
      tf.batchToSpaceND(
        [
          [[1], [2]],
          [[3], [4]],
        ],
        [2],
        [[1, 0]],
      ),
    [1, 3, 1],
    [3, 2, 4],
  ],
  ['depthToSpace', () => tf.depthToSpace([[[[1, 2, 3, 4]]]], 2), [1, 2, 2, 1], [1, 2, 3, 4]],
  ['einsum', () => tf.einsum('ij,kj->ki', m, m), [2, 2], [14, -24, -24, 77]],
  ['einsum', () => tf.einsum('ij->ji', m), [3, 2], [1, 4, -2, 5, 3, -6]],
  ['einsum', () => tf.einsum('i,j->', [1, 2], [3, 4]), [], [21]],
  ['linalg.bandPart', () => tf.linalg.bandPart(m, 0, 1), [2, 3], [1, -2, 0, 0, 5, -6]],
  [
    'linalg.gramSchmidt',
    () =>
      tf.linalg.gramSchmidt(
        tf.tensor2d([
          [3, 4],
          [0, 2],
        ]),
      ),
    [2, 2],
    [0.6, 0.8, -0.8, 0.6],
  ],
  [
    'linalg.qr',
    () =>
      tf.linalg.qr(
        tf.tensor2d([
          [3, 0],
          [4, 5],
        ]),
      )[1],
    [2, 2],
    [-5, -4, 0, -3],
  ],
  [
    'linalg.qr',
    () => tf.linalg.qr(tf.zeros([2, 3, 1]), true)[0],
    [2, 3, 3],
    [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  ],
  ['conv3d', () => tf.conv3d(ones(1, 2, 2, 2, 1), ones(2, 2, 2, 1, 1), 1, 'valid'), [1, 1, 1, 1, 1], [8]],
  ['conv3d', () => tf.conv3d(ones(3, 1, 1, 1), ones(2, 1, 1, 1, 2), [2, 1, 1], 'same'), [2, 1, 1, 2], [2, 2, 1, 1]],
  [
    'conv3dTranspose',
    () => tf.conv3dTranspose(ones(1, 2, 1, 1, 1), ones(2, 1, 1, 1, 1), [1, 3, 1, 1, 1], 1, 'valid'),
    [1, 3, 1, 1, 1],
    [1, 2, 1],
  ],
  ['avgPool3d', () => tf.avgPool3d(tf.ones([1, 1, 1, 1, 1]), [1, 1, 3], 1, 'valid'), [1, 1, 1, 0, 1], []],
  ['pool', () => tf.pool(tf.tensor3d([1, 2, 3, 4], [2, 2, 1]), 1, 'max', 1, undefined, 2), [2, 2, 1], [1, 2, 3, 4]],
  ['maxPool3d', () => tf.maxPool3d(tf.range(0, 8).reshape([1, 2, 2, 2, 1]), 2, 1, 'valid'), [1, 1, 1, 1, 1], [7]],
  [
    'avgPool3d',
    () => tf.avgPool3d(tf.range(0, 8).reshape([2, 2, 2, 1]), 2, 1, 1),
    [3, 3, 3, 1],
    [0, 0.5, 1, 1, 1.5, 2, 2, 2.5, 3, 2, 2.5, 3, 3, 3.5, 4, 4, 4.5, 5, 4, 4.5, 5, 5, 5.5, 6, 6, 6.5, 7],
  ],
  [
    'maxPoolWithArgmax',
    () => tf.maxPoolWithArgmax(image(), 2, 1, 'valid').indexes,
    [1, 2, 2, 1],
    [4, 5, 7, 8],
    'int32',
  ],
  ['dilation2d', () => tf.dilation2d(image(), ones(2, 2, 1), 1, 'same'), [1, 3, 3, 1], [6, 7, 7, 9, 10, 10, 9, 10, 10]],
  [
    'localResponseNormalization',
    () => tf.localResponseNormalization([[[[1, 2]]]], 0, 1, 1, 1),
    [1, 1, 1, 2],
    [0.5, 0.4],
  ],
  [
    'image.cropAndResize',
    () => tf.image.cropAndResize(image(), [[0, 0, 1, 1]], [0], [2, 2]),
    [1, 2, 2, 1],
    [1, 3, 7, 9],
  ],
  [
    'image.cropAndResize',
    () => tf.image.cropAndResize(image(), [[0, 0.25, 0, NaN]], [0], [1, 1], 'nearest', 9),
    [1, 1, 1, 1],
    [9],
  ],
  [
    'image.transform',
    () => tf.image.transform(image(), [[1, 0, 1, 0, 1, 0, 0, 0]]),
    [1, 3, 3, 1],
    [2, 3, 0, 5, 6, 0, 8, 9, 0],
  ],
  [
    'image.transform',
    () => tf.image.transform(image(), [[1, 0, 1.5, 0, 1, 0, 0, 0]], 'bilinear', 'nearest', 0, [1, 2]),
    [1, 1, 2, 1],
    [2.5, 3],
  ],
  [
    'image.rotateWithOffset',
    () => tf.image.rotateWithOffset(image(), Math.PI / 2),
    [1, 3, 3, 1],
    [0, 0, 0, 3, 6, 9, 2, 5, 8],
  ],
  [
    'image.rotateWithOffset',
    () => tf.image.rotateWithOffset(ones(1, 1, 2, 4), Math.PI, [1, 2, 3], [0, 0]),
    [1, 1, 2, 4],
    [1, 1, 1, 1, 1, 2, 3, 255],
  ],
  ['image.threshold', () => tf.image.threshold([[[10], [200]]]), [1, 2, 1], [0, 255], 'int32'],
  ['image.threshold', () => tf.image.threshold([[[10], [20]]], 'otsu', true), [1, 2, 1], [255, 0], 'int32'],
  ['image.flipLeftRight', () => tf.image.flipLeftRight(image()), [1, 3, 3, 1], [3, 2, 1, 6, 5, 4, 9, 8, 7]],
  ['image.grayscaleToRGB', () => tf.image.grayscaleToRGB([[[1], [2]]]), [1, 2, 3], [1, 1, 1, 2, 2, 2]],
  ['image.rgbToGrayscale', () => tf.image.rgbToGrayscale([[[100, 100, 100]]]), [1, 1, 1], [99.99]],
  [
    'image.nonMaxSuppression',
    () =>
      tf.image.nonMaxSuppression(
        [
          [0, 0, 1, 1],
          [0, 0, 1, 1.1],
          [2, 2, 3, 3],
        ],
        [0.5, 0.9, 0.3],
        3,
      ),
    [2],
    [1, 2],
    'int32',
  ],
  ['signal.frame', () => tf.signal.frame(tf.tensor1d([1, 2, 3]), 2, 2, true, 9), [2, 2], [1, 2, 3, 9]],
  ['signal.hannWindow', () => tf.signal.hannWindow(4), [4], [0, 0.5, 1, 0.5]],
  ['signal.hammingWindow', () => tf.signal.hammingWindow(1), [1], [1]],
  ['movingAverage', () => tf.movingAverage([1], [3], 0.5, 1), [1], [3]],
  ['movingAverage', () => tf.movingAverage([1], [3], 0.5, undefined, false), [1], [2]],
  ['basicLSTMCell', () => tf.basicLSTMCell(0, tf.zeros([2, 4]), tf.zeros([4]), [[1]], [[2]], [[3]])[0], [1, 1], [1]],
  ['zerosLike', () => tf.zerosLike(tf.tensor1d([1, 2], 'bool')), [2], [0, 0], 'bool'],
  [
    'fused.conv2d',
    () =>
      tf.fused.conv2d({
        x: image(),
        filter: ones(3, 3, 1, 1),
        strides: 1,
        pad: 'same',
        bias: tf.fill([1, 3, 3, 1], -30),
        activation: 'relu',
      }),
    [1, 3, 3, 1],
    [0, 0, 0, 0, 15, 3, 0, 9, 0],
  ],
  [
    'losses.computeWeightedLoss',
    () =>
      tf.losses.computeWeightedLoss(
        [
          [1, 2],
          [3, 5],
        ],
        [
          [1, 0],
          [0.5, 1],
        ],
      ),
    [],
    [2.5],
  ],
  ['losses.absoluteDifference', () => tf.losses.absoluteDifference(labels, guesses), [], [0.3]],
  ['losses.meanSquaredError', () => tf.losses.meanSquaredError(labels, guesses), [], [0.1133333]],
  ['losses.huberLoss', () => tf.losses.huberLoss(labels, guesses), [], [0.05666667]],
  ['losses.logLoss', () => tf.losses.logLoss(labels, guesses), [], [0.3858031]],
  ['losses.hingeLoss', () => tf.losses.hingeLoss(labels, guesses), [], [0.9666667]],
  ['losses.sigmoidCrossEntropy', () => tf.losses.sigmoidCrossEntropy(labels, guesses), [], [0.6945746]],
  ['losses.softmaxCrossEntropy', () => tf.losses.softmaxCrossEntropy(labels, guesses), [], [0.9005092]],
  ['losses.cosineDistance', () => tf.losses.cosineDistance(labels, guesses, 1), [], [0.45]],
  ['metrics.meanSquaredError', () => tf.metrics.meanSquaredError(labels, guesses), [2], [0.04666667, 0.18]],
  ['metrics.meanAbsoluteError', () => tf.metrics.meanAbsoluteError(labels, guesses), [2], [0.2, 0.4]],
  [
    'metrics.meanAbsolutePercentageError',
    () => tf.metrics.meanAbsolutePercentageError(labels, guesses),
    [2],
    [100000000, 200000000],
  ],
  ['metrics.cosineProximity', () => tf.metrics.cosineProximity(labels, guesses), [2], [-0.9525794, -0.6859943]],
  ['metrics.binaryAccuracy', () => tf.metrics.binaryAccuracy(labels, guesses), [2], [1, 0.6666667]],
  ['metrics.categoricalAccuracy', () => tf.metrics.categoricalAccuracy(labels, guesses), [2], [1, 1]],
  [
    'metrics.categoricalCrossentropy',
    () => tf.metrics.categoricalCrossentropy(labels, guesses),
    [2],
    [0.356675, 0.9162907],
  ],
  ['metrics.binaryCrossentropy', () => tf.metrics.binaryCrossentropy(labels, guesses), [2], [0.228393, 0.5432136]],
  ['metrics.precision', () => tf.metrics.precision(labels, guesses), [], [0]],
  ['metrics.recall', () => tf.metrics.recall(labels, guesses), [], [0]],
  ['metrics.r2Score', () => tf.metrics.r2Score(labels, guesses), [], [0.49]],
  [
    'metrics.sparseCategoricalAccuracy',
    () =>
      tf.metrics.sparseCategoricalAccuracy(
        [[0], [1]],
        [
          [0.7, 0.2, 0.1],
          [0.3, 0.3, 0.4],
        ],
      ),
    [2],
    [1, 0],
  ],
  ['spectral.ifft', () => tf.real(tf.spectral.ifft(tf.complex([4, 0, 0, 0], [0, 0, 0, 0]))), [4], [1, 1, 1, 1]],
  ['spectral.irfft', () => tf.spectral.irfft(tf.complex([4, 0, 0], [0, 0, 0])), [1, 4], [1, 1, 1, 1]],
  ['sparse.sparseSegmentSum', () => tf.sparse.sparseSegmentSum(pairs(), [0, 1, 2], [0, 0, 1]), [2, 2], [4, 6, 5, 6]],
  ['sparse.sparseSegmentMean', () => tf.sparse.sparseSegmentMean(pairs(), [0, 1, 2], [0, 0, 1]), [2, 2], [2, 3, 5, 6]],
  ['raggedRange', () => tf.raggedRange([0, 5], [3, 6], [1, 1]).rtDenseValues, [4], [0, 1, 2, 5]],
];
