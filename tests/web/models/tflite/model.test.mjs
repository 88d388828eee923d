// Models of .tflite files: those that the tests write themselves, and those of MLPerf Tiny.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../../../cpp/toolchain/use.mjs';
import * as tf from '../../../../dist/index.js';
import { randomFloats } from '../../../bench/random.mjs';
import { computeInIntegers } from '../../../tflite/integer_reference.mjs';
import { int32, int8, oneNode, text, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kNeg = 59;
const kRelu = 19;
const negated = () => oneNode({ code: kNeg, inputs: [{ shape: [1, 2] }], outputs: [{ shape: [1, 2] }] });
const small = () =>
  oneNode({
    code: 9,
    inputs: [
      { shape: [1, 2] },
      { shape: [2, 2], values: [1, 2, -1, -2], isConstant: true, name: 'w' },
      { shape: [2], values: [0.5, 0], isConstant: true, name: 'b' },
    ],
    outputs: [{ shape: [1, 2], name: 'y' }],
    type: 8,
    options: [int8(1), int8(0)],
  });

test('a TensorFlow Lite model predicts, and frees its weights', () =>
  leavesNothingAsync(async () => {
    const fractions = [];
    const model = await tf.loadTFLiteModel(small(), { onProgress: (fraction) => fractions.push(fraction) });
    assert.ok(model instanceof tf.GraphModel && model instanceof tf.TFLiteModel);
    assert.deepEqual(model.inputs, [{ name: 'x0', shape: [1, 2], dtype: 'float32', type: 'float32' }]);
    assert.deepEqual(model.outputs, [{ name: 'y', shape: [1, 2], dtype: 'float32', type: 'float32' }]);
    assert.deepEqual(Object.keys(model.weights).sort(), ['b', 'w']);
    assert.deepEqual([model.inputNodes, model.outputNodes, model.signatures], [['x0'], ['y'], []]);
    const x = tf.tensor([[1, 1]]);
    tf.tidy(() => {
      assert.deepEqual(model.predict(x).arraySync(), [[3.5, 0]]);
      assert.deepEqual(model.execute({ x0: x }, 'y').arraySync(), [[3.5, 0]]);
    });
    const y = await model.executeAsync({ x0: x }, ['y']);
    assert.deepEqual(y.arraySync(), [[3.5, 0]]);
    assert.throws(() => model.execute({ x0: x }, 'z'), /'z' is not found/);
    await assert.rejects(model.save('localstorage://x'), /cannot be saved/);
    tf.dispose([x, y]);
    model.dispose();
    assert.throws(() => model.predict(x), /disposed/);
  }));

test('a TensorFlow Lite model is planned for a batch of one when it is loaded', () =>
  leavesNothingAsync(async () => {
    const product = (x, y) => ({ code: 9, inputs: [x, 1], outputs: [y], type: 8, options: [int8(0), int8(0)] });
    const file = (extents) =>
      tfliteFile({
        graphs: [
          {
            tensors: [
              { name: 'x', shape: extents.map((extent) => Math.max(extent, 1)), signature: extents },
              { name: 'w', shape: [2, 2], values: [1, 2, -1, -2], isConstant: true },
              { name: 'z', shape: [1, 2] },
              { name: 'y', shape: [1, 2] },
            ],
            inputs: [0],
            outputs: [3],
            operators: [product(0, 2), product(2, 3)],
          },
        ],
      });
    tf.trim();
    const { scratch } = tf.memory().detail;
    const model = await tf.loadTFLiteModel(file([-1, 2]));
    const loaded = tf.memory().detail.scratch;
    assert.ok(loaded > scratch);
    for (const rows of [1, 3]) {
      const x = tf.ones([rows, 2]);
      assert.deepEqual(
        tf.tidy(() => model.predict(x).arraySync()),
        Array(rows).fill([-3, 3]),
      );
      assert.equal(tf.memory().detail.scratch > loaded, rows > 1);
      x.dispose();
    }
    model.dispose();
  }));

test('a TensorFlow Lite model comes from a path, a handler, or fetch()', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tflite-'));
  try {
    const file = path.join(folder, 'small.tflite');
    writeFileSync(file, negated());
    const fetchFunc = async () => new Response(negated());
    for (const [source, options] of [
      [file, {}],
      [{ load: () => negated() }],
      [{ load: async () => negated().slice().buffer }],
      ['https://example.com/small.tflite', { fetchFunc }],
    ]) {
      await leavesNothingAsync(async () => {
        const model = await tf.loadTFLiteModel(source, options);
        tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([[1, -2]])).arraySync(), [[-1, 2]]));
        model.dispose();
      });
    }
    await assert.rejects(tf.loadTFLiteModel(path.join(folder, 'gone.tflite')), /gone\.tflite/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files that are no TensorFlow Lite models, or cut short, are refused and leave nothing', () =>
  leavesNothingAsync(async () => {
    const file = small();
    await assert.rejects(tf.loadTFLiteModel(new Uint8Array(0)), /not a TensorFlow Lite model: byte 4/);
    await assert.rejects(tf.loadTFLiteModel(new TextEncoder().encode('{"node": []}')), /identifier "TFL3"/);
    for (let length = 1; length < file.length; length += 3) {
      await tf.loadTFLiteModel(file.subarray(0, length)).then(
        (model) => model.dispose(),
        (error) => assert.ok(error instanceof Error && error.message.length > 0),
      );
    }
  }));

