// Random quantized nodes of TensorFlow Lite, in the form of quantized_cases.mjs: from a seed, so that they can be made again.
import { quantizationFor } from './quantized_cases.mjs';
import { float32, int32, int8, ints } from './writer.mjs';

const kRanges = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767] };
const kWeightRanges = { int8: [-127, 127], uint8: [0, 255], int4: [-7, 7] };
const kEight = ['int8', 'int8', 'uint8'];
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
const range = (count) => Array.from({ length: count }, (_, i) => i);
const load = (stored, { scale, zeroPoint }) => stored.map((value) => Math.fround(scale * (value - zeroPoint)));

/** A source of random numbers. */
class Random {
  #state;

  constructor(seed) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** Returns a number in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer in [low, high]. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  float(low, high) {
    return low + this.next() * (high - low);
  }

  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  chance(share) {
    return this.next() < share;
  }

  shape(minRank, maxRank, extent = 5) {
    return range(this.int(minRank, maxRank)).map(() => this.int(1, extent));
  }

  shuffled(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; --i) {
      const k = this.int(0, i);
      [result[i], result[k]] = [result[k], result[i]];
    }
    return result;
  }

  /** Returns the quantization of a random range around 0. */
  quantization(type) {
    const spread = 10 ** this.float(-1, 1);
    const low = this.chance(0.2) ? 0 : -spread * this.float(0.1, 1);
    const high = this.chance(0.2) && low < 0 ? 0 : spread * this.float(0.1, 1);
    return quantizationFor(low, high, type);
  }

  /** Returns a quantized input. */
  input(shape, type = 'int8', quantization = this.quantization(type)) {
    const stored = range(sizeOf(shape)).map(() => this.int(...kRanges[type]));
    return { shape, type, quantization, stored, values: load(stored, quantization) };
  }

  /** Returns an input whose real numbers are in [low, high]. */
  within(shape, type, low, high) {
    return this.input(shape, type, quantizationFor(low, high, type));
  }

  /** Returns a constant. */
  fixed(...args) {
    return { ...this.input(...args), isConstant: true };
  }

  /** Returns constant weights, with a scale for each index of `dimension` unless it is undefined. */
  weights(shape, dimension, type = 'int8') {
    const [low, high] = kWeightRanges[type];
    const inner = dimension === undefined ? 1 : sizeOf(shape.slice(dimension + 1));
    const count = dimension === undefined ? 1 : shape[dimension];
    const scale = range(count).map(() => Math.fround(this.float(0.1, 1) / high));
    const zeroPoint = range(count).map(() => (type === 'uint8' ? this.int(90, 150) : 0));
    const channel = (i) => (count === 1 ? 0 : Math.floor(i / inner) % count);
    const stored = range(sizeOf(shape)).map(() => this.int(low, high));
    return {
      shape,
      type,
      stored,
      values: stored.map((value, i) => Math.fround((value - zeroPoint[channel(i)]) * scale[channel(i)])),
      quantization: { scale, zeroPoint, dimension: dimension ?? 0 },
      isConstant: true,
    };
  }

  /** Returns a bias of products of x and weights. */
  bias(x, filter, count, type = 'int32') {
    const scale = [filter.quantization.scale].flat().map((factor) => Math.fround(factor * x.quantization.scale));
    const each = range(count).map((i) => scale[scale.length === 1 ? 0 : i]);
    const stored = each.map((step) => Math.round(this.float(-1, 1) / step));
    return {
      shape: [count],
      type,
      stored,
      values: stored.map((value, i) => value * each[i]),
      quantization: { scale, zeroPoint: scale.map(() => 0) },
      isConstant: true,
    };
  }
}

const plain = (shape, values, type = 'int32') => ({ shape, type, values, isConstant: true });
const list = (values) => plain([values.length], values);
/** The fused activations by their numbers. */
const kActivations = [
  (tf, x) => x,
  (tf, x) => tf.relu(x),
  (tf, x) => tf.clipByValue(x, -1, 1),
  (tf, x) => tf.clipByValue(x, 0, 6),
];

/** Returns two shapes that broadcast. */
function broadcastShapes(r) {
  const shape = r.shape(0, 4);
  const other = shape.map((extent) => (r.chance(0.25) ? 1 : extent)).slice(r.chance(0.3) ? r.int(0, shape.length) : 0);
  const [a, b] = r.chance(0.5) ? [shape, other] : [other, shape];
  return [a, b];
}

