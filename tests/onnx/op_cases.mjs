// Nodes whose results are compared with onnxruntime's: ops that ONNX's own cases lack, or that have no cases of all their options.
import { randomFloats, sizeOf } from '../bench/random.mjs';

const kMicrosoft = 'com.microsoft';
let seed = 0;

const float = (shape, low = -1, high = 1) => ({
  type: 'float32',
  shape,
  values: randomFloats(sizeOf(shape), ++seed, low, high),
});
const typed = (type, array, low, high) => (shape) => ({
  type,
  shape,
  values: array.from(randomFloats(sizeOf(shape), ++seed, low, high), Math.floor),
});
const uint8 = typed('uint8', Uint8Array, 0, 256);
const int8 = typed('int8', Int8Array, -128, 128);
const ofType =
  (type, array) =>
  (values, shape = [values.length]) => ({ type, shape, values: array.from(values) });
const floats = ofType('float32', Float32Array);
const int32s = ofType('int32', Int32Array);
const uint8s = ofType('uint8', Uint8Array);
const int8s = ofType('int8', Int8Array);
const bools = ofType('bool', Uint8Array);
const bits = (count) => Array.from({ length: count }, (_, i) => ((i * 5) >> 2) % 2);
const texts = (values, shape = [values.length]) => ({ type: 'string', shape, values });
const int64s = (values, shape = [values.length]) => ({
  type: 'int64',
  shape,
  values: BigInt64Array.from(values, BigInt),
});
/** An input that is a constant of the model instead. */
const constant = (tensor) => ({ ...tensor, isConstant: true });

/** Inputs of a recurrent layer: 5 steps, a batch of 3, 4 inputs, 6 units. */
const recurrent = (gates, directions, more = []) => [
  float([5, 3, 4]),
  float([directions, gates * 6, 4]),
  float([directions, gates * 6, 6]),
  float([directions, 2 * gates * 6]),
  int32s([5, 2, 4]),
  float([directions, 3, 6]),
  ...more,
];

const attention = (op, inputs, attributes, outputs = 1) => ({ op, domain: kMicrosoft, inputs, attributes, outputs });
const contrib = (op, inputs, attributes = {}, outputs = 1) => ({ op, domain: kMicrosoft, inputs, attributes, outputs });
/** A case of GroupQueryAttention that gets queries, keys and values as one tensor. */
const groupedQueries = (attributes) =>
  attention(
    'GroupQueryAttention',
    [
      float([2, 5, 64]),
      null,
      null,
      float([2, 2, 0, 8]),
      float([2, 2, 0, 8]),
      int32s([4, 4], [2, 1]),
      constant(int32s([5], [])),
    ],
    { num_heads: 4, kv_num_heads: 2, ...attributes },
    3,
  );
const standard = (op, version, inputs, attributes = {}, outputs = 1) => ({ op, version, inputs, attributes, outputs });
/** A tensor of 8 bits with its scale and its zero point, as three inputs. */
const quantized = (shape, scale, zero, of = uint8, zeros = uint8s) => [
  of(shape),
  floats([scale], []),
  zeros([zero], []),
];
/** The scale and the zero point of a result. */
const result = (scale, zero, zeros = uint8s) => [floats([scale], []), zeros([zero], [])];
const caches = () => [float([16, 4]), float([16, 4])];
const resize = (shape, scales, sizes, attributes) =>
  standard(
    'Resize',
    19,
    [float(shape), null, scales && constant(floats(scales)), sizes && constant(int64s(sizes))],
    attributes,
  );

