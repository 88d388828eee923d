// Quantized nodes of TensorFlow Lite between nodes QUANTIZE and DEQUANTIZE, each with the same computation on real numbers in tf.
import { ramp, weights } from './case_inputs.mjs';
import { float32, int32, int8, tfliteFile } from './writer.mjs';

const kQuantize = 114;
const kDequantize = 6;
const kCast = { code: 53, type: 37, options: [int8(6), int8(0)] };
/** Lowest and highest stored values. */
const kRanges = { int8: [-128, 127], uint8: [0, 255], int16: [-32767, 32767], int4: [-7, 7] };

/** Returns the quantization for real numbers from `low` to `high`. That of int16 has no zero point. */
export function quantizationFor(low, high, type = 'int8') {
  const [lowest, highest] = kRanges[type];
  if (type === 'int16' || type === 'int4') return { scale: Math.fround(Math.max(-low, high) / highest), zeroPoint: 0 };
  const scale = Math.fround((high - low) / (highest - lowest));
  return { scale, zeroPoint: Math.round(lowest - low / scale) };
}

/** Returns the stored values for real numbers. */
export function store(values, { scale, zeroPoint }, type) {
  const [lowest, highest] = kRanges[type];
  return values.map((value) => Math.min(Math.max(Math.round(value / scale) + zeroPoint, lowest), highest));
}

const load = (stored, { scale, zeroPoint }) => stored.map((value) => Math.fround(scale * (value - zeroPoint)));

/** A quantized input of real numbers, which are those that its type can hold. */
const q = (shape, low = -2, high = 2.5, type = 'int8', values) => {
  const size = shape.reduce((a, b) => a * b, 1);
  const quantization = quantizationFor(low, high, type);
  const given = values ?? weights([size]).values.map((value) => low + ((value + 1) * (high - low)) / 2);
  return { shape, type, quantization, values: load(store(given, quantization, type), quantization) };
};
/** A quantized output of values from `low` to `high`. */
const to = (shape, low = -4, high = 4, type = 'int8') => ({
  shape,
  type,
  quantization: quantizationFor(low, high, type),
});
const at = (quantization, shape, type = 'int8') => ({ shape, type, quantization });
/** An input or output that is not quantized. */
const plain = (shape, type = 'int32') => ({ shape, type });
const constant = (shape, values, type = 'int32') => ({ shape, type, values, isConstant: true });
/** A quantized constant. */
const fixed = (...args) => ({ ...q(...args), isConstant: true });

/** Returns weights with a scale for each index of a dimension, and their real numbers. */
function perChannel(shape, dimension, type = 'int8') {
  const size = shape.reduce((a, b) => a * b, 1);
  const inner = shape.slice(dimension + 1).reduce((a, b) => a * b, 1);
  const [, highest] = kRanges[type];
  const scale = Array.from({ length: shape[dimension] }, (_, i) => Math.fround((i + 1) / 4 / highest));
  const channel = (i) => Math.floor(i / inner) % shape[dimension];
  const stored = Array.from({ length: size }, (_, i) => Math.round(Math.sin(3 * i + 1) * highest));
  return {
    shape,
    type,
    stored,
    values: stored.map((value, i) => Math.fround(value * scale[channel(i)])),
    quantization: { scale, zeroPoint: scale.map(() => 0), dimension },
    isConstant: true,
  };
}

/** Returns weights that are almost 0, so that the integers of biases are large. */
function faint(shape) {
  const weight = perChannel(shape, 0);
  const { scale } = weight.quantization;
  return {
    ...weight,
    values: weight.values.map((value) => value * 1e-9),
    quantization: { ...weight.quantization, scale: scale.map((factor) => Math.fround(factor * 1e-9)) },
  };
}

/** Returns a bias of products of `x` and weights. */
function biasOf(x, filter, values, type = 'int32') {
  const scale = [filter.quantization.scale].flat().map((factor) => factor * x.quantization.scale);
  const each = values.map((_, i) => scale[scale.length === 1 ? 0 : i]);
  const stored = values.map((value, i) => Math.round(value / each[i]));
  return {
    shape: [values.length],
    type,
    stored,
    values: stored.map((value, i) => value * each[i]),
    quantization: { scale, zeroPoint: scale.map(() => 0) },
    isConstant: true,
  };
}

