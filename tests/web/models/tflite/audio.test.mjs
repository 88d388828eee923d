// The custom ops AudioSpectrogram and Mfcc of TensorFlow Lite, compared with their formulas.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { flexbuffer } from '../../../tflite/flexbuffer.mjs';
import { oneNode } from '../../../tflite/writer.mjs';
import { assertClose, leavesNothingAsync } from '../../expect.mjs';

/** Runs a model of one custom op, and returns the output's shape and values. */
async function run(custom, options, inputs) {
  const output = { shape: [1, 1, 1] };
  const model = await tf.loadTFLiteModel(
    oneNode({ custom, customOptions: flexbuffer(options), inputs, outputs: [output] }),
  );
  try {
    return tf.tidy(() => {
      const { values, shape } = inputs[0];
      const y = model.predict(tf.tensor(values, shape));
      return { shape: y.shape, values: Array.from(y.dataSync()) };
    });
  } finally {
    model.dispose();
  }
}

const kWindow = 6;
const kLength = 8;
const sound = (samples, channels) => ({
  shape: [samples, channels],
  values: Array.from({ length: samples * channels }, (_, i) => Math.sin(1.3 * i) + Math.cos(0.4 * i * i)),
});

/** Returns the squared magnitudes of the frequencies of a frame that begins at a sample. */
function spectrumOf({ values, shape: [, channels] }, channel, start) {
  const frame = Array.from({ length: kWindow }, (_, i) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / kWindow);
    return weight * values[(start + i) * channels + channel];
  });
  return Array.from({ length: kLength / 2 + 1 }, (_, k) => {
    const angle = (i) => (2 * Math.PI * k * i) / kLength;
    const real = frame.reduce((sum, value, i) => sum + value * Math.cos(angle(i)), 0);
    const imaginary = frame.reduce((sum, value, i) => sum + value * Math.sin(angle(i)), 0);
    return real ** 2 + imaginary ** 2;
  });
}

for (const isSquared of [0, 1]) {
  test(`AudioSpectrogram of ${isSquared ? 'squared ' : ''}magnitudes`, () =>
    leavesNothingAsync(async () => {
      const x = sound(15, 2);
      const options = { magnitude_squared: isSquared, stride: 4, window_size: kWindow };
      const { shape, values } = await run('AudioSpectrogram', options, [x]);
      assert.deepEqual(shape, [2, 3, 5]);
      const squares = [0, 1].flatMap((channel) => [0, 4, 8].flatMap((start) => spectrumOf(x, channel, start)));
      assertClose(values, isSquared ? squares : squares.map(Math.sqrt), 1e-4);
    }));
}

const kFrequencies = 33;
const kRate = 8000;
const kMfcc = {
  dct_coefficient_count: 4,
  filterbank_channel_count: 6,
  lower_frequency_limit: 100,
  upper_frequency_limit: 3500,
};
const magnitudes = () => ({
  shape: [1, 2, kFrequencies],
  values: Array.from({ length: 2 * kFrequencies }, (_, i) => 1 + Math.sin(i) ** 2),
});
const rate = (value = kRate) => ({ shape: [1], type: 'int32', values: [value], isConstant: true });

function coefficientsOf(squares, { lower_frequency_limit: lower, upper_frequency_limit: upper } = kMfcc) {
  const toMel = (frequency) => 1127 * Math.log1p(frequency / 700);
  const [low, high] = [lower, upper].map(toMel);
  const bands = kMfcc.filterbank_channel_count;
  const edge = (i) => low + ((high - low) / (bands + 1)) * i;
  const sums = Array.from({ length: bands }, (_, band) =>
    squares.reduce((sum, square, i) => {
      const step = kRate / 2 / (kFrequencies - 1);
      const first = Math.floor(1.5 + lower / step);
      if (i < first || i * step > upper) return sum;
      const mel = toMel(i * step);
      const weight = Math.min(
        (mel - edge(band)) / (edge(band + 1) - edge(band)),
        (edge(band + 2) - mel) / (edge(band + 2) - edge(band + 1)),
      );
      return sum + Math.sqrt(square) * Math.max(weight, 0);
    }, 0),
  ).map((sum) => Math.log(Math.max(sum, 1e-12)));
  return Array.from({ length: kMfcc.dct_coefficient_count }, (_, k) =>
    sums.reduce(
      (total, value, i) => total + value * Math.sqrt(2 / bands) * Math.cos(((k * Math.PI) / bands) * (i + 0.5)),
      0,
    ),
  );
}

for (const [lower, upper] of [
  [100, 3500],
  [62.5, 3500.5],
]) {
  test(`Mfcc from ${lower} to ${upper} Hz`, () =>
    leavesNothingAsync(async () => {
      const x = magnitudes();
      const options = { ...kMfcc, lower_frequency_limit: lower, upper_frequency_limit: upper };
      const { shape, values } = await run('Mfcc', options, [x, rate()]);
      assert.deepEqual(shape, [1, 2, 4]);
      // LiteRT reads the limits as integers.
      const limits = { lower_frequency_limit: Math.trunc(lower), upper_frequency_limit: Math.trunc(upper) };
      const want = [0, 1].flatMap((i) =>
        coefficientsOf(x.values.slice(i * kFrequencies, (i + 1) * kFrequencies), limits),
      );
      assertClose(values, want, 1e-4);
    }));
}

for (const [what, custom, options, inputs, message] of [
  ['a window of one sample', 'AudioSpectrogram', { stride: 4, window_size: 1 }, [sound(9, 1)], /its window_size is 1/],
  ['a stride of 0', 'AudioSpectrogram', { stride: 0, window_size: 4 }, [sound(9, 1)], /its stride is 0/],
  ['a sound without channels', 'AudioSpectrogram', { stride: 1, window_size: 4 }, [sound(9, 0)], /no channels/],
  ['a rate of 0', 'Mfcc', kMfcc, [magnitudes(), rate(0)], /at a rate of 0/],
  [
    'more coefficients than bands',
    'Mfcc',
    { ...kMfcc, dct_coefficient_count: 7 },
    [magnitudes(), rate()],
    /its dct_coefficient_count is 7, expected 1 to 6/,
  ],
]) {
  test(`${what} is an error`, () => leavesNothingAsync(() => assert.rejects(run(custom, options, inputs), message)));
}
