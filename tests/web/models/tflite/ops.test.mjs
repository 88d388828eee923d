// A .tflite model of one node for each builtin op, compared with the same computation in tf.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { opCases } from '../../../tflite/op_cases.mjs';
import { longs, oneNode } from '../../../tflite/writer.mjs';

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

test('integers that float32 cannot hold pad exactly', async () => {
  const value = 2 ** 24 + 1;
  const [least, greatest] = [-(2 ** 31), 2 ** 31 - 1];
  const inputs = [{ shape: [3], type: 'int32' }];
  const constant = (shape, values) => ({ shape, values, type: 'int32', isConstant: true });
  const outputs = [{ shape: [-1], type: 'int32' }];
  const dilations = [longs([0]), longs([1]), longs([1])];
  for (const [node, want] of [
    [
      { code: 60, inputs: [...inputs, constant([1, 2], [1, 1]), constant([], [value])] },
      [value, least, 1, greatest, value],
    ],
    [
      { code: 195, inputs: [...inputs, constant([], [value])], type: 10, options: dilations, isInSecondUnion: true },
      [least, value, 1, value, greatest, value],
    ],
    [{ code: 203, inputs: [...inputs, constant([1], [2]), constant([], [value])] }, [least, value, 1, value, greatest]],
  ]) {
    const model = await tf.loadTFLiteModel(oneNode({ ...node, outputs }));
    const got = tf.tidy(() => Array.from(model.predict(tf.tensor([least, 1, greatest], [3], 'int32')).dataSync()));
    assert.deepEqual(got, want);
    model.dispose();
  }
});

test('at least 90 builtin ops are tested', () => {
  assert.ok(new Set(opCases.map(({ code }) => code)).size >= 90);
});
