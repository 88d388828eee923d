// Quantized nodes of TensorFlow Lite, compared with the same computation on real numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { quantizedCases, quantizedNode } from '../../../tflite/quantized_cases.mjs';
import { int32, int8, oneNode, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

// Rounding to the output's scale, and sums in float32.
const kUnits = 0.502;
const kRanges = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767] };

const toTensor = ({ values, shape, type, quantization }) =>
  tf.tensor(values, shape, quantization ? 'float32' : type === 'bool' ? 'bool' : 'int32');

function assertOutput(got, want, { type, quantization }, name) {
  assert.deepEqual(got.shape, want.shape);
  const [a, b] = [got.dataSync(), want.dataSync()];
  if (!quantization) return assert.deepEqual(Array.from(a), Array.from(b), name);
  const { scale, zeroPoint } = quantization;
  const [low, high] = kRanges[type].map((stored) => scale * (stored - zeroPoint));
  a.forEach((value, i) => {
    const units = Math.abs(value - Math.min(Math.max(b[i], low), high)) / scale;
    assert.ok(units <= kUnits, `${name}: ${value} at ${i}, expected ${b[i]}: ${units.toFixed(2)} units`);
  });
}

for (const one of quantizedCases) {
  test(`quantized ${one.name}`, () =>
    leavesNothingAsync(async () => {
      const model = await tf.loadTFLiteModel(quantizedNode(one));
      tf.tidy(() => {
        const inputs = one.inputs.map(toTensor);
        const got = [model.predict(inputs.filter((_, i) => !one.inputs[i].isConstant))].flat();
        const want = [one.run(tf, ...inputs)].flat();
        got.forEach((tensor, i) => assertOutput(tensor, want[i], one.outputs[i], one.name));
      });
      model.dispose();
    }));
}

test('a table of int8 that a model gathers from stays in 8 bits', () =>
  leavesNothingAsync(async () => {
    const [rows, columns] = [256, 64];
    const quantization = { scale: 0.5, zeroPoint: 3 };
    const values = Array.from({ length: rows * columns }, (_, i) => (i % 256) - 128);
    const table = { shape: [rows, columns], type: 'int8', quantization };
    const before = tf.memory().detail.weights;
    const model = await tf.loadTFLiteModel(
      oneNode({
        code: 36,
        inputs: [
          { ...table, values, isConstant: true },
          { shape: [2], type: 'int32' },
        ],
        outputs: [{ ...table, shape: [2, columns] }],
        type: 23,
        options: [int32(0)],
      }),
    );
    const bytes = tf.memory().detail.weights - before;
    assert.ok(bytes < 2 * rows * columns, `${bytes} bytes`);
    const got = tf.tidy(() => Array.from(model.predict(tf.tensor([5, 0], [2], 'int32')).dataSync()));
    const want = [5, 0].flatMap((row) => values.slice(row * columns, (row + 1) * columns));
    assert.deepEqual(
      got,
      want.map((value) => 0.5 * (value - 3)),
    );
    model.dispose();
  }));

test('QUANTIZE of int32 reads the scale and the zero point of its input', () =>
  leavesNothingAsync(async () => {
    const stored = [-1000, -70, 0, 3, 33, 250];
    for (const [type, low, high, zeroPoint] of [
      ['int8', -128, 127, 5],
      ['uint8', 0, 255, 128],
      ['int16', -32768, 32767, 0],
    ]) {
      const input = { scale: 0.375, zeroPoint: 10 };
      const output = { scale: 0.75, zeroPoint };
      const want = stored.map((value) => {
        const units = (value - input.zeroPoint) * (input.scale / output.scale);
        return [units, Math.min(Math.max(Math.round(units) + zeroPoint, low), high)];
      });
      const x = { shape: [6], type: 'int32', quantization: input };
      const y = { shape: [6], type, quantization: output };
      const quantize = { code: 114, inputs: [0], outputs: [1] };
      for (const isConstant of [false, true]) {
        const file = tfliteFile({
          graphs: [
            {
              tensors: [
                { name: 'x', ...x, ...(isConstant && { values: stored }) },
                { name: 'y', ...y },
              ],
              inputs: isConstant ? [] : [0],
              outputs: [1],
              operators: [quantize],
            },
          ],
        });
        const model = await tf.loadTFLiteModel(file, { quantized: true });
        tf.tidy(() => {
          const found = model.execute(isConstant ? {} : { x: tf.tensor(stored, [6], 'int32') }).dataSync();
          // A half may be rounded either way.
          want.forEach(([units, value], i) =>
            assert.ok(Math.abs(found[i] - value) <= (Number.isInteger(units) ? 0 : 1), `${type}: ${found} at ${i}`),
          );
        });
        model.dispose();
      }
    }
  }));

