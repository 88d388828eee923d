// Models of .onnx files that the tests write themselves.
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { onnxModel } from '../../../bench/onnx.mjs';
import { makePlainDecoder } from '../../../onnx/plain_decoder.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const small = () =>
  onnxModel({
    nodes: [
      { op: 'MatMul', inputs: ['x', 'w'], outputs: ['product'] },
      { op: 'Relu', inputs: ['product'], outputs: ['y'] },
    ],
    constants: { w: { values: Float32Array.of(1, -1, 2, -2), shape: [2, 2] } },
    input: { name: 'x', shape: [1, 2] },
    output: { name: 'y' },
  });

test('an ONNX model predicts, and frees its weights', () =>
  leavesNothingAsync(async () => {
    const fractions = [];
    const model = await tf.loadOnnxModel(small(), { onProgress: (fraction) => fractions.push(fraction) });
    assert.ok(model instanceof tf.GraphModel);
    assert.deepEqual(model.inputs, [{ name: 'x', shape: [1, 2], dtype: 'float32', type: 'float32', symbols: [] }]);
    assert.deepEqual(model.outputs, [{ name: 'y', dtype: 'float32', type: 'float32', symbols: [] }]);
    assert.deepEqual(Object.keys(model.weights), ['w']);
    const x = tf.tensor([[1, 1]]);
    tf.tidy(() => {
      assert.deepEqual(model.predict(x).arraySync(), [[3, 0]]);
      assert.deepEqual(model.execute({ x }, 'product').arraySync(), [[3, -3]]);
    });
    const [product, y] = await model.executeAsync({ x }, ['product', 'y']);
    assert.deepEqual(y.arraySync(), [[3, 0]]);
    assert.throws(() => model.execute({ x }, 'z'), /'z' is not found/);
    await assert.rejects(model.save('localstorage://x'), /cannot be saved/);
    tf.dispose([x, product, y]);
    model.dispose();
    assert.throws(() => model.predict(x), /disposed/);
  }));

test('an ONNX model comes from a path, a handler, or fetch()', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
  try {
    const file = path.join(folder, 'small.onnx');
    writeFileSync(file, small());
    const fetchFunc = async () => new Response(small());
    const fractions = [];
    for (const [source, options] of [
      [file, { onProgress: (fraction) => fractions.push(fraction) }],
      [{ load: () => small() }],
      [{ load: async () => small().buffer }],
      ['https://example.com/small.onnx', { fetchFunc }],
    ]) {
      await leavesNothingAsync(async () => {
        const model = await tf.loadOnnxModel(source, options);
        tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([[1, 0]])).arraySync(), [[1, 0]]));
        model.dispose();
      });
    }
    assert.deepEqual([fractions[0], fractions.at(-1)], [0, 1]);
    await assert.rejects(tf.loadOnnxModel(path.join(folder, 'gone.onnx')), /gone\.onnx/);
    const gone = async () => new Response('', { status: 404 });
    await assert.rejects(tf.loadOnnxModel('https://example.com/a.onnx', { fetchFunc: gone }), /a\.onnx .* 404/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files that are no ONNX models, or cut short, are refused and leave nothing', () =>
  leavesNothingAsync(async () => {
    const file = small();
    await assert.rejects(tf.loadOnnxModel(new Uint8Array(0)), /not an ONNX model: it has no graph/);
    await assert.rejects(tf.loadOnnxModel(new TextEncoder().encode('{"node": []}')), /not an ONNX model/);
    for (let length = 1; length < file.length; length += 3) {
      await tf.loadOnnxModel(file.subarray(0, length)).then(
        (model) => model.dispose(),
        (error) => assert.ok(error instanceof Error && error.message.length > 0),
      );
    }
  }));

test('free dimensions must be integers, and are named otherwise', () =>
  leavesNothingAsync(async () => {
    const file = onnxModel({
      nodes: [{ op: 'Neg', inputs: ['x'], outputs: ['y'] }],
      input: { name: 'x', shape: ['batch', 2] },
      output: { name: 'y' },
    });
    const model = await tf.loadOnnxModel(file, { freeDimensions: { batch: 3, other: 1 } });
    assert.deepEqual(model.inputs[0].shape, [3, 2]);
    model.dispose();
    for (const batch of [-1, 1.5, NaN, '3', 2 ** 31])
      await assert.rejects(
        tf.loadOnnxModel(file, { freeDimensions: { batch } }),
        /the free dimension "batch" is .+, expected an integer from 0 to 2147483647/,
      );
  }));

test('an op that is not supported is named when the model is loaded', () =>
  leavesNothingAsync(async () => {
    const file = onnxModel({
      nodes: [{ op: 'NoSuchOp', inputs: ['x'], outputs: ['y'] }],
      input: { name: 'x', shape: [1] },
      output: { name: 'y' },
    });
    await assert.rejects(
      tf.loadOnnxModel(file),
      /the node "y" \(NoSuchOp\): the op NoSuchOp of the domain "ai\.onnx", version 17, is not supported/,
    );
  }));

