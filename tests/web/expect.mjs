// What the tests of the package share.
import assert from 'node:assert/strict';
import * as tf from '../../dist/index.js';

export { assert, tf };

/** Shape, type and values of a tensor; numbers may differ by `tolerance`, of 1 or of themselves. */
export function assertTensor(actual, shape, values, dtype = 'float32', tolerance = 1e-5) {
  assert.equal(actual.dtype, dtype);
  assert.deepEqual(actual.shape, shape);
  assertClose(Array.from(actual.dataSync()), values.map(Number), tolerance);
}

export function assertClose(actual, expected, tolerance = 1e-5) {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    const want = expected[i];
    const isClose = Object.is(value, want) || Math.abs(value - want) <= tolerance * Math.max(1, Math.abs(want));
    assert.ok(isClose, `element ${i}: ${value} is not ${want}, in [${actual}]`);
  });
}

/** Runs `body`, and checks that it leaves as many tensors, bytes and open scopes as there were. */
export function leavesNothing(body) {
  const before = counts();
  const result = body();
  assert.deepEqual(counts(), before);
  return result;
}

export async function leavesNothingAsync(body) {
  const before = counts();
  await body();
  assert.deepEqual(counts(), before);
}

function counts() {
  const { numTensors, numDataBuffers, numBytes, detail } = tf.memory();
  return { numTensors, numDataBuffers, numBytes, scopes: detail.scopes };
}
