// Models of STABLEHLO_GATHER, SCATTER, REDUCE_WINDOW, RNG_BIT_GENERATOR and CASE, with the values that their formulas give.
import { int32, int64, int8, ints, longs, oneNode, tfliteFile } from './writer.mjs';

const kGather = { code: 201, type: 16, isInSecondUnion: true };
const kScatter = { code: 190, type: 7, isInSecondUnion: true };
const kBitGenerator = { code: 204, type: 19, isInSecondUnion: true };
const kReduceWindow = { code: 198, type: 13, isInSecondUnion: true };
const kCase = { code: 209, type: 23, isInSecondUnion: true };
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
/** Returns the index of each element of a shape, in its order. */
const indicesOf = (shape) =>
  Array.from({ length: sizeOf(shape) }, (_, i) => {
    const at = [];
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      at.unshift(i % shape[axis]);
      i = Math.floor(i / shape[axis]);
    }
    return at;
  });
const flatten = (at, shape) => at.reduce((flat, index, axis) => flat * shape[axis] + index, 0);
const numbers = (shape) => Array.from({ length: sizeOf(shape) }, (_, i) => ((7 * i) % 13) - 5 + i / 16);

/** Returns the elements of a gather, by the definition of StableHLO, with clamped indices. */
function gather(x, shape, starts, startsShape, { offsetDims, collapsed, map, vectorDim, sizes }, result) {
  const kept = sizes.map((_, axis) => axis).filter((axis) => !collapsed.includes(axis));
  return indicesOf(result).map((at) => {
    const batch = at.filter((_, axis) => !offsetDims.includes(axis));
    const offsets = at.filter((_, axis) => offsetDims.includes(axis));
    const from = shape.map(() => 0);
    map.forEach((axis, k) => {
      const index =
        vectorDim < startsShape.length ? [...batch.slice(0, vectorDim), k, ...batch.slice(vectorDim)] : batch;
      from[axis] = Math.min(Math.max(starts[flatten(index, startsShape)], 0), shape[axis] - sizes[axis]);
    });
    kept.forEach((axis, k) => (from[axis] += offsets[k]));
    return x[flatten(from, shape)];
  });
}

function gatherCase(name, shape, startsShape, starts, options, result) {
  const { offsetDims, collapsed, map, vectorDim, sizes } = options;
  const x = numbers(shape);
  return {
    name: `STABLEHLO_GATHER ${name}`,
    inputs: [
      { shape, values: x, type: 'float32' },
      { shape: startsShape, values: starts, type: 'int32' },
    ],
    file: oneNode({
      ...kGather,
      inputs: [{ shape }, { shape: startsShape, type: 'int32' }],
      outputs: [{ shape: result }],
      options: [longs(offsetDims), longs(collapsed), longs(map), int64(vectorDim), longs(sizes)],
    }),
    want: [{ shape: result, values: gather(x, shape, starts, startsShape, options, result) }],
  };
}

/** Options of a scatter, by the names of its lists, with the function `subgraph`. */
export const scatterOptions = ({ windows, inserted, map, vectorDim, subgraph = 1 }) => [
  undefined,
  longs(windows),
  longs(inserted),
  longs(map),
  int64(vectorDim),
  undefined,
  int32(subgraph),
];

/**
 * Returns the model of a scatter of a tensor of a type and `updates` by the function `code`, which replaces values if it is
 * undefined.
 */
export function scatterFile({ shape, starts, updates, code, type = 'float32', quantization }, options) {
  const number = (name) => ({ name, shape: [], type, quantization });
  const operators = code === undefined ? [] : [{ code, inputs: [0, 1], outputs: [2] }];
  return tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'x', shape, type, quantization },
          { name: 'indices', shape: starts, type: 'int32' },
          { name: 'updates', shape: updates, type, quantization },
          { name: 'y', shape, type, quantization },
        ],
        inputs: [0, 1, 2],
        outputs: [3],
        operators: [{ ...kScatter, inputs: [0, 1, 2], outputs: [3], options }],
      },
      {
        name: 'function',
        tensors: [number('a'), number('b'), number('c')],
        inputs: [0, 1],
        outputs: [code === undefined ? 1 : 2],
        operators,
      },
    ],
  });
}

