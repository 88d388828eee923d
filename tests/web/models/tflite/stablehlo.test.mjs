// STABLEHLO_GATHER, SCATTER, REDUCE_WINDOW, RNG_BIT_GENERATOR and CASE of TensorFlow Lite.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import {
  bitsFile,
  caseFile,
  randomBits,
  reduceWindowFile,
  scatterFile,
  scatterOptions,
  stablehloCases,
} from '../../../tflite/stablehlo_cases.mjs';
import { int32, int64, int8, longs, oneNode, tfliteFile } from '../../../tflite/writer.mjs';
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

/** Returns the outputs of a model of random bits whose other input is 0. */
const predictBits = (model, count, ...inputs) =>
  tf.tidy(() =>
    model
      .predict([...inputs, tf.zeros([count], 'int32')])
      .map((output) => Array.from(output.dataSync(), (value) => value >>> 0)),
  );

for (const [algorithm, state, words] of [
  // The known answers of Random123.
  [1, [0n, 0n, 0n], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]],
  [1, [0n, 0n], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]],
  [1, new Array(3).fill(2n ** 64n - 1n), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]],
  [
    1,
    [0x299f31d0a4093822n, 0x85a308d3243f6a88n, 0x0370734413198a2en],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
  [2, [0n, 0n], [0x6b200159, 0x99ba4efe]],
  [2, new Array(2).fill(2n ** 64n - 1n), [0x1cb996fc, 0xbb002be7]],
  [2, [0x0370734413198a2en, 0x85a308d3243f6a88n], [0xc4923a9c, 0x483df7a0]],
])
  test(`the first bits of algorithm ${algorithm} for the state ${state}`, () =>
    leavesNothingAsync(async () => {
      for (const type of ['int32', 'uint32']) {
        const model = await tf.loadTFLiteModel(bitsFile({ state, algorithm, count: words.length, type }));
        const [first, second] = predictBits(model, words.length);
        assert.deepEqual(first, words);
        const [, next] = randomBits(state, algorithm, words.length);
        const [want] = randomBits(next, algorithm, words.length);
        assert.deepEqual(
          second,
          want.map((value) => value >>> 0),
        );
        model.dispose();
      }
    }));

test('random bits of a state that is an input, and the state after them', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(bitsFile({ state: [5n, 9n], algorithm: 1, isInput: true, hasState: true }));
    const [first, next] = randomBits([5n, 9n], 1, 7);
    const [second, last] = randomBits(next, 1, 7);
    const state = tf.tensor([5, 9], [2], 'int32');
    assert.deepEqual(
      predictBits(model, 7, state),
      [first, second, last].map((list) => list.map((value) => Number(BigInt.asUintN(32, BigInt(value))))),
    );
    state.dispose();
    const clamped = tf.tensor([2 ** 31 - 1, 0], [2], 'int32');
    assert.throws(
      () => predictBits(model, 7, clamped),
      /its state has 2147483647, to which numbers beyond 32 bits are clamped/,
    );
    clamped.dispose();
    model.dispose();
    // The last state is clamped, as integers of files are.
    const wide = await tf.loadTFLiteModel(bitsFile({ state: [2n ** 40n, 9n], algorithm: 1, hasState: true }));
    assert.deepEqual(predictBits(wide, 7)[2], [2 ** 31 - 1, 13]);
    wide.dispose();
  }));

