// Random quantized nodes of TensorFlow Lite, compared with the same computation on real numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { quantizedNode } from '../../../tflite/quantized_cases.mjs';
import { randomQuantizedCase } from '../../../tflite/random_cases.mjs';
import { assertClose, leavesNothingAsync } from '../../expect.mjs';

// Rounding to the output's scale, and sums in float32.
const kUnits = 0.51;
const kRanges = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767] };
const [kFirst, kLast] = (process.env.TENURE_SEEDS ?? '0:300').split(':').map(Number);

/** Returns what is wrong with an output, or undefined. */
function compare(got, want, { type, quantization }) {
  assert.deepEqual(got.shape, want.shape);
  const values = Array.from(got.dataSync());
  if (type === 'float32') return assertClose(values, want.values);
  if (!quantization) return assert.deepEqual(values, want.values);
  const { scale, zeroPoint } = quantization;
  const [low, high] = kRanges[type].map((stored) => scale * (stored - zeroPoint));
  for (const [i, value] of values.entries()) {
    const units = Math.abs(value - Math.min(Math.max(want.values[i], low), high)) / scale;
    assert.ok(units <= kUnits, `${value} at ${i}, expected ${want.values[i]}: ${units.toFixed(2)} units`);
  }
}

test('random quantized nodes give the real numbers of their formulas', () =>
  leavesNothingAsync(async () => {
    for (let seed = kFirst; seed < kLast; ++seed) {
      const one = randomQuantizedCase(tf, seed);
      try {
        const model = await tf.loadTFLiteModel(quantizedNode(one));
        tf.tidy(() => {
          const inputs = one.inputs.filter((input) => input && !input.isConstant);
          const got = [model.predict(inputs.map(({ values, shape }) => tf.tensor(values, shape)))].flat();
          got.forEach((tensor, i) => compare(tensor, one.want[i], one.outputs[i]));
        });
        model.dispose();
      } catch (error) {
        error.message = `${one.name}: ${error.message}`;
        throw error;
      }
    }
  }));