const kFused = { TANH: 4, SIGN_BIT: 5, 'no activation': 6, 'a negative number': -1 };
const q = (scale, zeroPoint = 0) => ({ type: 'int8', quantization: { scale, zeroPoint } });
const filter = (shape) => ({
  shape,
  ...q(0.5),
  values: new Array(shape.reduce((a, b) => a * b)).fill(1),
  isConstant: true,
});
const bias = { shape: [1], type: 'int32', values: [7], isConstant: true, quantization: { scale: 0.25 } };
const image = { shape: [1, 2, 2, 1], ...q(0.5, 3) };
const pixel = { shape: [1, 1, 1, 1], ...q(0.25, -4) };
const pool = (activation) => [int8(1), int32(1), int32(1), int32(2), int32(2), int8(activation)];
/** Quantized ops with a fused activation: the number of the op, its name, inputs, output, the type of its options, and these. */
const kFusedOps = [
  [3, 'CONV_2D', [image, filter([1, 2, 2, 1]), bias], pixel, 1, (a) => [int8(1), int32(1), int32(1), int8(a)]],
  [
    4,
    'DEPTHWISE_CONV_2D',
    [image, filter([1, 2, 2, 1]), bias],
    pixel,
    2,
    (a) => [int8(1), int32(1), int32(1), int32(1), int8(a)],
  ],
  [
    9,
    'FULLY_CONNECTED',
    [{ shape: [1, 2], ...q(0.5, 3) }, filter([1, 2]), bias],
    { shape: [1, 1], ...q(0.25) },
    8,
    (a) => [int8(a)],
  ],
  [0, 'ADD', [pixel, pixel], pixel, 11, (a) => [int8(a)]],
  [18, 'MUL', [pixel, pixel], pixel, 21, (a) => [int8(a)]],
  [41, 'SUB', [pixel, pixel], pixel, 28, (a) => [int8(a)]],
  [42, 'DIV', [pixel, pixel], pixel, 29, (a) => [int8(a)]],
  [1, 'AVERAGE_POOL_2D', [image], { ...pixel, ...q(0.5, 3) }, 5, pool],
  [17, 'MAX_POOL_2D', [image], { ...pixel, ...q(0.5, 3) }, 5, pool],
  [2, 'CONCATENATION', [pixel, pixel], { ...pixel, shape: [2, 1, 1, 1] }, 10, (a) => [int32(0), int8(a)]],
];

for (const [code, name, inputs, output, type, options] of kFusedOps)
  test(`a quantized ${name} has the fused activations of LiteRT, and refuses others when it is loaded`, () =>
    leavesNothingAsync(async () => {
      const file = (activation) => oneNode({ code, inputs, outputs: [output], type, options: options(activation) });
      const given = inputs.filter(({ isConstant }) => !isConstant);
      for (const activation of [0, 1, 2, 3]) {
        const model = await tf.loadTFLiteModel(file(activation));
        const [low, high] = [
          [-1e9, 1e9],
          [0, 1e9],
          [-1, 1],
          [0, 6],
        ][activation];
        const plain = await tf.loadTFLiteModel(file(0));
        for (const value of [-20, -0.5, 0.75, 2, 30])
          tf.tidy(() => {
            const x = given.map(({ shape }) => tf.fill(shape, value));
            const want = plain.predict(x).clipByValue(low, high).dataSync();
            assert.deepEqual(Array.from(model.predict(x).dataSync()), Array.from(want), `${activation} of ${value}`);
          });
        tf.dispose([model, plain]);
      }
      for (const [what, activation] of Object.entries(kFused))
        await assert.rejects(
          tf.loadTFLiteModel(file(activation)),
          new RegExp(
            `^Error: node 0 \\(${name} version 1\\): its fused activation is number ${activation}, its output is quantized`,
          ),
          what,
        );
    }));
