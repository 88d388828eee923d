// Quantized nodes of TensorFlow Lite, compared with the same computation on real numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { quantizedCases, quantizedNode } from '../../../tflite/quantized_cases.mjs';
import { int32, oneNode } from '../../../tflite/writer.mjs';
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