/** Returns the elements of a scatter, by the definition of StableHLO. */
function scatter(x, shape, starts, startsShape, values, updates, combine, { windows, inserted, map, vectorDim }) {
  const result = [...x];
  const kept = shape.map((_, axis) => axis).filter((axis) => !inserted.includes(axis));
  for (const at of indicesOf(updates)) {
    const batch = at.filter((_, axis) => !windows.includes(axis));
    const to = shape.map(() => 0);
    map.forEach((axis, k) => {
      const index =
        vectorDim < startsShape.length ? [...batch.slice(0, vectorDim), k, ...batch.slice(vectorDim)] : batch;
      to[axis] = starts[flatten(index, startsShape)];
    });
    kept.forEach((axis, k) => (to[axis] += at[windows[k]]));
    if (to.some((index, axis) => index < 0 || index >= shape[axis])) continue;
    result[flatten(to, shape)] = combine(result[flatten(to, shape)], values[flatten(at, updates)]);
  }
  return result;
}

function scatterCase(name, [code, combine], { shape, starts, indices, updates, type = 'float32' }, options) {
  const toType = (list) => (type === 'int32' ? list.map(Math.round) : list);
  const x = toType(numbers(shape));
  const values = toType(numbers(updates).map((value) => value / 2 - 1));
  return {
    name: `STABLEHLO_SCATTER ${name}`,
    inputs: [
      { shape, values: x, type },
      { shape: starts, values: indices, type: 'int32' },
      { shape: updates, values, type },
    ],
    file: scatterFile({ shape, starts, updates, code, type }, scatterOptions(options)),
    want: [{ shape, values: scatter(x, shape, indices, starts, values, updates, combine, options) }],
  };
}

const kReplace = [undefined, (_, b) => b];

/**
 * Returns the model of x plus random bits, and x plus those of the next state, for a state of 64-bit numbers and an algorithm. Its
 * last output is the state after that if `hasState`.
 */
export function bitsFile({ state, algorithm, count = 7, type = 'int32', isInput = false, hasState = false }) {
  const vector = (name) => ({ name, shape: [state.length], type: 'uint64' });
  const bits = (name) => ({ name, shape: [count], type });
  const options = [int8(algorithm)];
  return tfliteFile({
    graphs: [
      {
        tensors: [
          { ...vector('state'), ...(!isInput && { values: state }) },
          bits('x'),
          vector('next'),
          bits('bits'),
          bits('y'),
          vector('last'),
          bits('more'),
          bits('z'),
        ],
        inputs: isInput ? [0, 1] : [1],
        outputs: hasState ? [4, 7, 5] : [4, 7],
        operators: [
          { ...kBitGenerator, inputs: [0], outputs: [2, 3], options },
          { code: 0, inputs: [1, 3], outputs: [4] },
          { ...kBitGenerator, inputs: [2], outputs: [5, 6], options },
          { code: 0, inputs: [1, 6], outputs: [7] },
        ],
      },
    ],
  });
}

/** Returns the random words of Philox4x32 after 10 rounds. */
function philox([key0, key1], [a, b, c, d]) {
  const multiply = (x, y) => BigInt(x) * BigInt(y);
  const low = (product) => Number(product & 0xffffffffn);
  const high = (product) => Number(product >> 32n);
  for (let round = 0; round < 10; ++round) {
    const [p, q] = [multiply(0xd2511f53, a), multiply(0xcd9e8d57, c)];
    [a, b, c, d] = [(high(q) ^ b ^ key0) >>> 0, low(q), (high(p) ^ d ^ key1) >>> 0, low(p)];
    key0 = (key0 + 0x9e3779b9) >>> 0;
    key1 = (key1 + 0xbb67ae85) >>> 0;
  }
  return [a, b, c, d];
}

/** Returns the random words of Threefry2x32 after 20 rounds. */
function threefry([key0, key1], [a, b]) {
  const keys = [key0, key1, key0 ^ key1 ^ 0x1bd11bda];
  a = (a + key0) | 0;
  b = (b + key1) | 0;
  [13, 15, 26, 6, 17, 29, 16, 24, 13, 15, 26, 6, 17, 29, 16, 24, 13, 15, 26, 6].forEach((turn, round) => {
    a = (a + b) | 0;
    b = ((b << turn) | (b >>> (32 - turn))) ^ a;
    if (round % 4 < 3) return;
    const injection = (round + 1) / 4;
    a = (a + keys[injection % 3]) | 0;
    b = (b + keys[(injection + 1) % 3] + injection) | 0;
  });
  return [a, b];
}

