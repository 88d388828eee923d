// Random quantized nodes of TensorFlow Lite, in the form of quantized_cases.mjs: from a seed, so that they can be made again.
import { quantizationFor } from './quantized_cases.mjs';
import { image, movement } from './random_movement_cases.mjs';
import { Random, kEight, kRanges, list, load, plain, range } from './random_values.mjs';
import {
  connected,
  convolution,
  depthwise,
  hybrid,
  kActivations,
  pool,
  product,
  transposedConvolution,
} from './random_weighted_cases.mjs';
import { float32, int8 } from './writer.mjs';

/** Returns two shapes that broadcast. */
function broadcastShapes(r) {
  const shape = r.shape(0, 4);
  const other = shape.map((extent) => (r.chance(0.25) ? 1 : extent)).slice(r.chance(0.3) ? r.int(0, shape.length) : 0);
  const [a, b] = r.chance(0.5) ? [shape, other] : [other, shape];
  return [a, b];
}

const binaries = {
  ADD: [0, 11, 'add', [...kEight, 'int16']],
  SUB: [41, 28, 'sub', [...kEight, 'int16']],
  MUL: [18, 21, 'mul', [...kEight, 'int16']],
  DIV: [42, 29, 'div', ['uint8']],
};

const comparisons = {
  LESS: [58, 'less'],
  GREATER: [61, 'greater'],
  GREATER_EQUAL: [62, 'greaterEqual'],
  LESS_EQUAL: [63, 'lessEqual'],
  EQUAL: [71, 'equal'],
  NOT_EQUAL: [72, 'notEqual'],
};

/** Number, range of inputs, types, fixed quantization of the output by type, the options, and the computation. */
const kUnit = { int8: { scale: 1 / 256, zeroPoint: -128 }, uint8: { scale: 1 / 256, zeroPoint: 0 } };

const kSigned = { int8: { scale: 1 / 128, zeroPoint: 0 }, uint8: { scale: 1 / 128, zeroPoint: 128 } };

// LiteRT.js interpolates functions of int16 in tables.
const kApproximateUnits = 12;

const kUnit16 = { scale: 1 / 32768, zeroPoint: 0 };

const unaries = {
  LOGISTIC: [14, [-8, 8], [...kEight, 'int16'], { ...kUnit, int16: kUnit16 }, (tf, x) => tf.sigmoid(x)],
  TANH: [28, [-4, 4], [...kEight, 'int16'], { ...kSigned, int16: kUnit16 }, (tf, x) => tf.tanh(x)],
  LOG_SOFTMAX: [
    50,
    [-6, 6],
    ['int8', 'uint8'],
    { int8: { scale: 16 / 256, zeroPoint: 127 }, uint8: { scale: 16 / 256, zeroPoint: 255 } },
    (tf, x) => tf.logSoftmax(x),
  ],
  L2_NORMALIZATION: [
    11,
    [-3, 5],
    ['int8', 'uint8'],
    kSigned,
    (tf, x) => tf.div(x, tf.sqrt(tf.maximum(tf.sum(tf.square(x), -1, true), 1e-12))),
    { type: 12, options: [int8(0)] },
  ],
  RELU: [19, [-4, 4], kEight, undefined, (tf, x) => tf.relu(x)],
  RELU_N1_TO_1: [20, [-2, 3], kEight, undefined, (tf, x) => tf.clipByValue(x, -1, 1)],
  RELU6: [21, [-4, 9], kEight, undefined, (tf, x) => tf.clipByValue(x, 0, 6)],
  RELU_0_TO_1: [152, [-2, 3], kEight, undefined, (tf, x) => tf.clipByValue(x, 0, 1)],
  HARD_SWISH: [117, [-5, 6], kEight, undefined, (tf, x) => tf.mul(x, tf.div(tf.clipByValue(tf.add(x, 3), 0, 6), 6))],
  ELU: [111, [-4, 4], ['int8'], undefined, (tf, x) => tf.elu(x)],
  ABS: [101, [-4, 3], ['int8', 'int16'], undefined, (tf, x) => tf.abs(x)],
  EXP: [47, [-4, 2], ['int8', 'int16'], undefined, (tf, x) => tf.exp(x), { type: 33, options: [] }],
};

function elementwise(r) {
  const name = r.pick(Object.keys(binaries));
  const [code, type, op, types] = binaries[name];
  const dtype = r.pick(types);
  const activation = r.int(0, 3);
  const [a, b] = broadcastShapes(r).map((shape) => r.input(shape, dtype));
  const isDivision = name === 'DIV';
  return {
    name: `${name} of ${dtype} with activation ${activation}`,
    code,
    inputs: [a, isDivision ? r.within(b.shape, dtype, 0, 3) : b].map((one, i) =>
      isDivision && i === 1 ? { ...one, stored: one.stored.map((value) => Math.max(value, 1)) } : one,
    ),
    type,
    options: [int8(activation), ...(name === 'ADD' || name === 'SUB' ? [int8(0)] : [])],
    output: { type: dtype },
    // LiteRT.js multiplies by the reciprocals of integers.
    ...(isDivision && { hasNoPeer: true }),
    run: (tf, x, y) => kActivations[activation](tf, tf[op](x, y)),
  };
}

