// Cases of REDUCE_WINDOW, with its definition in JavaScript: see op_cases.mjs.
import { x, constant, f, weights } from './case_inputs.mjs';
import { int32 } from './writer.mjs';

const range = (count) => Array.from({ length: count }, (_, i) => i);
/** Numbers, definitions and initial values of the functions of REDUCE_WINDOW, of numbers and of booleans. */
const kReductions = {
  ADD: [1, (a, b) => a + b, 0.5],
  MUL: [2, (a, b) => a * b, 2],
  MINIMUM: [3, Math.min, 9],
  MAXIMUM: [4, Math.max, -9],
};
const kLogicalReductions = {
  ALL: [5, (a, b) => a && b, true, (i) => i % 4 !== 0],
  ANY: [6, (a, b) => a || b, false, (i) => i % 4 === 1],
};
/** Rows and columns of images of REDUCE_WINDOW, its windows, strides and dilations, and the output's extents. */
const kImage = [5, 6];
const kWindow = { extents: [2, 3], strides: [2, 1], dilations: [2, 2] };
const kReduced = [2, 2];

function reduceWindows(values, combine, first) {
  const { extents, strides, dilations } = kWindow;
  return range(kReduced[0]).flatMap((row) =>
    range(kReduced[1]).map((column) => {
      let total = first;
      for (const i of range(extents[0]))
        for (const j of range(extents[1])) {
          const at = [row * strides[0] + i * dilations[0], column * strides[1] + j * dilations[1]];
          total = combine(total, values[at[0] * kImage[1] + at[1]]);
        }
      return total;
    }),
  );
}

const makeReduceCase = (type, values, [name, [number, combine, first]]) => ({
  name: `REDUCE_WINDOW ${name}`,
  code: 205,
  inputs: [
    x(kImage, values, type),
    constant([], [first], type),
    ...[kWindow.extents, kWindow.strides, kWindow.dilations].map((list) => constant([2], list, 'int64')),
  ],
  outputs: [f(kReduced, type)],
  type: 20,
  options: [int32(number)],
  isInSecondUnion: true,
  run: (tf) => tf.tensor(reduceWindows(values, combine, first), kReduced, type),
});
export const reductionCases = [
  ...Object.entries(kReductions).map((entry) => makeReduceCase('float32', weights(kImage).values, entry)),
  ...Object.entries(kLogicalReductions).map(([name, [number, combine, first, isSet]]) =>
    makeReduceCase('bool', range(kImage[0] * kImage[1]).map(isSet), [name, [number, combine, first]]),
  ),
];