/** Returns `count` random words of a state of 64-bit numbers, as int32, and the next state. */
export function randomBits(state, algorithm, count) {
  const words = state.flatMap((number) => [Number(number & 0xffffffffn), Number(number >> 32n)]);
  const bits = [];
  while (bits.length < count) {
    const counter = words.length === 6 ? words.slice(2) : [words[2], words[3], words[0], words[1]];
    bits.push(...(algorithm === 2 ? threefry(words, counter) : philox(words, counter)));
    words[2] = (words[2] + 1) >>> 0;
    if (words[2] === 0) words[3] = (words[3] + 1) >>> 0;
  }
  const next = state.map((_, i) => BigInt(words[2 * i]) | (BigInt(words[2 * i + 1]) << 32n));
  return [bits.slice(0, count).map((word) => word | 0), next];
}

function bitsCase(name, state, algorithm, count) {
  const [first, next] = randomBits(state, algorithm, count);
  const [second] = randomBits(next, algorithm, count);
  return {
    name: `STABLEHLO_RNG_BIT_GENERATOR ${name}`,
    inputs: [{ shape: [count], values: new Array(count).fill(0), type: 'int32' }],
    file: bitsFile({ state, algorithm, count }),
    want: [first, second].map((values) => ({ shape: [count], values })),
  };
}

const kFunctions = {
  add: [[0, 163], 0, (a, b) => a + b],
  mul: [[18, 165], 1, (a, b) => a * b],
  max: [[55, 166], -50, (a, b) => Math.max(a, b)],
  min: [[57, 181], 50, (a, b) => Math.min(a, b)],
};

/** Returns the model of a window's reduction by the function `code`. */
export function reduceWindowFile(shape, result, code, first, options, type = 'float32') {
  const number = (name) => ({ name, shape: [], type });
  return tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'x', shape, type },
          { ...number('first'), values: [first] },
          { name: 'y', shape: result, type },
        ],
        inputs: [0],
        outputs: [2],
        operators: [{ ...kReduceWindow, inputs: [0, 1], outputs: [2], options }],
      },
      {
        name: 'function',
        tensors: [number('a'), number('b'), number('c')],
        inputs: [0, 1],
        outputs: [2],
        operators: [{ code, inputs: [0, 1], outputs: [2] }],
      },
    ],
  });
}

function reduceCase(name, code, first, combine, windows, type) {
  const { shape, window, strides, base, dilations, padding } = windows;
  const values = type === 'int32' ? numbers(shape).map(Math.round) : numbers(shape);
  const padded = shape.map((extent, i) => (extent - 1) * base[i] + 1 + padding[2 * i] + padding[2 * i + 1]);
  const result = padded.map((extent, i) => Math.floor((extent - (window[i] - 1) * dilations[i] - 1) / strides[i]) + 1);
  const read = (at) => {
    const from = at.map((position, i) => (position - padding[2 * i]) / base[i]);
    const isInside = from.every((index, i) => Number.isInteger(index) && index >= 0 && index < shape[i]);
    return isInside ? values[flatten(from, shape)] : first;
  };
  const want = indicesOf(result).map((at) =>
    indicesOf(window)
      .map((tap) => read(at.map((index, i) => index * strides[i] + tap[i] * dilations[i])))
      .reduce(combine, first),
  );
  const options = [window, strides, base, dilations, padding].map(longs);
  return {
    name: `STABLEHLO_REDUCE_WINDOW ${name}`,
    inputs: [{ shape, values, type }],
    file: reduceWindowFile(shape, result, code, first, [...options, int32(1)], type),
    want: [{ shape: result, values: want }],
  };
}

const kWindows = {
  shape: [4, 5],
  window: [2, 3],
  strides: [1, 2],
  base: [2, 1],
  dilations: [2, 1],
  padding: [1, 0, -1, 2],
};

/** Returns the model of a choice between x + y, x * y and x - y by an index. */
export function caseFile(branches = [1, 2, 3]) {
  const x = (name) => ({ name, shape: [3] });
  const branch = (code) => ({
    tensors: [x('x'), x('y'), x('z')],
    inputs: [0, 1],
    outputs: [2],
    operators: [{ code, inputs: [0, 1], outputs: [2] }],
  });
  return tfliteFile({
    graphs: [
      {
        tensors: [{ name: 'index', shape: [], type: 'int32' }, x('x'), x('y'), x('z')],
        inputs: [0, 1, 2],
        outputs: [3],
        operators: [{ ...kCase, inputs: [0, 1, 2], outputs: [3], options: [ints(branches)] }],
      },
      ...[0, 18, 41].map(branch),
    ],
  });
}