function comparison(r) {
  const name = r.pick(Object.keys(comparisons));
  const [code, op] = comparisons[name];
  const type = r.pick(kEight);
  const [a, b] = broadcastShapes(r);
  const x = r.input(a, type);
  const isSame = r.chance(0.5);
  return {
    name: `${name} of ${type}${isSame ? '' : ' with other scales'}`,
    code,
    inputs: [x, r.input(b, type, isSame ? x.quantization : undefined)],
    output: { type: 'bool' },
    // LiteRT compares in steps of 1 / 256.
    run: (tf, ...given) => tf[op](...given.map((one) => tf.round(tf.mul(one, 256)))),
  };
}

function unary(r) {
  const name = r.pick(Object.keys(unaries));
  const [code, span, types, fixed, run, options] = unaries[name];
  const type = r.pick(types);
  const stretch = r.float(0.2, 1.5);
  return {
    name: `${name} of ${type}`,
    code,
    inputs: [r.within(r.shape(1, 4), type, ...span.map((end) => end * stretch))],
    ...options,
    output: { type, quantization: fixed?.[type] },
    run,
    ...((name === 'EXP' || name === 'TANH') && type === 'int16' && { maxUnits: kApproximateUnits }),
  };
}

function softmax(r) {
  const beta = r.pick([1, 1, 0.5, 2]);
  const type = r.pick([...kEight, 'int16']);
  return {
    name: `SOFTMAX of ${type} with beta ${beta}`,
    code: 25,
    inputs: [r.within(r.shape(1, 4, 7), type, -r.float(0.5, 9), r.float(0.5, 9))],
    type: 9,
    options: [float32(beta)],
    output: { type, quantization: { ...kUnit, int16: kUnit16 }[type] },
    run: (tf, x) => tf.softmax(tf.mul(x, beta)),
    ...(type === 'int16' && { maxUnits: kApproximateUnits }),
  };
}

function positive(r) {
  const [name, code, op] = r.pick([
    ['RSQRT', 76, 'rsqrt'],
    ['LOG', 73, 'log'],
    ['SQRT', 75, 'sqrt'],
  ]);
  const x = r.within(r.shape(1, 4), 'int8', 0, r.float(0.5, 9));
  const stored = x.stored.map((value) => Math.max(value, -100));
  return {
    name,
    code,
    inputs: [{ ...x, stored, values: load(stored, x.quantization) }],
    output: { type: 'int8' },
    run: (tf, a) => tf[op](a),
  };
}

function leaky(r) {
  const type = r.pick([...kEight, 'int16']);
  const alpha = Math.fround(r.float(-0.5, 1.5));
  return {
    name: `LEAKY_RELU of ${type}`,
    code: 98,
    inputs: [r.input(r.shape(1, 4), type)],
    type: 75,
    options: [float32(alpha)],
    output: { type },
    run: (tf, x) => tf.where(tf.greater(x, 0), x, tf.mul(x, alpha)),
  };
}

function gelu(r) {
  const isApproximate = r.chance(0.5);
  return {
    name: `GELU${isApproximate ? ', approximate' : ''}`,
    code: 150,
    inputs: [r.input(r.shape(1, 4), 'int8')],
    type: 116,
    options: [int8(isApproximate ? 1 : 0)],
    output: { type: 'int8' },
    run: (tf, x) =>
      isApproximate
        ? tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(tf.mul(0.7978845608, tf.add(x, tf.mul(0.044715, tf.pow(x, 3))))), 1))
        : tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1)),
  };
}

function prelu(r) {
  const type = r.pick(kEight);
  const shape = r.shape(4, 4);
  return {
    name: `PRELU of ${type}`,
    code: 54,
    inputs: [
      r.input(shape, type),
      r.fixed(
        r.pick([
          [1, 1, shape[3]],
          [1, 1, 1],
        ]),
        type,
      ),
    ],
    output: { type },
    run: (tf, x, alpha) => tf.where(tf.greater(x, 0), x, tf.mul(x, alpha)),
  };
}

function extremum(r) {
  const [name, code, op] = r.pick([
    ['MAXIMUM', 55, 'maximum'],
    ['MINIMUM', 57, 'minimum'],
  ]);
  const type = r.pick([...kEight, 'int16']);
  const [a, b] = broadcastShapes(r);
  const x = r.input(a, type);
  return {
    name: `${name} of ${type}`,
    code,
    inputs: [x, r.input(b, type, x.quantization)],
    output: { type, quantization: x.quantization },
    run: (tf, ...given) => tf[op](...given),
  };
}

function squaredDifference(r) {
  const [a, b] = broadcastShapes(r);
  return {
    name: 'SQUARED_DIFFERENCE',
    code: 99,
    inputs: [r.input(a), r.input(b)],
    output: { type: 'int8' },
    run: (tf, x, y) => tf.squaredDifference(x, y),
  };
}