test('random bits that cannot be computed are errors', () =>
  leavesNothingAsync(async () => {
    for (const [file, message] of [
      [bitsFile({ state: [1n], algorithm: 1 }), /expected a state of 2 or 3 numbers, got 1/],
      [bitsFile({ state: [1n, 2n, 3n], algorithm: 2 }), /expected a state of 2 numbers, got 3/],
      [bitsFile({ state: [1n, 2n], algorithm: 3 }), /its algorithm is number 3/],
    ]) {
      const model = await tf.loadTFLiteModel(file);
      assert.throws(() => predictBits(model, 7), message);
      model.dispose();
    }
    await assert.rejects(
      tf.loadTFLiteModel(bitsFile({ state: [1n, 2n], algorithm: 1, type: 'int64' })),
      /node 0 \(STABLEHLO_RNG_BIT_GENERATOR version 1\): bits of the type int64 are not supported/,
    );
    // A node that computes in 32 bits reads the next state.
    const vector = (name) => ({ name, shape: [2], type: 'uint64' });
    const reading = (state) =>
      tfliteFile({
        graphs: [
          {
            tensors: [{ ...vector('state'), values: state }, vector('x'), vector('next'), { ...bits }, vector('sum')],
            inputs: [1],
            outputs: [4],
            operators: [
              { code: 204, type: 19, isInSecondUnion: true, inputs: [0], outputs: [2, 3], options: [int8(1)] },
              { code: 0, inputs: [1, 2], outputs: [4] },
            ],
          },
        ],
      });
    const bits = { name: 'bits', shape: [4], type: 'uint32' };
    const x = tf.tensor([1, 2], [2], 'int32');
    const narrow = await tf.loadTFLiteModel(reading([3n, 4n]));
    tf.tidy(() => assert.deepEqual(narrow.predict(x).arraySync(), [4, 7]));
    const wide = await tf.loadTFLiteModel(reading([2n ** 40n, 4n]));
    assert.throws(
      () => wide.predict(x),
      /its next state has 1099511627776, which a node reads that computes in 32 bits/,
    );
    tf.dispose([x, narrow, wide]);
  }));

test('a scatter of int8 wraps around, as LiteRT does', () =>
  leavesNothingAsync(async () => {
    const options = scatterOptions({ windows: [], inserted: [0], map: [0], vectorDim: 1 });
    const quantization = { scale: 0.5, zeroPoint: 3 };
    const file = scatterFile(
      { shape: [3], starts: [2, 1], updates: [2], code: 163, type: 'int8', quantization },
      options,
    );
    const model = await tf.loadTFLiteModel(file, { quantized: true });
    tf.tidy(() => {
      const given = [
        [100, -100, 5],
        [[0], [1]],
        [100, -100],
      ].map((values) => tf.tensor(values, undefined, 'int32'));
      assert.deepEqual(model.predict(given).arraySync(), [-56, 56, 5]);
    });
    model.dispose();
  }));

const kRows = { windows: [1], inserted: [0], map: [0], vectorDim: 1 };
for (const [what, change, message] of [
  [
    'windows of another rank',
    { windows: [] },
    /0 of update_window_dims and 1 of inserted_window_dims do not fit \[2,3\]/,
  ],
  ['windows that are no axes', { windows: [2] }, /updates of \[2,3\] do not fit indices of \[2,1\]/],
  ['an axis that is not there', { map: [2] }, /its scatter_dims_to_operand_dims have axis 2 for \[2,3\]/],
  ['too many axes', { map: [0, 1] }, /coordinates of 1 axes do not fit 2 numbers of scatter_dims_to_operand_dims/],
  ['an index_vector_dim beyond the rank', { vectorDim: 3 }, /its index_vector_dim is 3/],
  ['updates that do not fit', { vectorDim: 0 }, /do not fit/],
]) {
  test(`STABLEHLO_SCATTER: ${what} is an error`, () =>
    leavesNothingAsync(async () => {
      const sizes = { shape: [2, 3], starts: [2, 1], updates: [2, 3] };
      const model = await tf.loadTFLiteModel(scatterFile(sizes, scatterOptions({ ...kRows, ...change })));
      assert.throws(
        () => tf.tidy(() => model.predict([tf.ones([2, 3]), tf.zeros([2, 1], 'int32'), tf.ones([2, 3])])),
        (error) => message.test(error.message) && error.message.includes('(in the node "y'),
      );
      model.dispose();
    }));
}

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
  [
    'a scatter with a function of an op that is none',
    scatterFile({ shape: [2], starts: [1, 1], updates: [1], code: 176 }, scatterOptions({ ...kRows, windows: [] })),
    /node 0 \(STABLEHLO_SCATTER version 1\): its function is STABLEHLO_AND version 1, which is not supported/,
  ],
  [
    'a scatter with a function that is not there',
    scatterFile({ shape: [2], starts: [1, 1], updates: [1] }, scatterOptions({ ...kRows, subgraph: 2 })),
    /node 0 \(STABLEHLO_SCATTER version 1\): it calls subgraph 2 of 2/,
  ],
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
