// Random nodes with weights or windows: convolutions, matrix products and pools.
import { kEight, list, range, sizeOf } from './random_values.mjs';
import { int32, int8 } from './writer.mjs';

/** The fused activations by their numbers. */
export const kActivations = [
  (tf, x) => x,
  (tf, x) => tf.relu(x),
  (tf, x) => tf.clipByValue(x, -1, 1),
  (tf, x) => tf.clipByValue(x, 0, 6),
];

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

export function pool(r) {
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

/** Types of inputs, of weights and, unless it is int32, of biases. */
const kWeightedTypes = [
  ['int8', 'int8'],
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['int16', 'int8', 'int64'],
  ['int8', 'int4'],
];

export function convolution(r) {
  const [type, weightType, biasType] = r.pick(kWeightedTypes);
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

export function depthwise(r) {
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

export function connected(r) {
  const [type, weightType, biasType] = r.pick(kWeightedTypes);
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

export function transposedConvolution(r) {
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

export function product(r) {
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

/** Returns a node of floats and weights of int8. LiteRT.js quantizes the floats, too. */
export function hybrid(r) {
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
