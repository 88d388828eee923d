// STABLEHLO_GATHER, STABLEHLO_REDUCE_WINDOW and STABLEHLO_CASE of TensorFlow Lite.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { caseFile, reduceWindowFile, stablehloCases } from '../../../tflite/stablehlo_cases.mjs';
import { int32, int64, longs, oneNode } from '../../../tflite/writer.mjs';
import { assertClose, leavesNothingAsync } from '../../expect.mjs';

for (const { name, file, inputs, want } of stablehloCases) {
  test(name, () =>
    leavesNothingAsync(async () => {
      const model = await tf.loadTFLiteModel(file);
      tf.tidy(() => {
        const found = [model.predict(inputs.map(({ values, shape, type }) => tf.tensor(values, shape, type)))].flat();
        for (const [i, { shape, values }] of want.entries()) {
          assert.deepEqual(found[i].shape, shape);
          assertClose(Array.from(found[i].dataSync()), values, 1e-6);
        }
      });
      model.dispose();
    }),
  );
}

test('a STABLEHLO_CASE of a constant index', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(caseFile());
    for (let round = 0; round < 3; ++round)
      for (const [index, want] of [
        [0, [5, 3]],
        [1, [4, -10]],
        [2, [-3, -7]],
      ]) {
        const found = tf.tidy(() =>
          Array.from(
            model
              .predict([tf.scalar(index, 'int32'), tf.tensor([1, -2, 0]), tf.tensor([4, 5, 0])])
              .dataSync()
              .slice(0, 2),
          ),
        );
        assert.deepEqual(found, want);
      }
    model.dispose();
  }));

const gatherFile = (change) => {
  const { offsetDims, collapsed, map, vectorDim, sizes } = {
    offsetDims: [1],
    collapsed: [0],
    map: [0],
    vectorDim: 1,
    sizes: [1, 3],
    ...change,
  };
  return oneNode({
    code: 201,
    type: 16,
    isInSecondUnion: true,
    inputs: [{ shape: [2, 3] }, { shape: [2], type: 'int32', values: [0, 1], isConstant: true }],
    outputs: [{ shape: [2, 3], name: 'y' }],
    options: [longs(offsetDims), longs(collapsed), longs(map), int64(vectorDim), longs(sizes)],
  });
};
const windowFile = (change, code = 163) => {
  const lists = { window: [1, 2], strides: [1, 1], base: [1, 1], dilations: [1, 1], padding: [0, 0, 0, 0], ...change };
  const options = ['window', 'strides', 'base', 'dilations', 'padding'].map((name) => longs(lists[name]));
  return reduceWindowFile([2, 3], [2, 2], code, 0, [...options, int32(change.subgraph ?? 1)]);
};

for (const [what, file, message] of [
  [
    'a slice that does not fit',
    gatherFile({ sizes: [1, 4] }),
    /a slice of 4 elements along axis 1 does not fit \[2,3\]/,
  ],
  ['a negative slice', gatherFile({ sizes: [1, -1] }), /a slice of -1 elements along axis 1/],
  ['too few slice sizes', gatherFile({ sizes: [1] }), /expected 1 of the numbers slice_sizes for each axis of \[2,3\]/],
  ['a dropped axis of 2', gatherFile({ sizes: [2, 3] }), /it drops axis 0 of 2 elements/],
  ['an index_vector_dim beyond the rank', gatherFile({ vectorDim: 2 }), /its index_vector_dim is 2/],
  ['an axis that is not there', gatherFile({ map: [2] }), /its start_index_map has axis 2/],
  ['an axis twice', gatherFile({ vectorDim: 0, map: [0, 0], offsetDims: [0] }), /its start_index_map has axis 0/],
  ['too many axes', gatherFile({ map: [0, 1] }), /coordinates of 1 axes and slices of 1 axes do not fit 2/],
  [
    'offset_dims beyond the result',
    gatherFile({ offsetDims: [2] }),
    /its offset_dims are not axes of a result of rank 2/,
  ],
  ['windows of 0', windowFile({ window: [1, 0] }), /along axis 1 it has a window of 0/],
  ['no windows', windowFile({ window: [] }), /expected 1 of the numbers window_dimensions for each axis/],
  ['a base dilation of 0', windowFile({ base: [0, 1] }), /its base dilation along axis 0 is 0/],
  ['pads of another rank', windowFile({ padding: [1, 1] }), /expected 2 of the numbers padding for each axis/],
  ['huge pads', windowFile({ padding: [2 ** 31 - 1, 1, 0, 0] }), /the output would have the extent/],
]) {
  test(`STABLEHLO ops: ${what} is an error`, () =>
    leavesNothingAsync(async () => {
      const model = await tf.loadTFLiteModel(file);
      assert.throws(
        () => tf.tidy(() => model.predict(tf.ones([2, 3]))),
        (error) => message.test(error.message) && error.message.includes('(in the node "y'),
      );
      model.dispose();
    }));
}

for (const [what, file, message] of [
  [
    'a function of an op that is none',
    windowFile({}, 41),
    /node 0 \(STABLEHLO_REDUCE_WINDOW version 1\): .* is SUB vers/,
  ],
  ['a function that is not there', windowFile({ subgraph: 2 }), /node 0 \(STABLEHLO_REDUCE_W.*calls subgraph 2 of 2/],
  ['a negative function', windowFile({ subgraph: -1 }), /node 0 \(STABLEHLO_REDUCE_W.*calls subgraph -1 of 2/],
  [
    'a case without branches',
    caseFile([]),
    /node 0 \(STABLEHLO_CASE version 1\): it has 3 inputs, 1 outputs and 0 branch/,
  ],
  ['a branch that is not there', caseFile([1, 4]), /node 0 \(STABLEHLO_CASE version 1\): it calls subgraph 4 of 4/],
  ['a branch of other inputs', caseFile([1, 0]), /node 0 \(STABLEHLO_CASE version 1\): subgraph 0 has 3 inputs/],
]) {
  test(`STABLEHLO ops: ${what} is an error of loading`, () =>
    leavesNothingAsync(async () => {
      await assert.rejects(tf.loadTFLiteModel(file), message);
    }));
}
