// LSH_PROJECTION and SKIP_GRAM of TensorFlow Lite. Results are those of the tests of LiteRT's kernels.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { int32, int8, oneNode } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kSentence = 'The quick\t brown fox\n jumps over\n the lazy dog!';
const kWords = ['The', 'quick', 'brown', 'fox', 'jumps', 'over', 'the', 'lazy', 'dog!'];

const grams = (size, skip, takesAll) =>
  oneNode({
    code: 30,
    inputs: [{ shape: [1], type: 'string' }],
    outputs: [{ shape: [-1], type: 'string' }],
    type: 18,
    options: [int32(size), int32(skip), int8(takesAll ? 1 : 0)],
  });

async function gramsOf(text, size, skip, takesAll) {
  const model = await tf.loadTFLiteModel(grams(size, skip, takesAll));
  try {
    return tf.tidy(() => Array.from(model.predict(tf.tensor([text], [1], 'string')).dataSync()));
  } finally {
    model.dispose();
  }
}

/** Returns all runs of `size` words, each at most `skip` words behind the one before. */
const runs = (size, skip) =>
  size === 1
    ? kWords.map((word, i) => [[i], word])
    : runs(size - 1, skip).flatMap(([list, joined]) =>
        kWords.flatMap((word, i) => {
          const gap = i - list.at(-1) - 1;
          return gap >= 0 && gap <= skip ? [[[...list, i], `${joined} ${word}`]] : [];
        }),
      );
const textsOf = (list) => list.map(([, joined]) => joined);

for (const size of [1, 2, 3]) {
  for (const skip of [0, 1, 2]) {
    test(`runs of ${size} words with ${skip} left out between`, () =>
      leavesNothingAsync(async () => {
        const want = textsOf(runs(size, skip));
        assert.deepEqual((await gramsOf(kSentence, size, skip, false)).sort(), want.sort());
        const all = [1, 2, 3].filter((each) => each <= size).flatMap((each) => textsOf(runs(each, skip)));
        assert.deepEqual((await gramsOf(kSentence, size, skip, true)).sort(), all.sort());
      }));
  }
}

test('runs of words of short texts and of white space', () =>
  leavesNothingAsync(async () => {
    assert.deepEqual(await gramsOf('Hi', 1, 1, false), ['Hi']);
    assert.deepEqual(await gramsOf('Hi hi', 3, 1, true), []);
    assert.deepEqual(await gramsOf('', 1, 1, false), []);
    assert.deepEqual(await gramsOf('    ', 1, 1, false), []);
    assert.deepEqual(await gramsOf('   Hello   world    !  ', 1, 1, false), ['Hello', 'world', '!']);
    // LiteRT's kernel looks for white space from the second character on.
    assert.deepEqual(await gramsOf(' Hello world', 1, 1, false), ['world']);
    assert.deepEqual(await gramsOf(' Hi', 1, 1, false), [' Hi']);
    assert.deepEqual(await gramsOf(' ', 1, 1, false), [' ']);
  }));

test('runs of words are in the order of LiteRT', () =>
  leavesNothingAsync(async () => {
    assert.deepEqual(await gramsOf('a b c', 2, 1, true), ['a b', 'a c', 'a', 'b c', 'b', 'c']);
  }));

test('runs of words that are too many are an error', () =>
  leavesNothingAsync(async () => {
    const text = 'a '.repeat(60);
    await assert.rejects(gramsOf(text, 60, 60, false), /it has more than 4194304 runs of words \(in the node "y0"/);
    await assert.rejects(gramsOf(text, 30, 60, true), /more than \d+ (?:runs of words|bytes)/);
    await assert.rejects(gramsOf(text, 0, 0, false), /its ngram_size is 0/);
    await assert.rejects(gramsOf(text, 1, -1, false), /its max_skip_size is -1/);
  }));

const kSeeds = [0.123, 0.456, -0.321, 1.234, 5.678, -4.321];
const kNumbers = [12345, 54321, 67890, 9876, -12345678];
const kBlocks = [
  1234, 2345, 3456, 1234, 4567, 5678, 6789, 4567, 7891, 8912, 9123, 7890, -987, -876, -765, -987, -543, -432, -321,
  -543,
];
const kSparse = 1;
const kDense = 2;

async function project(type, values, shape, weights, elements = 'int32', isConstant = false) {
  const outputs = [{ shape: [type === kDense ? 6 : 3], type: 'int32' }];
  const inputs = [
    { shape: [3, 2], values: kSeeds, isConstant: true },
    { shape, type: elements, ...(isConstant && { values, isConstant }) },
    ...(weights ? [{ shape: [weights.length], values: weights, isConstant: true }] : []),
  ];
  const model = await tf.loadTFLiteModel(oneNode({ code: 15, inputs, outputs, type: 4, options: [int8(type)] }));
  try {
    const dtype = elements === 'float32' ? 'float32' : 'int32';
    return tf.tidy(() => Array.from(model.predict(isConstant ? [] : tf.tensor(values, shape, dtype)).dataSync()));
  } finally {
    model.dispose();
  }
}

test('projections of integers to bits', () =>
  leavesNothingAsync(async () => {
    assert.deepEqual(await project(kDense, kNumbers, [5], [1, 1, 1, 1, 1]), [0, 0, 0, 1, 0, 0]);
    assert.deepEqual(await project(kSparse, kNumbers, [5]), [0, 4 + 1, 8]);
    assert.deepEqual(await project(kSparse, kBlocks, [5, 2, 2], [0.12, 0.34, 0.56, 0.67, 0.78]), [2, 4 + 1, 8 + 1]);
  }));

test('projections hash the bytes of the type of the file', () =>
  leavesNothingAsync(async () => {
    // The bytes of these floats are those of the integers.
    const floats = Array.from(new Float32Array(Int32Array.from(kBlocks.slice(0, 12)).buffer));
    const want = await project(kDense, kBlocks.slice(0, 12), [12]);
    assert.deepEqual(await project(kDense, floats, [12], undefined, 'float32'), want);
    // An int64 has the bytes of two integers.
    const pairs = kNumbers.flatMap((value) => [value, value < 0 ? -1 : 0]);
    const wide = await project(kDense, kNumbers, [5], undefined, 'int64');
    assert.deepEqual(wide, await project(kDense, pairs, [5, 2]));
  }));

test('projections of 64-bit constants', () =>
  leavesNothingAsync(async () => {
    const ends = [2 ** 31 - 1, -(2 ** 31), 0, 1, -1];
    const want = await project(kDense, ends, [5], undefined, 'int64');
    assert.deepEqual(await project(kDense, ends, [5], undefined, 'int64', true), want);
    for (const value of [2 ** 31, -(2 ** 31) - 1, 2 ** 40]) {
      await assert.rejects(
        project(kDense, [0, value, 0, 0, 0], [5], undefined, 'int64', true),
        new RegExp(`the constant "x1": its value ${value} is beyond 32 bits`),
      );
    }
  }));

test('projections of invalid inputs are errors', () =>
  leavesNothingAsync(async () => {
    await assert.rejects(project(0, kNumbers, [5]), /its type is number 0; 1 is SPARSE and 2 is DENSE/);
    await assert.rejects(project(kSparse, kNumbers, [5], [1, 2]), /weights of \[2\] do not fit values of \[5\]/);
    await assert.rejects(project(kSparse, [1], []), /values of \[\] are not supported/);
  }));