test('errors of a file begin with its address, once', () =>
  leavesNothingAsync(async () => {
    const url = 'https://example.com/model.tflite';
    const node = { code: 29, version: 3, inputs: [{ shape: [1] }], outputs: [{ shape: [1] }] };
    for (const [bytes, message] of [
      [oneNode(node), 'node 0 (CONCAT_EMBEDDINGS version 3): the op is not supported'],
      [
        new TextEncoder().encode('<!doctype html>'),
        /^Error: https:\/\/example\.com\/model\.tflite: the file is not a TensorFlow Lite model: /,
      ],
    ]) {
      const fetchFunc = async () => new Response(bytes.slice());
      await assert.rejects(
        tf.loadTFLiteModel(url, { fetchFunc }),
        typeof message === 'string' ? { message: `${url}: ${message}` } : message,
      );
    }
    const fetchFunc = async () => new Response('', { status: 404 });
    await assert.rejects(tf.loadTFLiteModel(url, { fetchFunc }), {
      message: `Request to ${url} failed with status code 404.`,
    });
  }));

test('an op that is not supported is named with its node and version when the model is loaded', () =>
  leavesNothingAsync(async () => {
    const node = { code: 29, version: 3, inputs: [{ shape: [1] }], outputs: [{ shape: [1] }] };
    await assert.rejects(
      tf.loadTFLiteModel(oneNode(node)),
      /node 0 \(CONCAT_EMBEDDINGS version 3\): the op is not supported/,
    );
    const custom = { custom: 'Secret', inputs: [{ shape: [1] }], outputs: [{ shape: [1] }] };
    await assert.rejects(tf.loadTFLiteModel(oneNode(custom)), /node 0 \(custom op "Secret"\).*registerOp\(\)/);
  }));

test('a custom op runs the function that registerOp() has added, with the bytes of its options', () =>
  leavesNothingAsync(async () => {
    const given = [];
    tf.registerOp('Scale', ({ inputs: [x], attrs }) => {
      given.push(attrs.custom_options);
      return tf.mul(x, attrs.custom_options[0]);
    });
    try {
      const model = await tf.loadTFLiteModel(
        oneNode({
          custom: 'Scale',
          customOptions: Uint8Array.of(3, 255),
          inputs: [{ shape: [2] }],
          outputs: [{ shape: [2] }],
        }),
      );
      tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([1, 2])).arraySync(), [3, 6]));
      assert.deepEqual(given, [[3, 255]]);
      model.dispose();
    } finally {
      tf.deregisterOp('Scale');
    }
  }));

