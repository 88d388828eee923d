// Models of STABLEHLO_GATHER, STABLEHLO_REDUCE_WINDOW and STABLEHLO_CASE, with the values that their formulas give.
import { int32, int64, ints, longs, oneNode, tfliteFile } from './writer.mjs';

const kGather = { code: 201, type: 16, isInSecondUnion: true };
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