const kConv = [int8(0), int32(1), int32(2), int8(3), int32(1), int32(1)];
const kDepthwise = [int8(0), int32(1), int32(1), int32(1), int8(1), int32(1), int32(1)];
const kPool = [int8(1), int32(2), int32(2), int32(2), int32(2), int8(3)];
const relu6 = (type) => ({ type, options: [int8(3)] });
const binary = (name, code, op, output = to([2, 3], -6, 6), options = {}) => ({
  name,
  code,
  inputs: [q([2, 3]), q([3], -1, 3)],
  outputs: [output],
  run: (tf, a, b) => tf[op](a, b),
  ...options,
});
const unary = (name, code, run, output, input = q([2, 3], -4, 4), options = {}) => ({
  name,
  code,
  inputs: [input],
  outputs: [output],
  run,
  ...options,
});
/** An op whose output has the input's scale. */
const moved = (name, code, run, shape, rest = [], options = {}, input = q([2, 3])) => ({
  name,
  code,
  inputs: [input, ...rest],
  outputs: [at(input.quantization, shape, input.type)],
  run,
  ...options,
});
const image = (size = 5, channels = 2, type = 'int8') => q([1, size, size, channels], -2, 7, type);

function convolution(name, type, filter, biasType) {
  const x = image(5, 2, type);
  return {
    name,
    code: 3,
    inputs: [x, filter, biasOf(x, filter, [0.5, -0.25, 1, 2], biasType)],
    outputs: [to([1, 3, 5, 4], 0, 6, type)],
    type: 1,
    options: kConv,
    run: (tf, a, weight, bias) =>
      tf.relu6(tf.add(tf.conv2d(a, tf.transpose(weight, [1, 2, 3, 0]), [2, 1], 'same'), bias)),
  };
}

function depthwise(name, type, filter) {
  const x = image(5, 2, type);
  return {
    name,
    code: 4,
    inputs: [x, filter, biasOf(x, filter, [0.5, -0.25])],
    outputs: [to([1, 5, 5, 2], 0, 5, type)],
    type: 2,
    options: kDepthwise,
    run: (tf, a, weight, bias) =>
      tf.relu(tf.add(tf.depthwiseConv2d(a, tf.reshape(weight, [3, 3, 2, 1]), 1, 'same'), bias)),
  };
}

function connected(name, type, filter, biasType) {
  const x = q([2, 3], -2, 2.5, type);
  return {
    name,
    code: 9,
    inputs: [x, filter, biasOf(x, filter, [0.5, -0.25, 1, 0], biasType)],
    outputs: [to([2, 4], -3, 3, type)],
    type: 8,
    options: [int8(0), int8(0)],
    run: (tf, a, weight, bias) => tf.add(tf.matMul(a, weight, false, true), bias),
  };
}

function transposed() {
  const x = image(3);
  const filter = perChannel([4, 3, 3, 2], 0);
  return {
    name: 'TRANSPOSE_CONV',
    code: 67,
    version: 4,
    inputs: [constant([4], [1, 6, 6, 4]), filter, x, biasOf(x, filter, [0.5, -0.25, 1, 2])],
    outputs: [to([1, 6, 6, 4], 0, 6)],
    type: 49,
    options: [int8(0), int32(2), int32(2), int8(1)],
    run: (tf, shape, weight, a, bias) =>
      tf.relu(tf.add(tf.conv2dTranspose(a, tf.transpose(weight, [1, 2, 0, 3]), [1, 6, 6, 4], 2, 'same'), bias)),
  };
}

const probabilities = (shape) => at({ scale: 1 / 256, zeroPoint: -128 }, shape);
const fractions = (shape) => at({ scale: 1 / 128, zeroPoint: 0 }, shape);
// LiteRT.js joins int8 of one scale only.
const joined = (type) => ({
  hasNoPeer: type === 'int8',
  name: `CONCATENATION of ${type} with other scales`,
  code: 2,
  inputs: [q([2, 3], -2, 2.5, type), q([2, 2], -1, 6, type)],
  outputs: [to([2, 5], -2, 6, type)],
  type: 10,
  options: [int32(1), int8(0)],
  run: (tf, a, b) => tf.concat([a, b], 1),
});

