// Hash tables and compositions of TensorFlow Lite: ops that refer to other parts of a file.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { int32, int8, oneNode, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kCodes = { callOnce: 129, table: 136, find: 137, import: 138, size: 139, composite: 206, add: 0, relu: 19 };
const kTypes = { int64: int8(4), string: int8(5), float32: int8(0) };
const kWords = ['one', 'zwei', 'drei €', ''];
const kNumbers = [7, -3, 12, 0];

const makeTable = (keys, values, output) => ({
  code: kCodes.table,
  inputs: [],
  outputs: [output],
  type: 1,
  options: [int32(5), kTypes[keys], kTypes[values]],
});

/** Returns the bytes of a model that finds the values of keys, and the size of its table, which it imports once. */
function tableFile({ keyType, valueType, keys, values, fallback, times = 1, asConstants = true }) {
  const resource = { shape: [1], type: 'resource' };
  const contents = (list, type) => ({ shape: [list.length], type, ...(asConstants && { values: list }) });
  return tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'keys', shape: [2, 2], type: keyType },
          { name: 'fallback', shape: [1], type: valueType, values: [fallback] },
          { name: 'table', ...resource },
          { name: 'found', shape: [2, 2], type: valueType },
          { name: 'size', shape: [1], type: 'int64' },
        ],
        inputs: [0],
        outputs: [3, 4],
        operators: [
          makeTable(keyType, valueType, 2),
          { code: kCodes.callOnce, inputs: [], outputs: [], type: 1, options: [int32(1)] },
          { code: kCodes.find, inputs: [2, 0, 1], outputs: [3] },
          { code: kCodes.size, inputs: [2], outputs: [4] },
        ],
      },
      {
        name: 'init',
        tensors: [resource, contents(keys, keyType), contents(values, valueType)],
        inputs: [],
        outputs: [],
        operators: [
          makeTable(keyType, valueType, 0),
          ...new Array(times).fill({ code: kCodes.import, inputs: [0, 1, 2], outputs: [] }),
        ],
      },
    ],
  });
}

function find(model, keys, dtype) {
  return tf.tidy(() => model.predict(tf.tensor(keys, [2, 2], dtype)).map((result) => Array.from(result.dataSync())));
}

test('a hash table finds strings by integers', () =>
  leavesNothingAsync(async () => {
    const file = tableFile({ keyType: 'int64', valueType: 'string', keys: kNumbers, values: kWords, fallback: '?' });
    const model = await tf.loadTFLiteModel(file);
    for (let i = 0; i < 2; ++i) {
      assert.deepEqual(find(model, [12, 7, 5, 0], 'int32'), [['drei €', 'one', '?', ''], [4]]);
    }
    model.dispose();
  }));

test('a hash table finds integers by strings; of equal keys the first one counts, and so does the first import', () =>
  leavesNothingAsync(async () => {
    const keys = [...kWords, 'one'];
    const file = tableFile({
      keyType: 'string',
      valueType: 'int64',
      keys,
      values: [...kNumbers, 99],
      fallback: -1,
      times: 2,
    });
    const model = await tf.loadTFLiteModel(file);
    assert.deepEqual(find(model, ['', 'one', 'two', 'drei €'], 'string'), [[0, 7, -1, 12], [4]]);
    // Each model has a table of its own.
    const other = await tf.loadTFLiteModel(
      tableFile({ keyType: 'string', valueType: 'int64', keys: ['two'], values: [2], fallback: -1 }),
    );
    assert.deepEqual(find(other, ['', 'one', 'two', 'drei €'], 'string'), [[-1, -1, 2, -1], [1]]);
    assert.deepEqual(find(model, ['', 'one', 'two', 'drei €'], 'string'), [[0, 7, -1, 12], [4]]);
    other.dispose();
    model.dispose();
  }));