test('a signature names inputs and outputs', () =>
  leavesNothingAsync(async () => {
    const graph = (code) => ({
      tensors: [
        { name: 'a:0', shape: [2] },
        { name: 'b:0', shape: [2] },
      ],
      inputs: [0],
      outputs: [1],
      operators: [{ code, inputs: [0], outputs: [1] }],
    });
    const file = tfliteFile({
      graphs: [graph(kNeg), graph(kRelu)],
      signatures: [
        { key: 'negate', inputs: { x: 0 }, outputs: { y: 1 }, graph: 0 },
        { key: 'rectify', inputs: { x: 0 }, outputs: { z: 1 }, graph: 1 },
      ],
    });
    const x = tf.tensor([1, -2]);
    const plain = await tf.loadTFLiteModel(file);
    assert.deepEqual(plain.inputNodes, ['a:0']);
    assert.deepEqual(plain.signatures, [
      { key: 'negate', inputs: ['x'], outputs: ['y'] },
      { key: 'rectify', inputs: ['x'], outputs: ['z'] },
    ]);
    tf.tidy(() => {
      assert.deepEqual(plain.predict(x).arraySync(), [-1, 2]);
      assert.deepEqual(plain.execute({ x }, 'y').arraySync(), [-1, 2]);
    });
    const rectify = await tf.loadTFLiteModel(file, { signature: 'rectify' });
    assert.deepEqual([rectify.inputNodes, rectify.outputNodes], [['x'], ['z']]);
    tf.tidy(() => assert.deepEqual(rectify.predict({ x }).arraySync(), [1, 0]));
    await assert.rejects(
      tf.loadTFLiteModel(file, { signature: 'no' }),
      /no signature "no"; there are: "negate", "rectify"/,
    );
    tf.dispose(x);
    plain.dispose();
    rectify.dispose();
  }));

test('inputs and outputs of a signature have its names and the order of the graph', () =>
  leavesNothingAsync(async () => {
    const quantization = { scale: [0.5] };
    const file = tfliteFile({
      graphs: [
        {
          tensors: [
            { name: 'a:0', shape: [2], type: 'int8', quantization },
            { name: 'b:0', shape: [3] },
            { name: 'c:0', shape: [2], type: 'int8', quantization },
            { name: 'd:0', shape: [3] },
          ],
          inputs: [0, 1],
          outputs: [2, 3],
          operators: [
            { code: kRelu, inputs: [0], outputs: [2] },
            { code: kNeg, inputs: [1], outputs: [3] },
          ],
        },
      ],
      signatures: [{ key: 'both', inputs: { floats: 1, bytes: 0 }, outputs: { negated: 3, positive: 2 } }],
    });
    const model = await tf.loadTFLiteModel(file, { signature: 'both' });
    assert.deepEqual(
      [model.inputNodes, model.outputNodes],
      [
        ['bytes', 'floats'],
        ['positive', 'negated'],
      ],
    );
    for (const infos of [model.inputs, model.outputs])
      assert.deepEqual(
        infos.map(({ type, shape, quantization: { scale } = {} }) => [type, shape, scale]),
        [
          ['int8', [2], 0.5],
          ['float32', [3], undefined],
        ],
      );
    const [floats, bytes] = [tf.tensor([1, 2, 3]), tf.tensor([1, -1])];
    const results = model.predict([bytes, floats]);
    assert.deepEqual(
      results.map((each) => each.arraySync()),
      [
        [1, 0],
        [-1, -2, -3],
      ],
    );
    tf.dispose([floats, bytes, results]);
    model.dispose();
  }));