/**
 * Cases: the name and number of the op, inputs { shape, type, quantization, values (real numbers), stored }, outputs, the options,
 * and the computation in tf.
 */
export const quantizedCases = [
  binary('ADD', 0, 'add', to([2, 3], 0, 6), { ...relu6(11), run: (tf, a, b) => tf.relu6(tf.add(a, b)) }),
  binary('SUB', 41, 'sub', undefined, { type: 28, options: [int8(0)] }),
  binary('MUL', 18, 'mul', undefined, { type: 21, options: [int8(0)] }),
  binary('SQUARED_DIFFERENCE', 99, 'squaredDifference', to([2, 3], 0, 26)),
  binary('LESS', 58, 'less', plain([2, 3], 'bool')),
  binary('GREATER_EQUAL', 62, 'greaterEqual', plain([2, 3], 'bool')),
  binary('EQUAL', 71, 'equal', plain([2, 3], 'bool')),
  binary('EQUAL in steps of 1 / 256', 71, 'equal', plain([2, 3], 'bool'), {
    inputs: [q([2, 3], 0, 0.05), q([3], 0, 0.06)],
    run: (tf, ...given) => tf.equal(...given.map((one) => tf.round(tf.mul(one, 256)))),
  }),
  ...[
    ['MAXIMUM', 55, 'maximum'],
    ['MINIMUM', 57, 'minimum'],
  ].map(([name, code, op]) => moved(name, code, (tf, a, b) => tf[op](a, b), [2, 3], [q([3])])),
  binary('ADD of uint8', 0, 'add', to([2, 3], -8, 8, 'uint8'), {
    inputs: [q([2, 3], -4, 4, 'uint8'), q([2, 3], -1, 3, 'uint8')],
    type: 11,
    options: [int8(0)],
  }),
  unary('LOGISTIC', 14, (tf, a) => tf.sigmoid(a), probabilities([2, 3])),
  unary('TANH', 28, (tf, a) => tf.tanh(a), fractions([2, 3])),
  unary('SOFTMAX', 25, (tf, a) => tf.softmax(a), probabilities([2, 3]), undefined, { type: 9, options: [float32(1)] }),
  unary('LOG_SOFTMAX', 50, (tf, a) => tf.logSoftmax(a), at({ scale: 16 / 256, zeroPoint: 127 }, [2, 3])),
  unary('L2_NORMALIZATION', 11, (tf, a) => tf.div(a, tf.norm(a, 2, 1, true)), fractions([2, 3]), undefined, {
    type: 12,
    options: [int8(0)],
  }),
  unary('RELU', 19, (tf, a) => tf.relu(a), to([2, 3], 0, 4)),
  unary('RELU6', 21, (tf, a) => tf.relu6(a), to([2, 3], 0, 6), q([2, 3], -4, 9)),
  unary('RELU_N1_TO_1', 20, (tf, a) => tf.clipByValue(a, -1, 1), to([2, 3], -1, 1)),
  unary('LEAKY_RELU', 98, (tf, a) => tf.leakyRelu(a, 0.3), to([2, 3], -2, 4), undefined, {
    type: 75,
    options: [float32(0.3)],
  }),
  unary('HARD_SWISH', 117, (tf, a) => tf.mul(a, tf.div(tf.relu6(tf.add(a, 3)), 6)), to([2, 3], -0.5, 4)),
  unary('ELU', 111, (tf, a) => tf.elu(a), to([2, 3], -1, 4)),
  unary('ABS', 101, (tf, a) => tf.abs(a), to([2, 3], 0, 4)),
  unary('RSQRT', 76, (tf, a) => tf.rsqrt(a), to([2, 3], 0, 2), q([2, 3], 0, 4, 'int8', ramp(6, 0.5, 4))),
  // Negative numbers have the lowest logarithm.
  unary('LOG', 73, (tf, a) => tf.log(tf.maximum(a, 1e-9)), to([2, 3], -4, 2), q([2, 3], -1, 4)),
  unary('EXP', 47, (tf, a) => tf.exp(a), to([2, 3], 0, 3), q([2, 3], -4, 1)),
  {
    name: 'PRELU',
    code: 54,
    inputs: [q([2, 3], -4, 4), fixed([3], 0, 1)],
    outputs: [to([2, 3], -4, 4)],
    run: (tf, a, alpha) => tf.prelu(a, alpha),
  },
  ...[
    ['MEAN', 40, 'mean', to([2, 1], -2, 2)],
    ['SUM', 74, 'sum', to([2, 1], -6, 6)],
  ].map(([name, code, op, output]) =>
    unary(name, code, (tf, a) => tf[op](a, 1, true), output, undefined, {
      inputs: [q([2, 3], -4, 4), constant([1], [1])],
      type: 27,
      options: [int8(1)],
    }),
  ),
  ...[
    ['REDUCE_MAX', 82, 'max'],
    ['REDUCE_MIN', 89, 'min'],
  ].map(([name, code, op]) =>
    moved(name, code, (tf, a) => tf[op](a, 0), [3], [constant([1], [0])], { type: 27, options: [int8(0)] }),
  ),
  {
    name: 'ARG_MAX',
    code: 56,
    inputs: [q([2, 3]), constant([1], [1])],
    outputs: [plain([2])],
    type: 40,
    options: [int8(2)],
    run: (tf, a) => tf.argMax(a, 1),
  },
  joined('int8'),
  joined('uint8'),
  moved('PACK', 83, (tf, a, b) => tf.stack([a, b], 1), [2, 2, 3], [q([2, 3])], {
    type: 59,
    options: [int32(2), int32(1)],
  }),
  moved(
    'PAD',
    34,
    (tf, a) =>
      tf.pad(a, [
        [1, 0],
        [0, 2],
      ]),
    [3, 5],
    [constant([2, 2], [1, 0, 0, 2])],
  ),
  moved(
    'PADV2',
    60,
    (tf, a) =>
      tf.pad(
        a,
        [
          [1, 0],
          [0, 2],
        ],
        fixed([1], -2, 2.5, 'int8', [1.5]).values[0],
      ),
    [3, 5],
    [constant([2, 2], [1, 0, 0, 2]), fixed([1], -2, 2.5, 'int8', [1.5])],
  ),
  moved('TRANSPOSE', 39, (tf, a) => tf.transpose(a), [3, 2], [constant([2], [1, 0])]),
  moved('GATHER', 36, (tf, a) => tf.gather(a, [2, 0], 1), [2, 2], [constant([2], [2, 0])], {
    type: 23,
    options: [int32(1)],
  }),
  moved(
    'GATHER_ND',
    107,
    (tf, a) =>
      tf.gatherND(a, [
        [1, 2],
        [0, 0],
      ]),
    [2],
    [constant([2, 2], [1, 2, 0, 0])],
  ),
  moved(
    'STRIDED_SLICE',
    45,
    (tf, a) => tf.slice(a, [0, 1], [2, 2]),
    [2, 2],
    [constant([2], [0, 1]), constant([2], [2, 3]), constant([2], [1, 1])],
  ),
  moved(
    'SPACE_TO_DEPTH',
    26,
    (tf, a) => tf.reshape(a, [1, 1, 1, 4]),
    [1, 1, 1, 4],
    [],
    { type: 19, options: [int32(2)] },
    q([1, 2, 2, 1]),
  ),
  moved(
    'RESIZE_BILINEAR',
    23,
    (tf, a) => tf.image.resizeBilinear(a, [6, 5], false, true),
    [1, 6, 5, 2],
    [constant([2], [6, 5])],
    {
      type: 15,
      options: [undefined, undefined, int8(0), int8(1)],
    },
    image(3),
  ),
  moved(
    'MAX_POOL_2D with RELU6',
    17,
    (tf, a) => tf.relu6(tf.maxPool(a, 2, 2, 'valid')),
    [1, 2, 2, 2],
    [],
    { type: 5, options: kPool },
    image(),
  ),
  moved(
    'AVERAGE_POOL_2D with RELU6',
    1,
    (tf, a) => tf.relu6(tf.avgPool(a, 2, 2, 'valid')),
    [1, 2, 2, 2],
    [],
    { type: 5, options: kPool },
    image(),
  ),
  {
    name: 'BATCH_MATMUL',
    code: 126,
    inputs: [q([2, 2, 3]), q([2, 4, 3], -1, 2)],
    outputs: [to([2, 2, 4], -9, 9)],
    type: 101,
    options: [int8(0), int8(1)],
    run: (tf, a, b) => tf.matMul(a, b, false, true),
  },
  convolution('CONV_2D with a scale for each channel', 'int8', perChannel([4, 3, 3, 2], 0)),
  convolution('CONV_2D of uint8 with zero points', 'uint8', fixed([4, 3, 3, 2], -1, 0.5, 'uint8')),
  convolution('CONV_2D of int16', 'int16', perChannel([4, 3, 3, 2], 0), 'int64'),
  depthwise('DEPTHWISE_CONV_2D with a scale for each channel', 'int8', perChannel([1, 3, 3, 2], 3)),
  depthwise('DEPTHWISE_CONV_2D of uint8 with zero points', 'uint8', fixed([1, 3, 3, 2], -1, 0.5, 'uint8')),
  connected('FULLY_CONNECTED', 'int8', fixed([4, 3], -1, 1, 'int8')),
  connected('FULLY_CONNECTED with a scale for each row', 'int8', perChannel([4, 3], 0)),
  connected('FULLY_CONNECTED of uint8 with zero points', 'uint8', fixed([4, 3], -1, 0.5, 'uint8')),
  connected('FULLY_CONNECTED of int16', 'int16', perChannel([4, 3], 0), 'int64'),
  connected('FULLY_CONNECTED of int16 with a bias beyond 32 bits', 'int16', faint([4, 3]), 'int64'),
  connected('FULLY_CONNECTED with int4', 'int8', perChannel([4, 3], 0, 'int4')),
  transposed(),
];