for (const [what, change, message] of [
  ['types', { valueType: 'float32', values: [1, 2, 3, 4], fallback: 0 }, /hash tables from string to float32 are not/],
  ['more keys than values', { values: [1, 2] }, /there are 4 keys and 2 values/],
  ['keys that are computed', { asConstants: false }, /its keys are not constants/],
  ['integers beyond 32 bits', { values: [1, 2, 3, 2 ** 40] }, /the hash table has an integer beyond 32 bits/],
]) {
  test(`a hash table refuses ${what}`, () =>
    leavesNothingAsync(() =>
      assert.rejects(
        tf.loadTFLiteModel(
          tableFile({ keyType: 'string', valueType: 'int64', keys: kWords, values: kNumbers, fallback: 0, ...change }),
        ),
        (error) => message.test(error.message) && /node \d \((CALL_ONCE|HASHTABLE)/.test(error.message),
      ),
    ));
}

/** Returns the bytes of a model of one STABLEHLO_COMPOSITE, of two compositions of each other if it `isRecursive`. */
function compositeFile(subgraph, isRecursive = false) {
  const x = (name) => ({ name, shape: [3] });
  const composite = (inputs, outputs) => ({
    code: kCodes.composite,
    inputs,
    outputs,
    type: 21,
    options: [undefined, int32(subgraph)],
    isInSecondUnion: true,
  });
  const body = [
    { code: kCodes.add, inputs: [0, 1], outputs: [2] },
    isRecursive ? composite([2, 1], [3, 2]) : { code: kCodes.relu, inputs: [2], outputs: [3] },
  ];
  return tfliteFile({
    graphs: [
      {
        tensors: [x('a'), x('b'), x('y'), x('z')],
        inputs: [0, 1],
        outputs: [2, 3],
        operators: [composite([0, 1], [2, 3])],
      },
      {
        name: 'body',
        tensors: [x('a'), x('b'), x('sum'), x('relu')],
        inputs: [0, 1],
        outputs: [3, 2],
        operators: body,
      },
    ],
  });
}

test('STABLEHLO_COMPOSITE runs its decomposition', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(compositeFile(1));
    const found = tf.tidy(() =>
      model.predict([tf.tensor([1, -2, 3]), tf.tensor([1, 1, -5])]).map((y) => Array.from(y.dataSync())),
    );
    assert.deepEqual(found, [
      [2, 0, 0],
      [2, -1, -2],
    ]);
    model.dispose();
  }));

test('STABLEHLO_COMPOSITE refuses a subgraph that is not there, and one that calls itself', () =>
  leavesNothingAsync(async () => {
    await assert.rejects(
      tf.loadTFLiteModel(compositeFile(2)),
      /node 0 \(STABLEHLO_COMPOSITE version 1\): it calls subgraph 2 of 2/,
    );
    const model = await tf.loadTFLiteModel(compositeFile(1, true));
    assert.throws(
      () => tf.tidy(() => model.predict([tf.zeros([3]), tf.zeros([3])])),
      /functions call one another too deep/,
    );
    model.dispose();
  }));

test('HASHTABLE_LOOKUP finds rows by keys', () =>
  leavesNothingAsync(async () => {
    const node = (rows) => ({
      code: 10,
      inputs: [
        { shape: [4], type: 'int32' },
        { shape: [3], type: 'int32', values: [-7, 2, 9], isConstant: true },
        { ...rows, isConstant: true },
      ],
      outputs: [
        { shape: [4, ...rows.shape.slice(1)], type: rows.type },
        { shape: [4], type: 'uint8' },
      ],
    });
    for (const [rows, want] of [
      [{ shape: [3, 2], values: [1, 2, 3, 4, 5, 6] }, [5, 6, 0, 0, 1, 2, 3, 4]],
      [{ shape: [3], type: 'string', values: ['a', 'b', 'c'] }, ['c', '', 'a', 'b']],
    ]) {
      const model = await tf.loadTFLiteModel(oneNode(node(rows)));
      const [found, hits] = tf.tidy(() =>
        model.predict(tf.tensor([9, 3, -7, 2], [4], 'int32')).map((one) => Array.from(one.dataSync())),
      );
      assert.deepEqual([found, hits], [want, [1, 0, 1, 1]]);
      model.dispose();
    }
    const short = await tf.loadTFLiteModel(oneNode(node({ shape: [2], values: [1, 2] })));
    assert.throws(
      () => tf.tidy(() => short.predict(tf.tensor([9], [1], 'int32'))),
      /shape|rows of \[2\] do not fit 3 keys/,
    );
    short.dispose();
  }));