test('the variables of a model keep their values between calls until they are reset', () =>
  leavesNothingAsync(async () => {
    // A layer of one filter with a memory of two: the sum of the last two inputs.
    const model = await tf.loadTFLiteModel(
      oneNode({
        code: 27,
        inputs: [
          { shape: [1, 1] },
          { shape: [1, 1], values: [1], isConstant: true },
          { shape: [1, 2], values: [1, 1], isConstant: true },
          null,
          { shape: [1, 2], isVariable: true, name: 'state' },
        ],
        outputs: [{ shape: [1, 1] }],
        type: 6,
        options: [int32(1), int8(0)],
      }),
    );
    assert.deepEqual(model.inputNodes, ['x0']);
    const before = tf.memory().numTensors;
    const next = (value) => tf.tidy(() => model.predict(tf.tensor([[value]])).arraySync()[0][0]);
    assert.deepEqual([next(1), next(2), next(4)], [1, 3, 6]);
    assert.equal(tf.memory().numTensors, before);
    model.resetStates();
    assert.equal(next(8), 8);
    model.dispose();
  }));

test('a variable with a handle has its first value until it is assigned', () =>
  leavesNothingAsync(async () => {
    // total = total + x, from 5 on.
    const handle = (outputs) => ({ code: 142, inputs: [], outputs, type: 111, options: [undefined, text('total')] });
    const main = {
      tensors: [
        { name: 'x', shape: [2] },
        { name: 'handle', shape: [], type: 'int32' },
        { name: 'before', shape: [2] },
        { name: 'after', shape: [2] },
      ],
      inputs: [0],
      outputs: [3],
      operators: [
        { code: 129, inputs: [], outputs: [], type: 103, options: [int32(1)] },
        handle([1]),
        { code: 143, inputs: [1], outputs: [2] },
        { code: 0, inputs: [0, 2], outputs: [3], type: 11, options: [int8(0)] },
        { code: 144, inputs: [1, 3], outputs: [] },
      ],
    };
    const first = {
      tensors: [
        { name: 'handle', shape: [], type: 'int32' },
        { name: 'five', shape: [2], values: [5, 5] },
      ],
      inputs: [],
      outputs: [],
      operators: [handle([0]), { code: 144, inputs: [0, 1], outputs: [] }],
    };
    const model = await tf.loadTFLiteModel(tfliteFile({ graphs: [main, first] }));
    const next = (values) => tf.tidy(() => model.predict(tf.tensor(values)).arraySync());
    assert.deepEqual(
      [next([1, 2]), next([1, 1])],
      [
        [6, 7],
        [7, 8],
      ],
    );
    model.resetStates();
    assert.deepEqual(next([0, 1]), [5, 6]);
    model.dispose();
  }));

test('quantized inputs and outputs are real numbers, or the stored integers', () =>
  leavesNothingAsync(async () => {
    const quantization = { scale: 0.5, zeroPoint: 10 };
    const file = oneNode({
      code: kRelu,
      inputs: [{ shape: [4], type: 'int8', quantization }],
      outputs: [{ shape: [4], type: 'int8', quantization }],
    });
    const model = await tf.loadTFLiteModel(file);
    assert.deepEqual(model.inputs, [{ name: 'x0', shape: [4], dtype: 'float32', type: 'int8', quantization }]);
    tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([-3, 0.3, 2, 500])).arraySync(), [0, 0.5, 2, 58.5]));
    const stored = await tf.loadTFLiteModel(file, { quantized: true });
    assert.equal(stored.inputs[0].dtype, 'int32');
    tf.tidy(() => {
      const y = stored.predict(tf.tensor([-128, 10, 11, 127], [4], 'int32'));
      assert.equal(y.dtype, 'int32');
      assert.deepEqual(y.arraySync(), [10, 10, 11, 127]);
    });
    model.dispose();
    stored.dispose();
  }));

test('CAST converts stored integers, whatever their scale', () =>
  leavesNothingAsync(async () => {
    const quantization = { scale: 0.5, zeroPoint: 10 };
    const cast = (input, output) =>
      oneNode({ code: 53, inputs: [{ shape: [2], ...input }], outputs: [{ shape: [2], ...output }] });
    const quantized = { type: 'int8', quantization };
    const from = await tf.loadTFLiteModel(cast(quantized, {}));
    tf.tidy(() => assert.deepEqual(from.predict(tf.tensor([0, 1.5])).arraySync(), [10, 13]));
    const to = await tf.loadTFLiteModel(cast({}, quantized), { quantized: true });
    tf.tidy(() => assert.deepEqual(to.predict(tf.tensor([7, -3])).arraySync(), [7, -3]));
    from.dispose();
    to.dispose();
  }));

