// DILATE, REDUCE_WINDOW, EMBEDDING_LOOKUP_SPARSE and BITCAST of TensorFlow Lite with invalid inputs: errors that name the node.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { int32, oneNode } from '../../../tflite/writer.mjs';

const x = (shape, type = 'float32') => ({ shape, type });
const constant = (values, type = 'int32', shape = [values.length]) => ({ shape, type, values, isConstant: true });
const number = constant([0], 'float32', []);
const dilate = (dilations) => ({ code: 203, inputs: [x([2, 3]), constant(dilations), number], outputs: [x([3, 3])] });
const reduce = (window, strides = [1, 1], dilations = [1, 1], reduction = 1) => ({
  code: 205,
  inputs: [x([2, 3]), number, constant(window), constant(strides), constant(dilations)],
  outputs: [x([2, 3])],
  type: 20,
  options: [int32(reduction)],
  isInSecondUnion: true,
});
const lookUp = (ids, indices, dense, weights = [1, 1]) => ({
  code: 33,
  inputs: [constant(ids), constant(indices, 'int32', [2, 2]), constant(dense), constant(weights, 'float32'), x([2, 3])],
  outputs: [x([2, 3])],
});
const bits = (from, to, shape) => ({ code: 159, inputs: [x(shape, from)], outputs: [x(shape, to)] });

for (const [what, node, message] of [
  ['a dilation of 0', dilate([1, 0]), /its dilation along axis 1 is 0/],
  ['a huge dilation', dilate([2 ** 31 - 1, 1]), /the output would have the extent 4294967294/],
  ['too few dilations', dilate([2]), /expected a dilation for each axis of \[2,3\], got 1/],
  ['a window of 0', reduce([0, 1]), /along axis 0 it has a window of 0, the stride 1 and the dilation 1/],
  ['a negative stride', reduce([1, 1], [1, -1]), /along axis 1 it has a window of 1, the stride -1/],
  ['a wide window', reduce([2, 2], [1, 1], [1, 2 ** 31 - 1]), /reaches over 2147483648 elements does not fit extent 3/],
  ['too few windows', reduce([1]), /windows of 1, strides of 2 and dilations of 2 extents do not fit \[2,3\]/],
  ['an unknown function', reduce([2, 2], [1, 1], [1, 1], 9), /its function is number 9/],
  ['a row beyond the table', lookUp([0, 2], [0, 0, 1, 0], [2, 1]), /it reads row 2 of 2/],
  ['a negative row', lookUp([0, -1], [0, 0, 1, 0], [2, 1]), /it reads row -1 of 2/],
  ['an index beyond the shape', lookUp([0, 1], [0, 0, 2, 0], [2, 1]), /index 2 is beyond extent 2/],
  [
    'too few weights',
    lookUp([0, 1], [0, 0, 1, 0], [2, 1], [1]),
    /2 numbers, indices of \[2,2\], 1 weights and a table/,
  ],
  ['a huge shape', lookUp([0, 1], [0, 0, 1, 0], [2 ** 31 - 1, 1]), /shape|memory|elements/],
  ['bytes that are no integers', bits('uint8', 'int32', [2, 3]), /expected a last extent of 4, got \[2,3\]/],
  ['bits of float16', bits('float16', 'int16', [2, 3]), /bits of the type float16 are not supported/],
]) {
  test(`${what} is an error`, async () => {
    const before = tf.memory();
    const model = await tf.loadTFLiteModel(oneNode(node));
    assert.throws(
      () => tf.tidy(() => model.predict(tf.ones([2, 3], model.inputs[0].dtype))),
      (error) => message.test(error.message) && error.message.includes('(in the node "y0"'),
    );
    model.dispose();
    const { numTensors, numBytes } = tf.memory();
    assert.deepEqual({ numTensors, numBytes }, { numTensors: before.numTensors, numBytes: before.numBytes });
  });
}