function windows(r, height, width) {
  const isValid = r.chance(0.5);
  return {
    isValid,
    stride: [r.int(1, 3), r.int(1, 3)],
    kernel: [r.int(1, isValid ? height : 4), r.int(1, isValid ? width : 4)],
  };
}

/** Returns the number of output positions, and the padding before the first one. */
function outputExtent(extent, kernel, stride, dilation, isValid) {
  const reach = (kernel - 1) * dilation + 1;
  const count = isValid ? Math.ceil((extent - reach + 1) / stride) : Math.ceil(extent / stride);
  return [count, isValid ? 0 : Math.max(Math.floor(((count - 1) * stride + reach - extent) / 2), 0)];
}

/** Returns a convolution in groups with a filter [out, height, width, in], by its definition. */
function convolve(tf, x, filter, bias, { stride, dilation, isValid, groups }) {
  const [batch, height, width, channels] = x.shape;
  const [filters, kernelH, kernelW, depth] = filter.shape;
  const [rows, top] = outputExtent(height, kernelH, stride[0], dilation[0], isValid);
  const [columns, left] = outputExtent(width, kernelW, stride[1], dilation[1], isValid);
  const [from, by, plus] = [x, filter, bias].map((tensor) => tensor?.dataSync());
  const result = new Float32Array(batch * rows * columns * filters);
  for (let i = 0; i < result.length; ++i) {
    const c = i % filters;
    const column = Math.floor(i / filters) % columns;
    const row = Math.floor(i / filters / columns) % rows;
    const image = Math.floor(i / filters / columns / rows);
    const first = Math.floor(c / (filters / groups)) * depth;
    let sum = plus ? plus[c] : 0;
    for (let a = 0; a < kernelH; ++a)
      for (let b = 0; b < kernelW; ++b) {
        const y = row * stride[0] - top + a * dilation[0];
        const z = column * stride[1] - left + b * dilation[1];
        if (y < 0 || y >= height || z < 0 || z >= width) continue;
        for (let k = 0; k < depth; ++k)
          sum +=
            from[((image * height + y) * width + z) * channels + first + k] *
            by[((c * kernelH + a) * kernelW + b) * depth + k];
      }
    result[i] = sum;
  }
  return tf.tensor(result, [batch, rows, columns, filters]);
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

function pool(r) {
  const isMean = r.chance(0.6);
  const type = r.pick([...kEight, 'int16']);
  const shape = [r.int(1, 2), r.int(1, 7), r.int(1, 7), r.int(1, 5)];
  const { isValid, stride, kernel } = windows(r, shape[1], shape[2]);
  const activation = r.int(0, 3);
  const x = r.input(shape, type);
  return {
    name: `${isMean ? 'AVERAGE' : 'MAX'}_POOL_2D of ${type} with activation ${activation}`,
    code: isMean ? 1 : 17,
    inputs: [x],
    type: 5,
    options: [
      int8(isValid ? 1 : 0),
      int32(stride[1]),
      int32(stride[0]),
      int32(kernel[1]),
      int32(kernel[0]),
      int8(activation),
    ],
    output: { type, quantization: x.quantization },
    run: (tf, a) =>
      kActivations[activation](tf, tf[isMean ? 'avgPool' : 'maxPool'](a, kernel, stride, isValid ? 'valid' : 'same')),
  };
}

function convolution(r) {
  const [type, weightType, biasType] = r.pick([
    ['int8', 'int8'],
    ['int8', 'int8'],
    ['uint8', 'uint8'],
    ['int16', 'int8', 'int64'],
    ['int8', 'int4'],
  ]);
  const [batch, height, width] = [r.int(1, 2), r.int(1, 7), r.int(1, 7)];
  const { isValid, stride, kernel } = windows(r, height, width);
  const dilation = r.chance(0.3) ? [r.int(1, 2), r.int(1, 2)] : [1, 1];
  for (const i of [0, 1]) if (isValid && (kernel[i] - 1) * dilation[i] + 1 > [height, width][i]) dilation[i] = 1;
  const groups = type === 'int8' && weightType === 'int8' && r.chance(0.2) ? 2 : 1;
  const depth = r.int(1, 5);
  const filters = groups * r.int(1, 4);
  const x = r.input([batch, height, width, groups * depth], type);
  const isPerChannel = type !== 'uint8' && r.chance(0.7);
  const filter = r.weights([filters, ...kernel, depth], isPerChannel ? 0 : undefined, weightType);
  const activation = r.int(0, 3);
  return {
    name: `CONV_2D of ${type} and ${weightType} in ${groups} groups, dilated by ${dilation}, with activation ${activation}`,
    code: 3,
    inputs: [x, filter, r.bias(x, filter, filters, biasType)],
    type: 1,
    options: [
      int8(isValid ? 1 : 0),
      int32(stride[1]),
      int32(stride[0]),
      int8(activation),
      int32(dilation[1]),
      int32(dilation[0]),
    ],
    output: { type },
    run: (tf, a, weight, bias) =>
      kActivations[activation](tf, convolve(tf, a, weight, bias, { stride, dilation, isValid, groups })),
  };
}

function depthwise(r) {
  const [type, weightType, biasType] = r.pick([
    ['int8', 'int8'],
    ['int8', 'int8'],
    ['uint8', 'uint8'],
    ['int16', 'int8', 'int64'],
  ]);
  const [batch, height, width, channels] = [r.int(1, 2), r.int(1, 7), r.int(1, 7), r.int(1, 5)];
  const { isValid, stride, kernel } = windows(r, height, width);
  if (r.chance(0.7)) stride[1] = stride[0];
  const dilation = r.chance(0.3) ? [r.int(1, 2), r.int(1, 2)] : [1, 1];
  for (const i of [0, 1]) if (isValid && (kernel[i] - 1) * dilation[i] + 1 > [height, width][i]) dilation[i] = 1;
  const multiplier = r.int(1, 3);
  const filters = channels * multiplier;
  const x = r.input([batch, height, width, channels], type);
  const isPerChannel = type !== 'uint8' && r.chance(0.7);
  const filter = r.weights([1, ...kernel, filters], isPerChannel ? 3 : undefined, weightType);
  const activation = r.int(0, 3);
  return {
    name: `DEPTHWISE_CONV_2D of ${type} times ${multiplier}, dilated by ${dilation}, with activation ${activation}`,
    code: 4,
    inputs: [x, filter, ...(r.chance(0.8) ? [r.bias(x, filter, filters, biasType)] : [])],
    type: 2,
    options: [
      int8(isValid ? 1 : 0),
      int32(stride[1]),
      int32(stride[0]),
      int32(multiplier),
      int8(activation),
      int32(dilation[1]),
      int32(dilation[0]),
    ],
    output: { type },
    run: (tf, a, weight, bias) =>
      kActivations[activation](
        tf,
        convolve(tf, a, tf.transpose(weight, [3, 1, 2, 0]), bias, { stride, dilation, isValid, groups: channels }),
      ),
  };
}

function connected(r) {
  const [type, weightType, biasType] = r.pick([
    ['int8', 'int8'],
    ['int8', 'int8'],
    ['uint8', 'uint8'],
    ['int16', 'int8', 'int64'],
    ['int8', 'int4'],
  ]);
  const [inner, out] = [r.int(1, 20), r.int(1, 9)];
  const keeps = r.chance(0.5);
  const shape = [...r.shape(1, 3, 3), inner];
  const x = r.input(shape, type);
  const filter = r.weights([out, inner], type !== 'uint8' && r.chance(0.5) ? 0 : undefined, weightType);
  const activation = r.int(0, 3);
  const isFixed = weightType !== 'int8' || type !== 'int8' || r.chance(0.8);
  return {
    name: `FULLY_CONNECTED of ${type} and ${weightType} with activation ${activation}${isFixed ? '' : ', not constant'}`,
    code: 9,
    inputs: [
      x,
      isFixed ? filter : r.input([out, inner], 'int8', { scale: filter.quantization.scale[0], zeroPoint: 0 }),
      isFixed && r.chance(0.8) ? r.bias(x, filter, out, biasType) : null,
    ],
    type: 8,
    options: [int8(activation), int8(0), int8(keeps ? 1 : 0)],
    output: { type },
    run: (tf, a, weight, bias) => {
      const sums = tf.matMul(tf.reshape(a, [-1, inner]), weight, false, true);
      const result = kActivations[activation](tf, bias ? tf.add(sums, bias) : sums);
      return keeps ? tf.reshape(result, [...shape.slice(0, -1), out]) : result;
    },
  };
}

function transposedConvolution(r) {
  const [type, weightType, biasType] = r.pick([
    ['int8', 'int8'],
    ['uint8', 'uint8'],
    ['int16', 'int8', 'int64'],
  ]);
  const [height, width, channels, filters] = [r.int(1, 5), r.int(1, 5), r.int(1, 4), r.int(1, 4)];
  const stride = [r.int(1, 3), r.int(1, 3)];
  const isValid = r.chance(0.5);
  const kernel = [0, 1].map((i) => r.int(isValid ? 1 : stride[i], 4));
  const extent = (from, i) => (isValid ? (from - 1) * stride[i] + kernel[i] : from * stride[i]);
  const result = [1, extent(height, 0), extent(width, 1), filters];
  const x = r.input([1, height, width, channels], type);
  const filter = r.weights(
    [filters, ...kernel, channels],
    type !== 'uint8' && r.chance(0.7) ? 0 : undefined,
    weightType,
  );
  const activation = r.int(0, 3);
  return {
    name: `TRANSPOSE_CONV of ${type} with activation ${activation}`,
    code: 67,
    version: 4,
    inputs: [list(result), filter, x, ...(r.chance(0.8) ? [r.bias(x, filter, filters, biasType)] : [])],
    type: 49,
    options: [int8(isValid ? 1 : 0), int32(stride[1]), int32(stride[0]), int8(activation)],
    output: { type },
    run: (tf, shape, weight, a, bias) => {
      const sums = tf.conv2dTranspose(
        a,
        tf.transpose(weight, [1, 2, 0, 3]),
        result,
        stride,
        isValid ? 'valid' : 'same',
      );
      return kActivations[activation](tf, bias ? tf.add(sums, bias) : sums);
    },
  };
}

function product(r) {
  const [rows, inner, columns] = [r.int(1, 5), r.int(1, 9), r.int(1, 5)];
  const [adjX, adjY] = [r.chance(0.5), r.chance(0.5)];
  const batch = r.shape(0, 2, 3);
  const other = batch.map((extent) => (r.chance(0.3) ? 1 : extent));
  const type = r.pick(['int8', 'int8', 'int16']);
  const b = [...other, ...(adjY ? [columns, inner] : [inner, columns])];
  return {
    name: `BATCH_MATMUL of ${type}`,
    code: 126,
    inputs: [
      r.input([...batch, ...(adjX ? [inner, rows] : [rows, inner])], type),
      r.chance(0.5) ? r.input(b, type) : type === 'int8' && r.chance(0.5) ? r.weights(b) : r.fixed(b, type),
    ],
    type: 101,
    options: [int8(adjX ? 1 : 0), int8(adjY ? 1 : 0)],
    output: { type },
    run: (tf, x, y) => tf.matMul(x, y, adjX, adjY),
  };
}

/** Returns a case of an op that moves elements of x, and keeps their scale. */
function moving(name, code, x, rest, run, options = {}) {
  return {
    name: `${name} of ${x.type}`,
    code,
    inputs: [x, ...rest],
    output: { type: x.type, quantization: x.quantization },
    run,
    ...options,
  };
}

const moves = {
  PAD: (r, x) => {
    const pads = x.shape.map(() => [r.int(0, 2), r.int(0, 2)]);
    return moving('PAD', 34, x, [plain([pads.length, 2], pads.flat())], (tf, a) => tf.pad(a, pads));
  },
  PADV2: (r, x) => {
    const pads = x.shape.map(() => [r.int(0, 2), r.int(0, 2)]);
    const value = r.fixed([1], x.type, x.quantization);
    return moving('PADV2', 60, x, [plain([pads.length, 2], pads.flat()), value], (tf, a) =>
      tf.pad(a, pads, value.values[0]),
    );
  },
  MIRROR_PAD: (r, x) => {
    const isSymmetric = r.chance(0.5);
    const pads = x.shape.map((extent) => [0, 1].map(() => r.int(0, isSymmetric ? extent : extent - 1)));
    return moving(
      'MIRROR_PAD',
      100,
      x,
      [plain([pads.length, 2], pads.flat())],
      (tf, a) => tf.mirrorPad(a, pads, isSymmetric ? 'symmetric' : 'reflect'),
      { type: 77, options: [int8(isSymmetric ? 1 : 0)] },
    );
  },
  TRANSPOSE: (r, x) => {
    const order = r.shuffled(range(x.shape.length));
    return moving('TRANSPOSE', 39, x, [list(order)], (tf, a) => tf.transpose(a, order));
  },
  RESHAPE: (r, x) => {
    const shape = r.pick([[-1], [1, -1, 1], [x.shape[0], -1]]);
    return moving('RESHAPE', 22, x, [list(shape)], (tf, a) => tf.reshape(a, shape), {
      type: 17,
      options: [ints(shape)],
    });
  },
  STRIDED_SLICE: (r, x) => {
    const begin = x.shape.map((extent) => r.int(0, extent - 1));
    const strides = x.shape.map(() => r.pick([1, 1, 2, -1]));
    const end = begin.map((from, i) =>
      strides[i] > 0 ? r.int(from + 1, x.shape[i]) : r.int(-x.shape[i] - 1, from - x.shape[i] - 1),
    );
    const masks = [r.int(0, 15), r.int(0, 15), 0, 0, r.chance(0.3) ? r.int(0, 15) : 0];
    for (let i = 0; i < x.shape.length; ++i) {
      const bit = 1 << i;
      if (masks[4] & bit && strides[i] < 0) masks[4] &= ~bit;
      if (masks[4] & bit) for (const k of [0, 1]) masks[k] &= ~bit;
      if (strides[i] < 0) masks[0] &= ~bit;
    }
    const bits = (1 << x.shape.length) - 1;
    const [b, e, , , s] = masks.map((mask) => mask & bits);
    return moving(
      'STRIDED_SLICE',
      45,
      x,
      [begin, end, strides].map(list),
      (tf, a) => tf.stridedSlice(a, begin, end, strides, b, e, 0, 0, s),
      { type: 32, options: [b, e, 0, 0, s].map(int32) },
    );
  },
  SLICE: (r, x) => {
    const begin = x.shape.map((extent) => r.int(0, extent - 1));
    const size = x.shape.map((extent, i) => (r.chance(0.3) ? -1 : r.int(1, extent - begin[i])));
    return moving('SLICE', 65, x, [begin, size].map(list), (tf, a) => tf.slice(a, begin, size));
  },
  TILE: (r, x) => {
    const counts = x.shape.map(() => r.int(1, 2));
    return moving('TILE', 69, x, [list(counts)], (tf, a) => tf.tile(a, counts));
  },
  REVERSE_V2: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    return moving('REVERSE_V2', 105, x, [list([axis])], (tf, a) => tf.reverse(a, axis));
  },
  GATHER: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const indices = range(r.int(1, 4)).map(() => r.int(0, x.shape[axis] - 1));
    return moving(
      'GATHER',
      36,
      x,
      [list(indices)],
      (tf, a) => tf.gather(a, tf.tensor(indices, undefined, 'int32'), axis),
      {
        type: 23,
        options: [int32(axis)],
      },
    );
  },
  EXPAND_DIMS: (r, x) => {
    const axis = r.int(-1, x.shape.length);
    return moving('EXPAND_DIMS', 70, x, [list([axis])], (tf, a) => tf.expandDims(a, axis));
  },
  PACK: (r, x) => {
    const axis = r.int(0, x.shape.length);
    const others = range(r.int(0, 2)).map(() => r.input(x.shape, x.type, x.quantization));
    return moving('PACK', 83, x, others, (tf, ...all) => tf.stack(all, axis), {
      type: 59,
      options: [int32(1 + others.length), int32(axis)],
    });
  },
  CONCATENATION: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const isSame = x.type !== 'uint8' || r.chance(0.5);
    const others = range(r.int(1, 3)).map(() =>
      r.input(
        x.shape.map((extent, i) => (i === axis ? r.int(1, 4) : extent)),
        x.type,
        isSame ? x.quantization : undefined,
      ),
    );
    return moving('CONCATENATION', 2, x, others, (tf, ...all) => tf.concat(all, axis), {
      type: 10,
      options: [int32(axis - (r.chance(0.3) ? x.shape.length : 0)), int8(0)],
    });
  },
  SELECT_V2: (r, x) => {
    const condition = plain(
      x.shape,
      range(sizeOf(x.shape)).map(() => r.int(0, 1)),
      'bool',
    );
    return {
      ...moving('SELECT_V2', 123, x, [], (tf, holds, a, b) => tf.where(holds, a, b)),
      inputs: [condition, x, r.input(x.shape, x.type, x.quantization)],
    };
  },
  SPLIT: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const count = x.shape[axis];
    return {
      ...moving('SPLIT', 49, x, [], (tf, _, a) => tf.split(a, count, axis), { type: 35, options: [int32(count)] }),
      inputs: [plain([], [axis]), x],
    };
  },
  UNPACK: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    return moving('UNPACK', 88, x, [], (tf, a) => tf.unstack(a, axis), {
      type: 64,
      options: [int32(x.shape[axis]), int32(axis)],
    });
  },
  BROADCAST_TO: (r, x) => {
    const shape = [r.int(1, 3), ...x.shape.map((extent) => (extent === 1 ? r.int(1, 3) : extent))];
    return moving('BROADCAST_TO', 130, x, [list(shape)], (tf, a) => tf.broadcastTo(a, shape));
  },
};

