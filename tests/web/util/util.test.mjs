import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';

const { util } = tf;

test('shapes', () => {
  assert.equal(util.sizeFromShape([2, 3, 4]), 24);
  assert.equal(util.sizeFromShape([]), 1);
  assert.deepEqual(util.computeStrides([2, 3, 4]), [12, 4]);
  assert.deepEqual(util.parseAxisParam(-1, [2, 3]), [1]);
  assert.deepEqual(util.parseAxisParam(undefined, [2, 3]), [0, 1]);
  assert.throws(() => util.parseAxisParam(2, [2, 3]), {
    message: 'All values in axis param must be in range [-2, 2) but got axis 2',
  });
  assert.deepEqual(util.squeezeShape([1, 2, 1, 3]), { newShape: [2, 3], keptDims: [1, 3] });
  assert.deepEqual(util.squeezeShape([1, 2, 1, 3], [0]), { newShape: [2, 1, 3], keptDims: [1, 2, 3] });
  assert.deepEqual(util.inferFromImplicitShape([2, -1], 6), [2, 3]);
  assert.throws(() => util.inferFromImplicitShape([-1, 4], 6), /can't be a fractional number. Got 6 \/ 4/);
  assert.equal(util.locToIndex([1, 2], 2, [3]), 5);
  assert.deepEqual(util.indexToLoc(5, 2, [3]), [1, 2]);
});

test('values', () => {
  assert.deepEqual(util.flatten([[1, [2]], [[[3]]]]), [1, 2, 3]);
  assert.equal(util.inferDtype([[true]]), 'bool');
  assert.equal(util.inferDtype(new Uint8Array(1)), 'int32');
  assert.deepEqual(util.toTypedArray([1.5, 2], 'int32'), new Int32Array([1, 2]));
  assert.deepEqual(util.toNestedArray([2, 1], [1, 2]), [[1], [2]]);
  assert.ok(util.isTypedArray(new Int32Array(1)) && !util.isTypedArray([1]));
  assert.equal(util.bytesPerElement('bool'), 1);
  assert.ok(util.hasEncodingLoss('float32', 'int32') && !util.hasEncodingLoss('bool', 'int32'));
});

test('checks', () => {
  assert.throws(() => util.assert(false, () => 'mine'), { message: 'mine' });
  assert.throws(() => util.assertShapesMatch([1], [2], 'Here:'), { message: 'Here: Shapes 1 and 2 must match' });
  assert.ok(util.arraysEqual([1, 2], new Float32Array([1, 2])) && !util.arraysEqual([1], null));
});

test('shuffling keeps the elements, and pairs together', () => {
  const order = Array.from(util.createShuffledIndices(100));
  assert.notDeepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, i) => i),
  );
  const [left, right] = [order.map(String), [...order]];
  util.shuffleCombo(left, right);
  assert.deepEqual(left, right.map(String));
  assert.throws(() => util.shuffleCombo([1], []), /Array sizes must match to be shuffled together/);
});

test('numbers', () => {
  assert.equal(util.nearestDivisor(12, 5), 6);
  assert.equal(util.nearestDivisor(7, 2), 7);
  assert.equal(util.distSquared([0, 0], [3, 4]), 25);
  assert.equal(util.decodeString(util.encodeString('ä')), 'ä');
  assert.equal(util.clamp(0, 5, 3), 3);
});

test('flatten() accepts typed arrays of any kind, and objects with numeric keys', () => {
  assert.deepEqual(util.flatten([new Int8Array([1, 2]), [3]]), [1, 2, 3]);
  assert.deepEqual(util.flatten({ 0: 1, 1: [2], '-1': 3, 2.5: 4, name: 5 }), [1, 2]);
  const [array, promise] = [new Uint8Array([1]), Promise.resolve()];
  assert.deepEqual(util.flatten([array, promise, null, 'text'], [], true), [array, promise, null, 'text']);
});

test('strings are encoded only in UTF-8', () => {
  assert.throws(() => util.encodeString('', 'latin1'), /Expected the encoding utf-8, but got latin1/);
  assert.deepEqual([...util.encodeString('h', 'utf8')], [104]);
});

test('test_util compares numbers with numbers, and text with text', () => {
  const { expectArraysEqual } = tf.test_util;
  expectArraysEqual(1, 1);
  expectArraysEqual(['a'], 'a');
  assert.throws(() => expectArraysEqual(1, 2), { message: /Arrays differ: actual\[0\] = 1, expected\[0\] = 2/ });
  assert.throws(() => expectArraysEqual([1], 1), {
    message: 'Arrays are of different type. Actual: Array. Expected: Number',
  });
});
