// RFFT2D of TensorFlow Lite and the parts of its complex results, compared with the sums of their definition.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { randomFloats } from '../../../bench/random.mjs';
import { tfliteFile } from '../../../tflite/writer.mjs';

const kTransform = 131;
/** The ops that read complex tensors, and the same of a real and an imaginary part. */
const kParts = [
  ['IMAG', 133, (_, imaginary) => imaginary],
  ['REAL', 134, (real) => real],
  ['COMPLEX_ABS', 135, Math.hypot],
];

/** Returns the bytes of a model that transforms images, and has an output for each part. */
function transformModel(shape, lengths) {
  const spectrum = [shape[0], lengths[0], Math.floor(lengths[1] / 2) + 1];
  const parts = kParts.map(([name]) => ({ name, shape: spectrum }));
  return tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'x', shape },
          { name: 'lengths', shape: [2], type: 'int32', values: lengths },
          { name: 'spectrum', shape: spectrum, type: 'complex64' },
          ...parts,
        ],
        inputs: [0],
        outputs: parts.map((_, i) => i + 3),
        operators: [
          { code: kTransform, inputs: [0, 1], outputs: [2] },
          ...kParts.map(([, code], i) => ({ code, inputs: [2], outputs: [i + 3] })),
        ],
      },
    ],
  });
}

/** Returns the real and the imaginary parts of the transform of images, cropped or padded to the lengths. */
function transform(values, [batch, height, width], [rows, columns]) {
  const found = [];
  for (let n = 0; n < batch; ++n)
    for (let u = 0; u < rows; ++u)
      for (let v = 0; v <= columns / 2; ++v) {
        let [real, imaginary] = [0, 0];
        for (let i = 0; i < Math.min(height, rows); ++i)
          for (let j = 0; j < Math.min(width, columns); ++j) {
            const angle = -2 * Math.PI * ((u * i) / rows + (v * j) / columns);
            const value = values[(n * height + i) * width + j];
            real += value * Math.cos(angle);
            imaginary += value * Math.sin(angle);
          }
        found.push([real, imaginary]);
      }
  return found;
}

for (const [what, shape, lengths] of [
  ['whole images', [2, 4, 8], [4, 8]],
  ['odd extents', [1, 3, 5], [3, 5]],
  ['cropped images', [1, 6, 9], [4, 8]],
  ['padded images', [1, 3, 5], [4, 8]],
]) {
  test(`RFFT2D of ${what}, and IMAG, REAL and COMPLEX_ABS`, async () => {
    const before = tf.memory();
    const model = await tf.loadTFLiteModel(transformModel(shape, lengths));
    const values = randomFloats(
      shape.reduce((a, b) => a * b, 1),
      7,
    );
    const want = transform(values, shape, lengths);
    tf.tidy(() => {
      const outputs = model.predict(tf.tensor(values, shape));
      for (const [i, [name, , part]] of kParts.entries()) {
        const got = outputs[i].dataSync();
        assert.equal(got.length, want.length);
        want.forEach(([real, imaginary], k) => {
          const expected = part(real, imaginary);
          assert.ok(Math.abs(got[k] - expected) < 1e-5, `${name} ${k}: ${got[k]}, expected ${expected}`);
        });
      }
    });
    model.dispose();
    const { numTensors, numBytes } = tf.memory();
    assert.deepEqual({ numTensors, numBytes }, { numTensors: before.numTensors, numBytes: before.numBytes });
  });
}

test('RFFT2D refuses lengths below 1, and leaves nothing behind', async () => {
  const before = tf.memory().numTensors;
  const model = await tf.loadTFLiteModel(transformModel([1, 2, 2], [0, 2]));
  const x = tf.zeros([1, 2, 2]);
  assert.throws(
    () => model.predict(x),
    /expected two lengths of 1 or more, got \[0,2\] \(in the node "spectrum", op RFFT2D\)/,
  );
  x.dispose();
  model.dispose();
  assert.equal(tf.memory().numTensors, before);
});