/** Returns the bytes of int4 values, two in each, the low bits first. */
function packNibbles(values) {
  const bytes = new Uint8Array(Math.ceil(values.length / 2));
  values.forEach((value, i) => (bytes[i >> 1] |= (value & 15) << (4 * (i & 1))));
  return bytes;
}

const toStored = ({ values, stored, type, quantization }) => {
  const integers = stored ?? (quantization ? store(values, quantization, type) : values);
  return type === 'int4' ? packNibbles(integers) : integers;
};

/**
 * Returns the bytes of a model of a case, whose quantized inputs and outputs are float32 at its ends, and its outputs of bool, too:
 * LiteRT.js has no such tensors. Inputs that are left out are null.
 */
export function quantizedNode({ inputs, outputs, code, version, type, options }) {
  const tensors = [];
  const add = (tensor) => tensors.push(tensor) - 1;
  const [before, after, given, results] = [[], [], [], []];
  const numbers = inputs.map((input, i) => {
    if (!input) return -1;
    const { shape, type, quantization, isConstant } = input;
    if (isConstant) return add({ name: `c${i}`, shape, type, quantization, values: toStored(input) });
    const number = add({ name: `q${i}`, shape, type, quantization });
    given.push(quantization ? add({ name: `x${i}`, shape }) : number);
    if (quantization) before.push({ code: kQuantize, inputs: given.slice(-1), outputs: [number] });
    return number;
  });
  const found = outputs.map(({ shape, type, quantization }, i) => {
    const number = add({ name: `r${i}`, shape, type, quantization });
    const isConverted = quantization || type === 'bool';
    results.push(isConverted ? add({ name: `y${i}`, shape }) : number);
    if (type === 'bool') after.push({ ...kCast, inputs: [number], outputs: results.slice(-1) });
    if (quantization) after.push({ code: kDequantize, inputs: [number], outputs: results.slice(-1) });
    return number;
  });
  const operators = [...before, { code, version, type, options, inputs: numbers, outputs: found }, ...after];
  return tfliteFile({ graphs: [{ tensors, inputs: given, outputs: results, operators }] });
}