test('weights that are quantized for each channel are real numbers in a float model', async () => {
  const model = await tf.loadTFLiteModel(
    oneNode({
      code: 9,
      inputs: [
        { shape: [1, 2] },
        {
          shape: [2, 2],
          type: 'int8',
          values: [1, 2, 3, 4],
          isConstant: true,
          quantization: { scale: [0.5, 2], zeroPoint: [0, 0], dimension: 0 },
        },
      ],
      outputs: [{ shape: [1, 2] }],
      type: 8,
      options: [int8(0), int8(0)],
    }),
  );
  tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([[1, 1]])).arraySync(), [[1.5, 14]]));
  model.dispose();
});

test('1,000 predictions leave as many tensors and bytes as one', async () => {
  const model = await tf.loadTFLiteModel(small());
  const predict = () => tf.tidy(() => void model.predict(tf.tensor([[1, 2]])).dataSync());
  predict();
  await leavesNothingAsync(() => {
    for (let i = 0; i < 1000; ++i) predict();
  });
  model.dispose();
});

const models = path.resolve(root, process.env.TENURE_SHARED ?? '../shared', 'models_tflite');
const skip = existsSync(models) ? false : `${models} is not there: set TENURE_SHARED`;
const readShared = (name) => new Uint8Array(readFileSync(path.join(models, `${name}.tflite`)));

/** Returns the shape of a model's input, with a batch of 1. */
const shapeOf = ({ inputs: [{ shape }] }) => shape.map((extent) => Math.max(extent, 1));

for (const name of ['ad01_int8', 'kws_ref_model', 'pretrainedResnet_quant', 'str_ww_ref_model', 'vww_96_int8']) {
  test(`the int8 model ${name} computes what integers do`, { skip }, async () => {
    const file = readShared(name);
    const model = await tf.loadTFLiteModel(file, { quantized: true });
    const shape = shapeOf(model);
    const size = shape.reduce((a, b) => a * b, 1);
    for (let run = 0; run < 3; ++run) {
      const given = Int32Array.from(randomFloats(size, run + 1, -128, 128), Math.floor);
      const want = Array.from(computeInIntegers(file, given));
      const got = tf.tidy(() => Array.from(model.predict(tf.tensor(given, shape, 'int32')).dataSync()));
      assert.equal(got.indexOf(Math.max(...got)), want.indexOf(Math.max(...want)));
      // Powers of the softmax are not exact.
      const limit = name === 'ad01_int8' ? 0 : 1;
      got.forEach((value, i) => assert.ok(Math.abs(value - want[i]) <= limit, `${value} at ${i}, expected ${want[i]}`));
    }
    model.dispose();
  });
}

test('float models of MLPerf Tiny give probabilities', { skip }, async () => {
  for (const name of ['kws_ref_model_float32', 'pretrainedResnet']) {
    const model = await tf.loadTFLiteModel(readShared(name));
    const shape = shapeOf(model);
    tf.tidy(() => {
      const x = tf.tensor(
        randomFloats(
          shape.reduce((a, b) => a * b, 1),
          3,
          0,
          1,
        ),
        shape,
      );
      const y = model.predict(x).dataSync();
      assert.ok(Math.abs(y.reduce((a, b) => a + b) - 1) < 1e-5);
    });
    model.dispose();
  }
});

test('a fused tanh is applied', async () => {
  const model = await tf.loadTFLiteModel(
    oneNode({
      code: 0,
      inputs: [{ shape: [2] }, { shape: [2] }],
      outputs: [{ shape: [2] }],
      type: 11,
      options: [int8(4)],
    }),
  );
  tf.tidy(() => {
    const [a] = model.predict([tf.tensor([1, 2]), tf.tensor([0, 1])]).dataSync();
    assert.ok(Math.abs(a - Math.tanh(1)) < 1e-6);
  });
  model.dispose();
});