const choice = (index, values) => ({
  name: `STABLEHLO_CASE ${index}`,
  inputs: [
    { shape: [], values: [index], type: 'int32' },
    { shape: [3], values: [1, -2, 3], type: 'float32' },
    { shape: [3], values: [4, 5, -6], type: 'float32' },
  ],
  file: caseFile(),
  want: [{ shape: [3], values }],
});

/** Cases: the name, the model's bytes, its inputs { shape, values, type }, and the outputs { shape, values }. */
export const stablehloCases = [
  gatherCase(
    'of rows',
    [5, 3],
    [2, 2],
    [4, -1, 0, 9],
    { offsetDims: [2], collapsed: [0], map: [0], vectorDim: 2, sizes: [1, 3] },
    [2, 2, 3],
  ),
  gatherCase(
    'of blocks, with swapped coordinates along the first axis',
    [4, 5, 2],
    [2, 3],
    [0, 4, 2, 1, 2, 9],
    { offsetDims: [0, 2], collapsed: [2], map: [1, 0], vectorDim: 0, sizes: [2, 3, 1] },
    [2, 3, 3],
  ),
  gatherCase(
    'of elements',
    [3, 4],
    [3, 2],
    [0, 3, 2, 2, 1, 0],
    { offsetDims: [], collapsed: [0, 1], map: [0, 1], vectorDim: 1, sizes: [1, 1] },
    [3],
  ),
  gatherCase(
    'of one block',
    [3, 4],
    [2],
    [1, 2],
    { offsetDims: [0, 1], collapsed: [], map: [0, 1], vectorDim: 0, sizes: [2, 2] },
    [2, 2],
  ),
  scatterCase(
    'of rows',
    kReplace,
    { shape: [5, 3], starts: [2, 1], indices: [4, 1], updates: [2, 3] },
    { windows: [1], inserted: [0], map: [0], vectorDim: 1 },
  ),
  scatterCase(
    'of elements, one twice and one outside',
    kReplace,
    { shape: [3, 4], starts: [4, 2], indices: [0, 3, 2, 2, 0, 3, 3, 0], updates: [4] },
    { windows: [], inserted: [0, 1], map: [0, 1], vectorDim: 1 },
  ),
  scatterCase(
    'of blocks that overlap, with windows first, indices last and swapped coordinates',
    kReplace,
    { shape: [4, 5, 2], starts: [2, 3], indices: [0, 1, 4, 2, 1, 3], updates: [2, 3, 3] },
    { windows: [0, 1], inserted: [2], map: [1, 0], vectorDim: 0 },
  ),
  scatterCase(
    'of a block at its end',
    kReplace,
    { shape: [3, 4], starts: [2], indices: [2, 3], updates: [2, 2] },
    { windows: [0, 1], inserted: [], map: [0, 1], vectorDim: 0 },
  ),
  ...[
    ['add', 163, (a, b) => a + b],
    ['multiply', 165, (a, b) => a * b],
    ['maximum', 166, (a, b) => Math.max(a, b)],
    ['minimum', 181, (a, b) => Math.min(a, b)],
  ].flatMap(([name, ...combiner]) =>
    ['float32', 'int32'].map((type) =>
      scatterCase(
        `with ${name} of ${type}`,
        combiner,
        { shape: [4, 3], starts: [3, 1], indices: [1, 1, 3], updates: [3, 3], type },
        { windows: [1], inserted: [0], map: [0], vectorDim: 1 },
      ),
    ),
  ),
  bitsCase('of Philox', [0x123456789abcdef0n, 0xffffffffn], 1, 9),
  bitsCase('of Philox with three numbers', [0xa4093822299f31d0n, 0xffffffffffffffffn, 7n], 1, 6),
  bitsCase('of its default', [1n, 2n], 0, 4),
  bitsCase('of Threefry', [0x123456789abcdef0n, 0xfffffffffffffffen], 2, 7),
  ...Object.entries(kFunctions).flatMap(([name, [codes, first, combine]]) =>
    codes.map((code) => reduceCase(`${name} of op ${code}`, code, first, combine, kWindows, 'float32')),
  ),
  reduceCase('add from 2', 163, 2, kFunctions.add[2], kWindows, 'float32'),
  reduceCase('max of int32', 166, -(2 ** 31), kFunctions.max[2], kWindows, 'int32'),
  choice(0, [5, 3, -3]),
  choice(1, [4, -10, -18]),
  choice(2, [-3, -7, 9]),
  choice(3, [-3, -7, 9]),
  choice(-1, [-3, -7, 9]),
];
