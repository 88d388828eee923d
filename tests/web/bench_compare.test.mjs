// The benchmark times only what computes the same: a result that is not must not pass its comparison.
import { test } from 'node:test';
import { difference, mismatches } from '../bench/compare.mjs';
import { assert } from './expect.mjs';

test('results differ by parts of the reference’s root mean square', () => {
  assert.equal(difference([3, 4], [3, 4]), 0);
  assert.equal(difference([3, 4.5], [3, 4]), 0.5 / Math.sqrt(12.5));
  assert.equal(difference([1, 2, 3], [1, 2]), Infinity);
});

test('what is not a number is never alike, wherever it stands', () => {
  for (const bad of [NaN, Infinity, -Infinity]) {
    for (const i of [0, 1, 2]) {
      const values = [1, 2, 3];
      values[i] = bad;
      assert.equal(difference(values, [1, 2, 3]), Infinity);
      assert.equal(difference([1, 2, 3], values), Infinity);
      assert.equal(difference(values, values), Infinity);
    }
  }
  assert.equal(difference([0, 0], [0, 0]), Infinity);
});

test('an engine is named whose results are not those of the first peer', () => {
  assert.deepEqual(mismatches({ tenure: [1, 2], a: [1, 2], b: [1, 2.0001] }), []);
  assert.deepEqual(mismatches({ tenure: [NaN, 2], a: [1, 2], b: [1, 2.1] }).map(({ name }) => name), ['tenure', 'b']);
  assert.deepEqual(mismatches({ tenure: [1, 2], a: [NaN, 2], b: [1, 2] }).map(({ name }) => name), ['tenure', 'a', 'b']);
});
