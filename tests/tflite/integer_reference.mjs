// Computes int8 models in integers, from TensorFlow's quantization specification: real = scale * (stored - zero). Sums of
// products are exact; they are multiplied by a float32 scale and rounded to the nearest integer, halves to even numbers. The
// values here are stored - zero.
import { readGraph } from './reader.mjs';

const { fround } = Math;
const kRelu = 1;
const kRelu6 = 3;

function roundToEven(value) {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
const bounds = ({ scales: [scale], zeros: [zero] }, activation) => [
  activation === kRelu || activation === kRelu6 ? Math.max(-128 - zero, 0) : -128 - zero,
  activation === kRelu6 ? Math.min(127 - zero, Math.round(6 / scale)) : 127 - zero,
];
const clamp = (value, [low, high]) => Math.min(Math.max(value, low), high);

/** Returns a function that converts a sum of products of output channel `c` to the output's scale. */
function rescaler(x, filter, y, activation) {
  const limits = bounds(y, activation);
  const factors = filter.scales.map((scale) => fround(fround(x.scales[0] * scale) / y.scales[0]));
  return (sum, c) => clamp(roundToEven(fround(fround(sum) * factors[factors.length === 1 ? 0 : c])), limits);
}

/** Returns the pads before the rows or columns of an image. */
function padBefore(padding, extent, window, stride, out) {
  return padding === 0 ? Math.floor(Math.max((out - 1) * stride + window - extent, 0) / 2) : 0;
}

/** Calls `visit` with each output pixel, and each tap of its window that is inside of the image. */
function forEachTap({ padding, strideH, strideW, height, width, windowH, windowW, outH, outW }, visit) {
  const top = padBefore(padding, height, windowH, strideH, outH);
  const left = padBefore(padding, width, windowW, strideW, outW);
  for (let i = 0; i < outH; ++i)
    for (let j = 0; j < outW; ++j)
      for (let a = 0; a < windowH; ++a)
        for (let b = 0; b < windowW; ++b) {
          const row = i * strideH - top + a;
          const column = j * strideW - left + b;
          if (row >= 0 && row < height && column >= 0 && column < width)
            visit(i * outW + j, a * windowW + b, row * width + column);
        }
}

function convolve({ tensors, values }, { inputs, outputs: [output], options }, isDepthwise) {
  const [x, filter, bias] = inputs.map((i) => tensors[i]);
  const y = tensors[output];
  const [, height, width, channels] = x.shape;
  const [, outH, outW, filters] = y.shape;
  const [, windowH, windowW] = filter.shape;
  const sums = new Float64Array(outH * outW * filters);
  const shape = { height, width, windowH, windowW, outH, outW };
  const windows = {
    ...shape,
    padding: options.number(0, 'Int8'),
    strideW: options.number(1),
    strideH: options.number(2),
  };
  const given = values[inputs[0]];
  const multiplier = filters / channels;
  forEachTap(windows, (pixel, tap, from) => {
    for (let c = 0; c < filters; ++c) {
      if (isDepthwise) {
        sums[pixel * filters + c] +=
          given[from * channels + Math.floor(c / multiplier)] * filter.values[tap * filters + c];
        continue;
      }
      const weights = (c * windowH * windowW + tap) * channels;
      for (let k = 0; k < channels; ++k)
        sums[pixel * filters + c] += given[from * channels + k] * filter.values[weights + k];
    }
  });
  const rescale = rescaler(x, filter, y, options.number(isDepthwise ? 4 : 3, 'Int8'));
  return sums.map((sum, i) => rescale(sum + (bias?.values[i % filters] ?? 0), i % filters));
}

function connect({ tensors, values }, { inputs, outputs: [output], options }) {
  const [x, weights, bias] = inputs.map((i) => tensors[i]);
  const [out, depth] = weights.shape;
  const given = values[inputs[0]];
  const rescale = rescaler(x, weights, tensors[output], options.number(0, 'Int8'));
  return Float64Array.from({ length: (given.length / depth) * out }, (_, i) => {
    const row = Math.floor(i / out) * depth;
    let sum = bias?.values[i % out] ?? 0;
    for (let k = 0; k < depth; ++k) sum += given[row + k] * weights.values[(i % out) * depth + k];
    return rescale(sum, i % out);
  });
}

function average({ tensors, values }, { inputs: [input], outputs: [output], options }) {
  const [, height, width, channels] = tensors[input].shape;
  const y = tensors[output];
  const [, outH, outW] = y.shape;
  const sums = new Float64Array(outH * outW * channels);
  const counts = new Float64Array(outH * outW);
  const shape = { height, width, outH, outW, windowW: options.number(3), windowH: options.number(4) };
  const windows = {
    ...shape,
    padding: options.number(0, 'Int8'),
    strideW: options.number(1),
    strideH: options.number(2),
  };
  forEachTap(windows, (pixel, tap, from) => {
    counts[pixel] += 1;
    for (let c = 0; c < channels; ++c) sums[pixel * channels + c] += values[input][from * channels + c];
  });
  return sums.map((sum, i) => clamp(roundToEven(sum / counts[Math.floor(i / channels)]), bounds(y, 0)));
}

/** Returns real numbers in the output's scale. */
const quantize = (y, reals, activation = 0) =>
  reals.map((real) => clamp(roundToEven(fround(real / y.scales[0])), bounds(y, activation)));

function add({ tensors, values }, { inputs: [a, b], outputs: [output], options }) {
  const real = (input) => values[input].map((value) => fround(value * tensors[input].scales[0]));
  const other = real(b);
  const activation = options?.number(0, 'Int8') ?? 0;
  const sums = real(a).map((value, i) => fround(value + other[i]));
  return quantize(tensors[output], activation === kRelu ? sums.map((sum) => Math.max(sum, 0)) : sums);
}

function softmax({ tensors, values }, { inputs: [input], outputs: [output] }) {
  const reals = values[input].map((value) => value * tensors[input].scales[0]);
  const powers = reals.map((value) => Math.exp(value - Math.max(...reals)));
  const total = powers.reduce((a, b) => a + b);
  return quantize(
    tensors[output],
    powers.map((power) => power / total),
  );
}

const kOps = {
  0: add,
  1: average,
  3: (state, operator) => convolve(state, operator, false),
  4: (state, operator) => convolve(state, operator, true),
  9: connect,
  22: ({ values }, { inputs: [input] }) => values[input],
  25: softmax,
};

/** Returns the stored integers of the output of an int8 model for those of its input. */
export function computeInIntegers(file, stored) {
  const graph = readGraph(file);
  const zeroOf = (i) => graph.tensors[i].zeros[0] ?? 0;
  const [input] = graph.inputs;
  const [output] = graph.outputs;
  if (stored.length !== sizeOf(graph.tensors[input].shape)) throw new Error('The input has another number of values');
  const values = { [input]: Float64Array.from(stored, (value) => value - zeroOf(input)) };
  for (const operator of graph.operators) {
    const compute = kOps[operator.code];
    if (!compute) throw new Error(`The reference has no op ${operator.code}`);
    values[operator.outputs[0]] = compute({ ...graph, values }, operator);
  }
  return Int8Array.from(values[output], (value) => value + zeroOf(output));
}
