// Helpers that the package's tests share.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import * as tf from '../../dist/index.js';
import { held, isClose } from './common.mjs';

export { pause } from './common.mjs';
export { assert, tf };

/** The examples' model. */
export const iris = fileURLToPath(new URL('../../examples/iris/model.json', import.meta.url));

/** Checks a tensor's shape, dtype and values; numbers may differ by `tolerance`, absolute below 1 and relative above. */
export function assertTensor(actual, shape, values, dtype = 'float32', tolerance = 1e-5) {
  assert.equal(actual.dtype, dtype);
  assert.deepEqual(actual.shape, shape);
  assertClose(Array.from(actual.dataSync()), values.map(Number), tolerance);
}

export function assertClose(actual, expected, tolerance = 1e-5) {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    const want = expected[i];
    // Formatting all elements takes longer than most tests, so only on failure.
    if (!isClose(value, want, tolerance)) assert.fail(`element ${i}: ${value} is not ${want}, in [${actual}]`);
  });
}

/** True if the tests run on a debug build, whose messages are longer. */
export const isDebug = tf.debug.enabled;

/**
 * Returns a validator for assert.throws: an error with this name and message, or part of one, without the lines that a debug
 * build adds.
 */
export function says(name, message) {
  return (error) => {
    assert.equal(error.name, name);
    const told = error.message
      .replace(/Tensor (#\d+ \S+) made by .*? was disposed by \S+ at \S+/g, '$1')
      .replace(/ from \w+ at \S+:\d+:\d+/g, '');
    if (typeof message === 'string') assert.equal(told, message);
    else assert.match(told, message);
    return true;
  };
}

/** Runs `body`, and checks that it leaves the number of tensors, open scopes and bytes in use unchanged. */
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
