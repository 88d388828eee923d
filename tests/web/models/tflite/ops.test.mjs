// A .tflite model of one node for each builtin op, compared with the same computation in tf.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { opCases } from '../../../tflite/op_cases.mjs';
import { oneNode } from '../../../tflite/writer.mjs';

const kDtypes = { float32: 'float32', bool: 'bool' };
const toTensor = ({ values, shape, type = 'float32' }) => tf.tensor(values, shape, kDtypes[type] ?? 'int32');

function assertClose(name, got, want) {
  assert.deepEqual(got.shape, want.shape, name);
  assert.equal(got.dtype, want.dtype, name);
  const [a, b] = [got.dataSync(), want.dataSync()];
  for (let i = 0; i < a.length; ++i)
    assert.ok(Math.abs(a[i] - b[i]) <= 1e-5 * Math.max(1, Math.abs(b[i])), `${name}: [${a}], expected [${b}]`);
}

for (const { name, run, ...node } of opCases) {
  test(`the op ${name} of TensorFlow Lite`, async () => {
    const before = tf.memory();
    const model = await tf.loadTFLiteModel(oneNode(node));
    tf.tidy(() => {
      const inputs = node.inputs.map(toTensor);
      const got = model.predict(inputs.filter((_, i) => !node.inputs[i].isConstant));
      const want = run(tf, ...inputs);
      const [gotList, wantList] = [got, want].map((one) => (Array.isArray(one) ? one : [one]));
      assert.equal(gotList.length, wantList.length);
      gotList.forEach((tensor, i) => assertClose(`output ${i} of ${name}`, tensor, wantList[i]));
    });
    model.dispose();
    const { numTensors, numBytes } = tf.memory();
    assert.deepEqual({ numTensors, numBytes }, { numTensors: before.numTensors, numBytes: before.numBytes });
  });
}

test('at least 90 builtin ops are tested', () => {
  assert.ok(new Set(opCases.map(({ code }) => code)).size >= 90);
});