function movement(r) {
  const shape = r.shape(1, 4);
  return r.pick(Object.values(moves))(r, r.input(shape, r.pick([...kEight, 'int16'])));
}

function image(r) {
  const type = r.pick(kEight);
  const block = r.int(2, 3);
  const [height, width] = [r.int(1, 4), r.int(1, 4)];
  const x = (shape) => r.input(shape, type);
  const resize = (name, code, op, isBilinear) => {
    const size = [r.int(1, 9), r.int(1, 9)];
    const [align, half] = r.pick([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
    return moving(
      name,
      code,
      x([r.int(1, 2), height, width, r.int(1, 4)]),
      [list(size)],
      (tf, a) => tf.image[op](a, size, align === 1, half === 1),
      {
        type: isBilinear ? 15 : 74,
        options: [...(isBilinear ? [undefined, undefined] : []), int8(align), int8(half)],
        name: `${name} of ${type} with align_corners ${align}, half_pixel_centers ${half}`,
      },
    );
  };
  return r.pick([
    () => resize('RESIZE_BILINEAR', 23, 'resizeBilinear', true),
    () => resize('RESIZE_NEAREST_NEIGHBOR', 97, 'resizeNearestNeighbor', false),
    () =>
      moving(
        'SPACE_TO_DEPTH',
        26,
        x([1, height * block, width * block, 3]),
        [],
        (tf, a) =>
          tf.reshape(tf.transpose(tf.reshape(a, [1, height, block, width, block, 3]), [0, 1, 3, 2, 4, 5]), [
            1,
            height,
            width,
            block * block * 3,
          ]),
        { type: 19, options: [int32(block)] },
      ),
    () =>
      moving('DEPTH_TO_SPACE', 5, x([1, height, width, 2 * block * block]), [], (tf, a) => tf.depthToSpace(a, block), {
        type: 94,
        options: [int32(block)],
      }),
    () => {
      const pads = [height, width].map((extent) => [0, (block - (extent % block)) % block]);
      return moving(
        'SPACE_TO_BATCH_ND',
        38,
        x([1, height, width, 2]),
        [list([block, block]), plain([2, 2], pads.flat())],
        (tf, a) => tf.spaceToBatchND(a, [block, block], pads),
      );
    },
    () =>
      moving(
        'BATCH_TO_SPACE_ND',
        37,
        x([block * block, height, width, 2]),
        [list([block, block]), plain([2, 2], [0, 0, 0, 0])],
        (tf, a) =>
          tf.batchToSpaceND(
            a,
            [block, block],
            [
              [0, 0],
              [0, 0],
            ],
          ),
      ),
  ])();
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

/** Returns a node of floats and weights of int8. LiteRT.js quantizes the floats, too. */
function hybrid(r) {
  const base = r.pick([convolution, depthwise, connected, product])(r);
  const floats = ({ shape, values }) => ({
    shape,
    type: 'float32',
    values: range(sizeOf(shape)).map((i) => values[i % values.length]),
  });
  const [x, weights, bias] = base.inputs;
  const { zeroPoint, scale } = weights.quantization ?? {};
  const isSymmetric = [zeroPoint].flat().every((zero) => zero === 0);
  const isPerChannel = base.code !== 4 || scale?.length === weights.shape[3];
  if (x.type !== 'int8' || weights.type !== 'int8' || !weights.isConstant || !isSymmetric || !isPerChannel)
    return hybrid(r);
  return {
    ...base,
    name: `${base.name}, hybrid`,
    inputs: [floats(x), weights, ...(bias ? [{ ...floats(bias), isConstant: true }] : [])],
    output: { type: 'float32' },
    isHybrid: true,
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
