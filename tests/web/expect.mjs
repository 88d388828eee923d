// What the tests of the package share.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import * as tf from '../../dist/index.js';
import { held, isClose } from './common.mjs';

export { pause } from './common.mjs';
export { assert, tf };

/** The model of the examples. */
export const iris = fileURLToPath(new URL('../../examples/iris/model.json', import.meta.url));

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
    assert.ok(isClose(value, want, tolerance), `element ${i}: ${value} is not ${want}, in [${actual}]`);
  });
}

/** Runs `body`, and checks that it leaves as many tensors, open scopes and bytes in use as there were. */
export function leavesNothing(body) {
  const before = held(tf);
  const result = body();
  assert.deepEqual(held(tf), before);
  return result;
}

export async function leavesNothingAsync(body) {
  const before = held(tf);
  await body();
  assert.deepEqual(held(tf), before);
}
