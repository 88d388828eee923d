// The part of the engine for TensorFlow Lite ops that few models have: loaded for a model with such an op, and only for it.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../../../cpp/toolchain/use.mjs';
import { int32, int8, oneNode } from '../../../tflite/writer.mjs';

const kRare = 'tenure.tflite_rare.wasm';
const dist = (name) => path.join(root, 'dist', name);
const x = (shape) => ({ shape });
const constant = (shape, values, type) => ({ shape, values, isConstant: true, ...(type && { type }) });
const convolution = (channels, dilation) =>
  oneNode({
    code: 3,
    inputs: [x([1, 3, 3, 2]), constant([2, 1, 1, channels], new Float32Array(2 * channels).fill(1))],
    outputs: [x([1, 3, 3, 2])],
    type: 1,
    options: [int8(0), int32(1), int32(1), int8(0), int32(dilation), int32(dilation)],
  });

/** Models, the shapes of their inputs, whether they need the part, and the first value for inputs of ones. */
const cases = [
  ['an activation', oneNode({ code: 19, inputs: [x([2])], outputs: [x([2])] }), [2], false, 1],
  ['a convolution', convolution(2, 1), [1, 3, 3, 2], false, 2],
  ['a dilated convolution', convolution(2, 2), [1, 3, 3, 2], true, 2],
  ['a grouped convolution', convolution(1, 1), [1, 3, 3, 2], true, 1],
  [
    'a repetition',
    oneNode({ code: 69, inputs: [x([2]), constant([1], [2], 'int32')], outputs: [x([4])] }),
    [2],
    true,
    1,
  ],
];

for (const [i, [what, file, shape, isNeeded, first]] of cases.entries()) {
  test(`a model of ${what} loads ${isNeeded ? kRare : 'no rare ops'}`, async () => {
    const tf = await import(`${dist('no_await.js')}?tflite_parts${i}`);
    const asked = [];
    await tf.init({
      locateFile: (name, folder) => {
        asked.push(name);
        return folder + name;
      },
    });
    // init() asks for the places of all files.
    asked.length = 0;
    const before = tf.memory().numTensors;
    const model = await tf.loadTFLiteModel(file);
    assert.deepEqual([asked.includes('tenure.tflite.wasm'), asked.includes(kRare)], [true, isNeeded]);
    assert.equal(
      tf.tidy(() => model.predict(tf.ones(shape)).dataSync()[0]),
      first,
    );
    model.dispose();
    assert.equal(tf.memory().numTensors, before);
  });
}
