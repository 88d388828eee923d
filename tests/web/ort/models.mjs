// Models and checks of the tests of tenure/ort.
import assert from 'node:assert/strict';
import * as tf from '../../../dist/index.js';
import { onnxModel } from '../../bench/onnx.mjs';

/** Returns the bytes of a model whose output y is its input x, of any shape unless one is given. */
export function identityModel(type, shape) {
  return onnxModel({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [{ name: 'x', type, shape }],
    outputs: [{ name: 'y', type }],
  });
}

/** Returns the bytes of a model with y = Relu(x w) and s = x + x, of x of shape [batch, 2]. */
export function productModel({ constants = { w: { values: Float32Array.of(1, -1, 2, -2), shape: [2, 2] } } } = {}) {
  return onnxModel({
    nodes: [
      { op: 'MatMul', inputs: ['x', 'w'], outputs: ['product'] },
      { op: 'Relu', inputs: ['product'], outputs: ['y'] },
      { op: 'Add', inputs: ['x', 'x'], outputs: ['s'] },
    ],
    constants,
    inputs: [{ name: 'x', shape: ['batch', 2] }],
    outputs: [{ name: 'y', shape: ['batch', 2] }, { name: 's' }],
  });
}

/** Checks that a function leaves as many tensors and bytes in the engine as there were. */
export async function leavesNothing(use) {
  const before = tf.memory();
  await use();
  const { numTensors, numBytes } = tf.memory();
  assert.deepEqual({ numTensors, numBytes }, { numTensors: before.numTensors, numBytes: before.numBytes });
}