export const opCases = [
  standard(
    'LSTM',
    14,
    recurrent(4, 2, [float([2, 3, 6]), float([2, 18])]),
    { hidden_size: 6, direction: 'bidirectional' },
    3,
  ),
  standard(
    'LSTM',
    14,
    recurrent(4, 1, [float([1, 3, 6])]),
    { hidden_size: 6, direction: 'reverse', clip: { float: 0.5 } },
    3,
  ),
  standard(
    'LSTM',
    14,
    recurrent(4, 1).slice(0, 3),
    { hidden_size: 6, activations: ['HardSigmoid', 'Relu', 'Softsign'] },
    3,
  ),
  standard('GRU', 14, recurrent(3, 2), { hidden_size: 6, direction: 'bidirectional' }, 2),
  standard('GRU', 14, recurrent(3, 2), { hidden_size: 6, direction: 'bidirectional', linear_before_reset: 1 }, 2),
  standard('RNN', 14, recurrent(1, 2), { hidden_size: 6, direction: 'bidirectional' }, 2),
  resize([1, 2, 7, 9], null, [1, 2, 4, 5], { mode: 'linear', antialias: 1 }),
  resize([1, 2, 7, 9], [1, 1, 0.6, 0.7], null, { mode: 'cubic', antialias: 1, exclude_outside: 1 }),
  resize([1, 2, 7, 9], null, [1, 2, 12, 11], { mode: 'cubic', coordinate_transformation_mode: 'half_pixel' }),
  resize([1, 2, 7, 9], [1.6, 1.3], null, { mode: 'linear', axes: [2, 3] }),
  resize([1, 2, 7, 9], null, [12, 20], { mode: 'nearest', axes: [2, 3], keep_aspect_ratio_policy: 'not_larger' }),
  standard('GridSample', 16, [float([2, 3, 5, 6]), float([2, 4, 4, 2], -1.4, 1.4)], {
    mode: 'bicubic',
    padding_mode: 'reflection',
  }),
  standard('GridSample', 16, [float([2, 3, 5, 6]), float([2, 4, 4, 2], -1.4, 1.4)], {
    padding_mode: 'border',
    align_corners: 1,
  }),
  standard('GridSample', 20, [float([1, 2, 3, 4, 5]), float([1, 2, 3, 2, 3], -1.2, 1.2)], { mode: 'linear' }),
  standard('DeformConv', 19, [float([2, 4, 6, 5]), float([6, 2, 3, 2]), float([2, 24, 4, 4], -1.5, 1.5), float([6])], {
    group: 2,
    offset_group: 2,
  }),
  standard(
    'DeformConv',
    19,
    [float([1, 2, 7, 7]), float([3, 2, 3, 3]), float([1, 18, 4, 4], -2, 2), null, float([1, 9, 4, 4])],
    { strides: [2, 2], pads: [1, 1, 1, 1] },
  ),
  standard('TensorScatter', 24, [float([2, 2, 5, 3]), float([2, 2, 2, 3]), int64s([1, 3])]),
  standard('TensorScatter', 24, [float([2, 5, 3]), float([2, 3, 3]), int64s([4, 0])], { axis: 1, mode: 'circular' }),
  standard('StringConcat', 20, [texts(['a', 'b', 'ccc', 'd'], [2, 2]), texts(['x', ''])]),
  { ...standard('StringSplit', 20, [texts(['a b  c', ' d', ''])], {}, 2), types: ['string', 'int64'] },
  {
    ...standard('StringSplit', 20, [texts(['a,b,,c', 'd', 'e,'])], { delimiter: ',', maxsplit: 2 }, 2),
    types: ['string', 'int64'],
  },
  {
    ...standard('StringSplit', 20, [texts([' a b  c', ' d ', '', '  '])], { delimiter: '', maxsplit: 1 }, 2),
    types: ['string', 'int64'],
  },
  ...[
    '(?P<user>[\\w.-]+)@[a-z0-9]+\\.(com|org)',
    'www\\.[\\w.-]+\\.\\bcom\\b',
    '[^a-y@]*|(?i:A.{2,5}Z?)|.*\\x{e4}+',
  ].map((pattern) => ({
    ...standard('RegexFullMatch', 20, [texts(['a.n@b.com', 'www.a-b.com', 'aXXz', 'z', '', 'b@c.orgs', 'xää'])], {
      pattern,
    }),
    types: ['bool'],
  })),
  standard('StringNormalizer', 10, [texts(['Monday', 'tuesday', 'MONDAY'])], {
    case_change_action: 'UPPER',
    is_case_sensitive: 0,
    stopwords: ['tuesday'],
  }),
  standard('GroupNormalization', 21, [float([2, 6, 4, 3]), float([6]), float([6])], { num_groups: 3 }),
  standard('LpPool', 18, [float([1, 2, 6, 6])], { kernel_shape: [2, 2], strides: [2, 2], p: 2 }),
  standard('RMSNormalization', 23, [float([2, 3, 8]), float([8])], { epsilon: { float: 1e-5 } }),
  standard('ScatterND', 18, [float([4, 3]), int64s([1, 3, 1], [3, 1]), float([3, 3])], { reduction: 'mul' }),
  standard('ScatterElements', 18, [float([3, 4]), int64s([0, 2, 1, 1], [2, 2]), float([2, 2])], {
    reduction: 'max',
    axis: 1,
  }),
  standard('BitwiseXor', 18, [int32s([5, -7, 123456789, -1]), int32s([3, 9, -42, 7])]),
  standard('BitwiseOr', 18, [int32s([5, -7, 123456789, -1]), int32s([3, 9, -42, 7])]),
  standard('DFT', 20, [float([2, 8, 3, 1])], { onesided: 1, axis: undefined }),
  ...[
    [5, undefined],
    [5, 8],
    [5, 9],
    [1, 1],
  ].map(([bins, length]) =>
    standard('DFT', 20, [float([2, bins, 3, 2]), length && int64s([length], []), int64s([1], [])], {
      inverse: 1,
      onesided: 1,
    }),
  ),
  standard('AffineGrid', 20, [float([2, 2, 3]), constant(int64s([2, 1, 3, 4]))], { align_corners: 1 }),
  standard('AffineGrid', 20, [float([1, 3, 4]), constant(int64s([1, 1, 2, 3, 4]))]),
  standard('CenterCropPad', 18, [float([5, 4, 3]), constant(int64s([2, 7]))], { axes: [0, 2] }),
  standard('Col2Im', 18, [float([1, 12, 12]), constant(int64s([5, 6])), constant(int64s([2, 2]))], {
    pads: [0, 1, 0, 1],
    dilations: [2, 1],
    strides: [1, 2],
  }),
  standard('Einsum', 12, [float([2, 3, 4]), float([2, 4, 5]), float([5, 3])], { equation: 'bij,bjk,ki->bi' }),
  standard('DequantizeLinear', 21, [int8([4, 6]), float([2, 6]), int8([2, 6])], { axis: 0, block_size: 2 }),
  standard('QuantizeLinear', 21, [float([4, 6], -30, 30), float([4], 0.1, 0.2), int8([4])], { axis: 0 }),
  standard('MatMulInteger', 10, [uint8([5, 300]), int8([300, 4]), uint8s([7], []), constant(int8([4]))]),
  standard('ConvInteger', 10, [uint8([1, 4, 7, 6]), uint8([6, 2, 3, 3]), uint8s([3], [])], {
    group: 2,
    pads: [1, 1, 1, 1],
    strides: [2, 1],
  }),
  standard(
    'QLinearConv',
    10,
    [
      uint8([1, 4, 7, 6]),
      floats([0.02], []),
      uint8s([120], []),
      int8([4, 1, 3, 3]),
      float([4], 0.01, 0.02),
      constant(int8s([0, 0, 0, 0])),
      floats([0.1], []),
      uint8s([100], []),
      int32s([100, -200, 300, 0]),
    ],
    { group: 4, pads: [1, 1, 1, 1] },
  ),
  standard('QLinearMatMul', 10, [
    uint8([3, 16]),
    floats([0.02], []),
    uint8s([120], []),
    uint8([16, 5]),
    floats([0.01], []),
    uint8s([90], []),
    floats([0.05], []),
    uint8s([128], []),
  ]),
  standard('RotaryEmbedding', 23, [float([2, 3, 5, 8]), ...caches(), int64s([0, 1, 2, 3, 4, 2, 3, 4, 5, 6], [2, 5])]),
  standard('RotaryEmbedding', 23, [float([2, 5, 24]), ...caches(), int64s([0, 1, 2, 3, 4, 2, 3, 4, 5, 6], [2, 5])], {
    interleaved: 1,
    num_heads: 3,
  }),
  standard('Attention', 23, [float([2, 4, 5, 8]), float([2, 2, 7, 8]), float([2, 2, 7, 6]), float([2, 1, 5, 7])]),
  standard('Attention', 23, [float([2, 5, 32]), float([2, 5, 16]), float([2, 5, 16])], {
    is_causal: 1,
    q_num_heads: 4,
    kv_num_heads: 2,
    softcap: { float: 2 },
  }),
  standard(
    'Attention',
    23,
    [
      float([1, 2, 3, 8]),
      float([1, 2, 3, 8]),
      float([1, 2, 3, 8]),
      bools([1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1], [3, 5]),
      float([1, 2, 2, 8]),
      float([1, 2, 2, 8]),
    ],
    {},
    3,
  ),
  contrib('SkipLayerNormalization', [float([2, 3, 8]), float([2, 3, 8]), float([8]), float([8]), float([8])], {
    epsilon: { float: 1e-5 },
  }),
  contrib('SkipSimplifiedLayerNormalization', [float([2, 3, 8]), float([2, 3, 8]), float([8])], {
    epsilon: { float: 1e-5 },
  }),
  standard('SimplifiedLayerNormalization', 17, [float([2, 3, 8]), float([8])], { epsilon: { float: 1e-5 } }),
  contrib('FastGelu', [float([2, 8], -3, 3), float([8])]),
  contrib('BiasGelu', [float([2, 8], -3, 3), float([8])]),
  contrib('QuickGelu', [float([2, 8], -3, 3)], { alpha: { float: 1.5 } }),
  contrib('Gelu', [float([2, 8], -3, 3)]),
  contrib('FusedMatMul', [float([2, 4, 3]), float([2, 5, 4])], { transA: 1, transB: 1, alpha: { float: 0.5 } }),
  contrib('RotaryEmbedding', [float([2, 3, 5, 8]), int64s([2]), ...caches()]),
  contrib(
    'RotaryEmbedding',
    [float([2, 5, 24]), int64s([0, 1, 2, 3, 4, 2, 3, 4, 5, 6], [2, 5]), float([16, 2]), float([16, 2])],
    { num_heads: 3, rotary_embedding_dim: 4, interleaved: 1 },
  ),
  attention(
    'MultiHeadAttention',
    [
      float([2, 4, 16]),
      float([2, 6, 16]),
      float([2, 6, 16]),
      float([48]),
      int32s([1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1], [2, 6]),
    ],
    { num_heads: 2 },
  ),
  attention(
    'MultiHeadAttention',
    [
      float([1, 3, 16]),
      float([1, 3, 16]),
      float([1, 3, 16]),
      null,
      null,
      float([1, 2, 3, 5]),
      float([1, 2, 2, 8]),
      float([1, 2, 2, 8]),
    ],
    { num_heads: 2 },
    3,
  ),
  attention('MultiHeadAttention', [float([1, 3, 16]), float([1, 2, 5, 8]), float([1, 2, 5, 8])], { num_heads: 2 }),
  attention('Attention', [float([2, 4, 12]), float([12, 48]), float([48]), int32s([1, 1, 1, 0, 1, 1, 1, 1], [2, 4])], {
    num_heads: 2,
  }),
  attention('Attention', [float([1, 4, 12]), float([12, 48]), float([48])], { num_heads: 2, unidirectional: 1 }),
  attention('Attention', [float([2, 4, 12]), float([12, 48]), float([48]), int32s([3, 4, 0, 2])], { num_heads: 2 }),
  contrib('Trilu', [float([3, 4])], { upper: 0 }),
  contrib('GridSample', [float([2, 3, 5, 6]), float([2, 4, 4, 2], -1.4, 1.4)], { mode: 'bilinear' }),
  attention(
    'GroupQueryAttention',
    [
      float([1, 3, 64]),
      float([1, 3, 32]),
      float([1, 3, 32]),
      float([1, 2, 4, 16]),
      float([1, 2, 4, 16]),
      int32s([6], [1, 1]),
      constant(int32s([7], [])),
      float([16, 8]),
      float([16, 8]),
    ],
    { num_heads: 4, kv_num_heads: 2, do_rotary: 1 },
    3,
  ),
  groupedQueries({ local_window_size: 3 }),
  contrib('MatMulNBits', [float([2, 3, 40]), constant(uint8([6, 3, 8])), constant(float([18]))], {
    K: 40,
    N: 6,
    bits: 4,
    block_size: 16,
  }),
  contrib('MatMulNBits', [float([3, 64]), constant(uint8([6, 2, 16])), constant(float([12])), constant(uint8([6]))], {
    K: 64,
    N: 6,
    bits: 4,
    block_size: 32,
  }),
  contrib('MatMulNBits', [float([3, 64]), constant(uint8([6, 2, 32])), constant(float([12]))], {
    K: 64,
    N: 6,
    bits: 8,
    block_size: 32,
  }),
  contrib('MatMulNBits', [float([1, 128]), constant(uint8([7, 4, 16])), constant(float([28])), constant(uint8([14]))], {
    K: 128,
    N: 7,
    bits: 4,
    block_size: 32,
  }),
  contrib(
    'MatMulNBits',
    [float([1, 100]), constant(uint8([7, 4, 16])), constant(float([28])), constant(float([28], 0, 15))],
    {
      K: 100,
      N: 7,
      bits: 4,
      block_size: 32,
    },
  ),
  contrib('MatMulNBits', [float([1, 64]), constant(uint8([6, 1, 64])), constant(float([6])), constant(uint8([6]))], {
    K: 64,
    N: 6,
    bits: 8,
    block_size: 64,
  }),
  contrib('MatMulIntegerToFloat', [
    uint8([3, 16]),
    constant(int8([16, 5])),
    floats([0.02], []),
    floats([0.1], []),
    uint8s([120], []),
    constant(int8s([0], [])),
    float([5]),
  ]),
  contrib('DynamicQuantizeMatMul', [
    float([3, 16]),
    constant(int8([16, 5])),
    floats([0.1], []),
    constant(int8s([3], [])),
    float([5]),
  ]),
  {
    op: 'EmbedLayerNormalization',
    domain: kMicrosoft,
    inputs: [
      int32s([1, 4, 2, 0], [2, 2]),
      int32s([1, 0, 0, 1], [2, 2]),
      float([6, 8]),
      float([4, 8]),
      float([2, 8]),
      float([8]),
      float([8]),
      int32s([1, 0, 1, 1], [2, 2]),
    ],
    attributes: {},
    outputs: 2,
    types: ['float32', 'int32'],
  },
  contrib('GatherBlockQuantized', [constant(uint8([6, 16])), int64s([1, 5, 0, 1], [2, 2]), constant(float([6, 2]))], {
    bits: 4,
    block_size: 16,
    quantize_axis: 1,
  }),
  contrib(
    'GatherBlockQuantized',
    [constant(uint8([6, 32])), int64s([3, 2]), constant(float([6, 2])), constant(uint8([6, 2]))],
    { bits: 8, block_size: 16, quantize_axis: 1 },
  ),
  contrib('MatMulBnb4', [float([3, 64]), constant(uint8([192])), constant(float([12], 0.5, 1))], {
    K: 64,
    N: 6,
    block_size: 32,
    quant_type: 1,
  }),
  contrib('MatMulBnb4', [float([1, 32]), constant(uint8([80])), constant(float([10], 0.5, 1))], {
    K: 32,
    N: 5,
    block_size: 16,
    quant_type: 0,
  }),
  contrib('QLinearAdd', [...quantized([2, 3, 4], 0.021, 120), ...quantized([3, 1], 0.013, 100), ...result(0.037, 90)]),
  contrib('QLinearMul', [
    ...quantized([2, 3, 4], 0.021, -12, int8, int8s),
    ...quantized([2, 3, 4], 0.013, 5, int8, int8s),
    ...result(0.019, 3, int8s),
  ]),
  contrib('QLinearLeakyRelu', [...quantized([3, 40], 0.021, 120), ...result(0.017, 60)], { alpha: { float: 0.2 } }),
  contrib('QLinearSigmoid', [...quantized([3, 40], 0.037, 3, int8, int8s), ...result(0.0041, -128, int8s)]),
  contrib(
    'QLinearConcat',
    [...result(0.027, 110), ...quantized([2, 3], 0.021, 120), ...quantized([2, 4], 0.027, 110)],
    { axis: 1 },
  ),
  contrib('QLinearAveragePool', [...quantized([1, 3, 7, 7], 0.021, 120), ...result(0.01937, 117)], {
    kernel_shape: [3, 3],
    strides: [2, 2],
    pads: [1, 1, 1, 1],
    ceil_mode: 1,
  }),
  contrib('QLinearGlobalAveragePool', [...quantized([2, 5, 7, 6], 0.021, 120), ...result(0.0043, 117)]),
  contrib('QLinearGlobalAveragePool', [...quantized([2, 7, 6, 5], 0.021, 120), ...result(0.0043, 117)], {
    channels_last: 1,
  }),
  contrib('QLinearWhere', [
    bools([1, 0, 1], [3]),
    ...quantized([2, 3], 0.021, 120),
    ...quantized([2, 3], 0.031, 100),
    ...result(0.033, 110),
  ]),
  contrib(
    'QGemm',
    [
      ...quantized([4, 16], 0.021, 120),
      constant(int8([5, 16])),
      constant(float([5], 0.01, 0.02)),
      constant(int8s([0, 0, 0, 0, 0])),
      int32s([100, -200, 300, 0, 7]),
      ...result(0.053, 130),
    ],
    { transB: 1 },
  ),
  contrib(
    'QGemm',
    [
      ...quantized([4, 16], 0.021, 120),
      constant(uint8([16, 5])),
      constant(floats([0.017], [])),
      constant(uint8s([99], [])),
    ],
    { alpha: { float: 0.5 } },
  ),
  attention(
    'QAttention',
    [
      uint8([2, 4, 12]),
      constant(int8([12, 48])),
      float([48]),
      floats([0.013], []),
      floats([0.011], []),
      int32s([1, 1, 1, 0, 1, 1, 1, 1], [2, 4]),
      uint8s([120], []),
      constant(int8s([3], [])),
    ],
    { num_heads: 2 },
  ),
  contrib('FusedConv', [float([1, 4, 7, 6]), float([6, 2, 3, 3]), float([6])], {
    group: 2,
    pads: [1, 1, 1, 1],
    activation: 'LeakyRelu',
    activation_params: { floats: [0.3] },
  }),
  contrib('FusedConv', [float([1, 4, 7, 6]), float([6, 4, 3, 3]), float([6]), float([1, 6, 5, 4])], {
    activation: 'Relu',
  }),
  ...[['Sigmoid'], ['Tanh'], ['Clip', [-0.3, 0.6]], ['HardSigmoid', [0.3, 0.6]], ['HardSwish']].map(
    ([activation, parameters]) =>
      contrib('FusedConv', [float([1, 4, 7, 6]), float([6, 4, 3, 3]), float([6])], {
        activation,
        activation_params: parameters && { floats: parameters },
      }),
  ),
  ...[
    'Elu',
    'HardSigmoid',
    'LeakyRelu',
    'ParametricSoftplus',
    'ScaledTanh',
    'Selu',
    'Softplus',
    'Softsign',
    'ThresholdedRelu',
  ].map((activation) =>
    contrib('FusedGemm', [float([3, 8]), float([5, 8]), float([5])], {
      transB: 1,
      activation,
      activation_alpha: { float: 0.3 },
      activation_beta: { float: 0.6 },
      activation_gamma: { float: 1.2 },
    }),
  ),
  contrib('Range', [constant(floats([1], [])), constant(floats([4.5], []))]),
  contrib('TransposeMatMul', [float([6, 3]), float([6, 4])], { transA: 1, alpha: { float: 0.3 } }),
  groupedQueries({ smooth_softmax: 1 }),
  attention(
    'GroupQueryAttention',
    [
      float([1, 3, 64]),
      null,
      null,
      float([1, 2, 0, 8]),
      float([1, 2, 0, 8]),
      int32s([2], [1, 1]),
      constant(int32s([3], [])),
      null,
      null,
      null,
      null,
      float([4]),
    ],
    { num_heads: 4, kv_num_heads: 2 },
    3,
  ),
  standard('Pad', 19, [float([2, 3, 4]), constant(int64s([0, 1, 2, 1, 4, 3]))], { mode: 'wrap' }),
  standard('Pad', 18, [float([2, 3, 4]), constant(int64s([0, 2, 3, 1, 1, 2]))], { mode: 'reflect' }),
  ...['AveragePool', 'MaxPool', 'LpPool'].flatMap((op) => [
    standard(op, op === 'AveragePool' ? 19 : 18, [float([1, 2, 9, 8, 10])], {
      kernel_shape: [3, 2, 3],
      strides: [2, 3, 1],
      dilations: [2, 1, 3],
      pads: [1, 0, 2, 1, 1, 2],
    }),
    standard(op, op === 'AveragePool' ? 19 : 18, [float([2, 3, 9, 8])], {
      kernel_shape: [3, 2],
      strides: [2, 3],
      dilations: [2, 1],
      pads: [1, 0, 1, 1],
      ceil_mode: 1,
    }),
  ]),
  standard('AveragePool', 19, [float([1, 3, 2, 2])], {
    kernel_shape: [3, 3],
    strides: [3, 3],
    pads: [1, 1, 1, 1],
    ceil_mode: 1,
    count_include_pad: 1,
  }),
  {
    ...standard('MaxPool', 12, [float([1, 3, 9, 8])], { kernel_shape: [3, 2], strides: [2, 2], dilations: [2, 1] }, 2),
    types: ['float32', 'int64'],
  },
  standard(
    'Attention',
    24,
    [float([2, 4, 3, 8]), float([2, 2, 6, 8]), float([2, 2, 6, 8]), float([3, 6]), null, null, int64s([3, 4])],
    {},
  ),
  standard(
    'Attention',
    24,
    [float([1, 2, 3, 8]), float([1, 2, 3, 8]), float([1, 2, 3, 8]), null, float([1, 2, 2, 8]), float([1, 2, 2, 8])],
    { is_causal: 1, softcap: { float: 1.5 }, qk_matmul_output_mode: 1 },
    4,
  ),
  standard(
    'Attention',
    23,
    [float([1, 2, 3, 8]), float([1, 2, 3, 8]), float([1, 2, 3, 8]), float([3, 3])],
    { qk_matmul_output_mode: 1 },
    4,
  ),
  ...[0, 1].flatMap((storage_order) =>
    [
      { kernel_shape: [2, 3, 2], strides: [2, 1, 3], pads: [0, 1, 1, 1, 0, 0] },
      { kernel_shape: [2, 2, 3], dilations: [3, 1, 2], strides: [1, 2, 1] },
      { kernel_shape: [3, 3, 3], strides: [3, 3, 3], ceil_mode: 1 },
    ].map((attributes) => ({
      // Few values, so that windows have equal maxima.
      ...standard(
        'MaxPool',
        12,
        [floats(Array.from(float([2 * 3 * 5 * 4 * 6], 0, 3).values, Math.floor), [2, 3, 5, 4, 6])],
        {
          storage_order,
          ...attributes,
        },
        2,
      ),
      types: ['float32', 'int64'],
    })),
  ),
  standard('ConvTranspose', 11, [float([2, 4, 3, 4, 2]), float([4, 3, 2, 3, 2]), float([6])], {
    group: 2,
    dilations: [2, 1, 3],
    strides: [1, 2, 2],
    pads: [1, 0, 1, 0, 1, 1],
    output_padding: [0, 1, 1],
  }),
  standard('ConvTranspose', 11, [float([1, 2, 3, 2, 4]), float([2, 3, 1, 2, 2])], { dilations: [4, 3, 2] }),
  contrib('Inverse', [float([2, 3, 4, 4])]),
  contrib('ExpandDims', [float([2, 3]), constant(int32s([-1], []))]),
  contrib('ExpandDims', [float([2, 3]), constant(int32s([1], []))]),
  contrib('GatherND', [float([3, 4, 5]), int64s([0, 1, 2, 3, -1, 0], [3, 2])]),
  {
    ...contrib('Unique', [floats([3, 1, 3, 2, 1, 3])], {}, 3),
    types: ['float32', 'int64', 'int64'],
  },
  contrib('Pad', [float([2, 3]), int64s([1, 0, 0, 2]), floats([7], [])]),
  contrib('Pad', [float([2, 3]), int64s([0, 2, 1, 1])], { mode: 'reflect' }),
  contrib('CDist', [float([5, 7]), float([4, 7])], { metric: 'euclidean' }),
  contrib('CDist', [float([5, 7]), float([4, 7])], { metric: 'sqeuclidean' }),
  ...['bilinear', 'nearest'].map((mode) =>
    contrib(
      'CropAndResize',
      [float([2, 3, 6, 5]), float([4, 4], -0.2, 1.2), int32s([1, 0, 1, 1]), constant(int32s([4, 3]))],
      { mode, extrapolation_value: { float: 0.5 } },
    ),
  ),
  contrib(
    'MaxpoolWithMask',
    [
      float([2, 3, 4, 6]),
      int32s(
        Array.from({ length: 24 }, (_, i) => (i % 6 < 4 ? 1 : 0)),
        [1, 1, 4, 6],
      ),
    ],
    { kernel_shape: [2, 3], strides: [1, 1] },
  ),
  contrib('NGramRepeatBlock', [int64s([1, 2, 3, 1, 2, 4, 4, 4, 4, 4], [2, 5]), float([2, 6])], { ngram_size: 3 }),
  contrib('NGramRepeatBlock', [int64s([1, 2, 3, 1, 2], [1, 5]), float([1, 6])], { ngram_size: 1 }),
  contrib('UnfoldTensor', [float([2, 7, 3])], { dim: 1, size: 3, step: 2 }),
  contrib('UnfoldTensor', [float([2, 7])], { size: 4 }),
  { ...contrib('DynamicTimeWarping', [float([1, 5, 8], 0, 1)]), types: ['int32'] },
  ...[{ transBatchA: 1 }, { transBatchB: 1, transB: 1 }, { transBatchA: 1, transA: 1, transBatchB: 1 }].map(
    (attributes) => {
      const shape = (isBatch, isTransposed, rows, columns) => {
        const [first, last] = isTransposed ? [columns, rows] : [rows, columns];
        return isBatch ? [first, 2, 3, last] : [2, 3, first, last];
      };
      return contrib(
        'FusedMatMul',
        [
          float(shape(attributes.transBatchA, attributes.transA, 4, 5)),
          float(shape(attributes.transBatchB, attributes.transB, 5, 6)),
        ],
        attributes,
      );
    },
  ),
  contrib(
    'QLinearConv',
    [
      uint8([1, 7, 6, 4]),
      floats([0.02], []),
      uint8s([120], []),
      constant(int8([5, 4, 3, 3])),
      constant(float([5], 0.01, 0.02)),
      constant(int8s([0, 0, 0, 0, 0])),
      floats([0.1], []),
      uint8s([100], []),
      constant(int32s([100, -200, 300, 0, 7])),
    ],
    { channels_last: 1, pads: [1, 1, 1, 1], strides: [2, 1] },
  ),
  ...[
    ['Affine', { alpha: { float: 0.5 }, beta: { float: 2 } }],
    ['ParametricSoftplus', { alpha: { float: 0.5 }, beta: { float: 2 } }],
    ['ScaledTanh', { alpha: { float: 0.5 }, beta: { float: 2 } }],
    ['Scale', { scale: { float: 0.3 } }],
    ['ImageScaler', { scale: { float: 0.3 }, bias: { floats: [1, 2, 3] } }],
    ['Crop', { border: [1, 0, 2, 1] }],
    ['Crop', { border: [1, 2, 1, 1], scale: [2, 3] }],
  ].map(([op, attributes]) => standard(op, 7, [float([2, 3, 5, 6])], attributes)),
  // Slices of four bytes.
  {
    ...standard('ScatterND', 13, [bools(bits(20), [5, 4]), int64s([4, 3, 1], [3, 1]), bools(bits(12), [3, 4])]),
    types: ['bool'],
  },
  { ...standard('GatherND', 13, [bools(bits(20), [5, 4]), int64s([4, 1, -2], [3, 1])]), types: ['bool'] },
  // One matrix, or one group, in a batch of 1.
  standard('MatMulInteger', 10, [uint8([1, 5, 5]), uint8([1, 5, 3]), uint8s([122], [])]),
  standard('ConvInteger', 10, [uint8([1, 3, 6, 3, 2]), constant(uint8([2, 3, 3, 1, 1])), uint8s([139], [])], {
    strides: [2, 2, 1],
  }),
  standard('DequantizeLinear', 21, [uint8([5]), floats([0.1, 0.2, 0.3]), uint8s([1, 2, 3])], {
    axis: 0,
    block_size: 2,
  }),
  // The region is more than twice as high as the image.
  standard('RoiAlign', 16, [float([1, 1, 4, 8]), floats([0.7, -0.6, 6.5, 8.5], [1, 4]), int64s([0])]),
  standard('Resize', 10, [float([1, 2, 4, 5]), constant(floats([1, 1, 0.7, 0.5]))]),
  standard('Resize', 10, [float([1, 2, 4, 5]), constant(floats([1, 1, 2, 1.5]))]),
  // Queries that see no key.
  standard('Attention', 23, [
    float([1, 2, 3, 4]),
    float([1, 2, 2, 4]),
    float([1, 2, 2, 4]),
    bools([1, 1, 0, 0, 0, 1], [3, 2]),
  ]),
  standard('Attention', 23, [
    float([1, 2, 3, 4]),
    float([1, 2, 2, 4]),
    float([1, 2, 2, 4]),
    floats([0.5, 0, -Infinity, -Infinity, -Infinity, 1], [3, 2]),
  ]),
];
