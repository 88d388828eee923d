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
    // Only then, as all elements in words take longer than most tests.
    if (!isClose(value, want, tolerance)) assert.fail(`element ${i}: ${value} is not ${want}, in [${actual}]`);
  });
}

/** Whether the tests run on a debug build, which says more. */
export const isDebug = tf.debug.enabled;

/** For assert.throws: an error of a name and a message, or part of one, apart from the lines that a debug build adds. */
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