function reduction(r) {
  const [name, code, op] = r.pick([
    ['MEAN', 40, 'mean'],
    ['SUM', 74, 'sum'],
    ['REDUCE_PROD', 81, 'prod'],
    ['REDUCE_MAX', 82, 'max'],
    ['REDUCE_MIN', 89, 'min'],
  ]);
  const type = name === 'REDUCE_PROD' ? 'int8' : r.pick(name === 'SUM' ? kEight : [...kEight, 'int16']);
  const shape = r.shape(1, 4);
  const axes = r.shuffled(range(shape.length)).slice(0, r.int(1, shape.length));
  const keeps = r.chance(0.5);
  const x = op === 'prod' ? r.within(shape, type, -1.2, 1.5) : r.input(shape, type);
  const isSame = op === 'max' || op === 'min';
  return {
    name: `${name} of ${type}`,
    code,
    inputs: [x, list(axes.map((axis) => (r.chance(0.3) ? axis - shape.length : axis)))],
    type: 27,
    options: [int8(keeps ? 1 : 0)],
    output: { type, ...(isSame && { quantization: x.quantization }) },
    // LiteRT.js gives other products of one factor.
    ...(op === 'prod' && axes.every((axis) => shape[axis] === 1) && { hasNoPeer: true }),
    run: (tf, a) => tf[op](a, axes, keeps),
  };
}

function requantized(r) {
  const [from, to] = r.pick([
    ['int8', 'int8'],
    ['int8', 'uint8'],
    ['uint8', 'int8'],
    ['uint8', 'uint8'],
    ['int16', 'int8'],
    ['int8', 'int16'],
    ['int16', 'int16'],
  ]);
  return {
    name: `QUANTIZE of ${from} to ${to}`,
    code: 114,
    inputs: [r.input(r.shape(0, 4), from)],
    output: { type: to },
    run: (tf, x) => x,
  };
}

function position(r) {
  const shape = r.shape(1, 4, 9);
  const axis = r.int(0, shape.length - 1);
  const isGreatest = r.chance(0.5);
  return {
    name: isGreatest ? 'ARG_MAX' : 'ARG_MIN',
    code: isGreatest ? 56 : 79,
    inputs: [r.input(shape, r.pick(kEight)), plain([1], [axis])],
    type: isGreatest ? 40 : 57,
    options: [int8(2)],
    output: { type: 'int32' },
    run: (tf, x) => tf[isGreatest ? 'argMax' : 'argMin'](x, axis),
  };
}

function greatest(r) {
  const shape = r.shape(1, 3, 12);
  const count = r.int(1, shape.at(-1));
  const x = r.input(shape, r.pick(kEight));
  return {
    name: `TOPK_V2 of ${x.type}`,
    code: 48,
    inputs: [x, plain([], [count])],
    outputs: [{ type: x.type, quantization: x.quantization }, { type: 'int32' }],
    run: (tf, a) => {
      const { values, indices } = tf.topk(a, count);
      return [values, indices];
    },
  };
}

const kMakers = [
  elementwise,
  elementwise,
  comparison,
  unary,
  unary,
  unary,
  softmax,
  positive,
  leaky,
  gelu,
  prelu,
  extremum,
  squaredDifference,
  reduction,
  reduction,
  pool,
  pool,
  convolution,
  convolution,
  convolution,
  depthwise,
  depthwise,
  connected,
  connected,
  transposedConvolution,
  product,
  movement,
  movement,
  movement,
  movement,
  image,
  image,
  requantized,
  position,
  greatest,
  hybrid,
];

/** Returns the real numbers that a case computes, as { shape, values } for each output. */
function compute(tf, { inputs, run }) {
  return tf.tidy(() => {
    const tensors = inputs.map((one) => {
      if (!one) return undefined;
      const dtype = one.quantization ? 'float32' : ['bool', 'float32'].includes(one.type) ? one.type : 'int32';
      return tf.tensor(Array.from(one.values), one.shape, dtype);
    });
    return [run(tf, ...tensors)].flat().map((y) => ({ shape: y.shape, values: Array.from(y.dataSync()) }));
  });
}

/** Returns a random quantized node of a seed. Its outputs have the shape, and a scale for their values if the op leaves it open. */
export function randomQuantizedCase(tf, seed) {
  const r = new Random(seed);
  const { output, outputs, ...one } = r.pick(kMakers)(r);
  one.inputs = one.inputs.map((input) =>
    input?.quantization && !input.isConstant && input.stored
      ? { ...input, values: load(input.stored, input.quantization) }
      : input,
  );
  const want = compute(tf, one);
  return {
    ...one,
    name: `${seed} ${one.name}`,
    want,
    outputs: want.map(({ shape, values }, i) => {
      const { type, quantization } = outputs?.[i] ?? output;
      if (quantization || !kRanges[type]) return { shape, type, quantization };
      const finite = values.filter(Number.isFinite);
      const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)].map((end) => end * r.float(0.8, 1.2));
      return { shape, type, quantization: quantizationFor(low, high - low > 1e-3 ? high : 1, type) };
    }),
  };
}