test('nodes that come before those whose outputs they read are sorted', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(
      onnxModel({
        nodes: [
          { op: 'Sub', inputs: ['doubled', 'x'], outputs: ['y'] },
          { op: 'Add', inputs: ['negative', 'negative'], outputs: ['doubled'] },
          { op: 'Neg', inputs: ['x'], outputs: ['negative'] },
        ],
        input: { name: 'x', shape: ['n'] },
        output: { name: 'y' },
      }),
    );
    tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([1, 2])).arraySync(), [-3, -6]));
    model.dispose();
    const cycle = onnxModel({
      nodes: [
        { op: 'Add', inputs: ['x', 'z'], outputs: ['y'] },
        { op: 'Neg', inputs: ['y'], outputs: ['z'] },
      ],
      input: { name: 'x', shape: ['n'] },
      output: { name: 'y' },
    });
    await assert.rejects(tf.loadOnnxModel(cycle), /there is no value "\w", or it depends on the node that reads it/);
  }));

test('sequences of tensors are values between nodes, and freed', () =>
  leavesNothingAsync(async () => {
    const nodes = [
      { op: 'SplitToSequence', inputs: ['x', 'sizes'], outputs: ['parts'], attributes: { axis: 0 } },
      { op: 'SequenceLength', inputs: ['parts'], outputs: ['count'] },
      { op: 'SequenceInsert', inputs: ['parts', 'x', 'start'], outputs: ['more'] },
      { op: 'SequenceErase', inputs: ['more', 'last'], outputs: ['fewer'] },
      { op: 'ConcatFromSequence', inputs: ['fewer'], outputs: ['joined'], attributes: { axis: 0 } },
      { op: 'SequenceAt', inputs: ['fewer', 'at'], outputs: ['one'] },
    ];
    const model = await tf.loadOnnxModel(
      onnxModel({
        nodes,
        constants: {
          sizes: { values: [2, 1, 2], shape: [3] },
          start: { values: [0], shape: [] },
          last: { values: [-1], shape: [] },
        },
        inputs: [
          { name: 'x', shape: ['n'] },
          { name: 'at', type: 'int64', shape: [] },
        ],
        outputs: [{ name: 'joined' }, { name: 'one' }, { name: 'count', type: 'int64' }],
      }),
    );
    const run = (values, at) => {
      const feeds = { x: tf.tensor1d(values), at: tf.scalar(at, 'int32') };
      try {
        return tf.tidy(() => model.execute(feeds, ['joined', 'one', 'count']).map((result) => result.arraySync()));
      } finally {
        tf.dispose(feeds);
      }
    };
    assert.deepEqual(run([1, 2, 3, 4, 5], -1), [[1, 2, 3, 4, 5, 1, 2, 3], [3], 3]);
    assert.deepEqual(run([1, 2, 3, 4, 5], 1), [[1, 2, 3, 4, 5, 1, 2, 3], [1, 2], 3]);
    assert.throws(
      () => run([1, 2, 3, 4, 5], 3),
      /position 3 is outside of the sequence, which has 3 tensors.*SequenceAt/,
    );
    assert.throws(() => run([1, 2, 3, 4], 0), /parts of 5 elements do not make up the 4 along axis 0.*SplitToSequence/);
    model.dispose();
  }));

test('a decoder whose cache grows computes what one run computes, and keeps nothing for each length', () =>
  leavesNothingAsync(async () => {
    const layers = 2;
    const model = await tf.loadOnnxModel(makePlainDecoder({ layers }));
    const caches = Array.from({ length: layers }, (_, i) => [`${i}.key`, `${i}.value`]).flat();
    const run = (tokens, before, past) => {
      const feeds = {
        input_ids: tf.tensor2d([tokens], undefined, 'int32'),
        attention_mask: tf.ones([1, before + tokens.length], 'int32'),
        ...Object.fromEntries(caches.map((name, i) => [`past.${name}`, past[i]])),
      };
      const results = model.execute(feeds, ['logits', ...caches.map((name) => `present.${name}`)]);
      tf.dispose(feeds);
      return results;
    };
    const none = () => caches.map(() => tf.zeros([1, 4, 0, 16]));
    const tokens = Array.from({ length: 60 }, (_, i) => (i * 7) % 50);

    const [whole, ...rest] = run(tokens, 0, none());
    const expected = whole.arraySync()[0];
    tf.dispose([whole, ...rest]);
    let past = none();
    let early;
    for (const [i, token] of tokens.entries()) {
      const [logits, ...present] = run([token], i, past);
      const difference = Math.max(...logits.arraySync()[0][0].map((value, k) => Math.abs(value - expected[i][k])));
      assert.ok(difference < 1e-4, `position ${i}: ${difference}`);
      logits.dispose();
      past = present;
      if (i === 20) early = tf.memory();
    }
    const late = tf.memory();
    assert.equal(late.numTensors, early.numTensors);
    const kept = ({ numBytes, detail }) => detail.heapUsed - detail.cpuPool - numBytes;
    const grown = kept(late) - kept(early);
    assert.ok(grown < 4096, `${grown} bytes besides the caches`);
    tf.dispose(past);
    model.dispose();
  }));
