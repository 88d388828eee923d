// Forms of .tflite files: signatures, weights in blocks, old and rare fields, and malicious files.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { loadAndCompile, loadLiteRt, Tensor, unloadLiteRt } from '../../../../dist/litert/index.js';
import { bytes, nodes, table } from '../../../bench/flatbuffer.mjs';
import { int32, int8, ints, oneNode, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kSub = 41;
const kReshape = 22;
const kFullyConnected = 9;

/** A model of difference = a - b and its negative, whose signature lists the inputs and outputs in another order. */
const difference = () =>
  tfliteFile({
    graphs: [
      {
        tensors: ['t:a', 't:b', 't:d', 't:n'].map((name, i) => ({ name, shape: i === 1 ? [1] : [2] })),
        inputs: [0, 1],
        outputs: [2, 3],
        operators: [
          { code: kSub, inputs: [0, 1], outputs: [2], type: 28, options: [int8(0)] },
          { code: 59, inputs: [2], outputs: [3] },
        ],
      },
    ],
    signatures: [{ key: 'main', inputs: { b: 1, a: 0 }, outputs: { negative: 3, difference: 2 } }],
  });

test("the names of a signature are in the order of the graph's inputs and outputs", () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(difference(), { signature: 'main' });
    assert.deepEqual(
      [model.inputNodes, model.outputNodes],
      [
        ['a', 'b'],
        ['difference', 'negative'],
      ],
    );
    assert.deepEqual(
      model.inputs.map(({ shape }) => shape),
      [[2], [1]],
    );
    tf.tidy(() => {
      const [a, b] = [tf.tensor([5, 6]), tf.tensor([1])];
      for (const inputs of [[a, b], { b, a }]) {
        const results = model.predict(inputs);
        assert.deepEqual(
          results.map((one) => one.arraySync()),
          [
            [4, 5],
            [-4, -5],
          ],
        );
      }
      assert.deepEqual(model.execute({ a, b }, 'negative').arraySync(), [-4, -5]);
    });
    model.dispose();
  }));

test('tenure/litert names the details of inputs and outputs as the signature does', () =>
  leavesNothingAsync(async () => {
    await loadLiteRt('https://cdn.example/wasm/');
    const { fetch } = globalThis;
    let requests = 0;
    globalThis.fetch = () => (++requests, Promise.resolve(new Response(difference())));
    const model = await loadAndCompile('https://cdn.example/model.tflite', { accelerator: 'wasm' });
    globalThis.fetch = fetch;
    // The main graph is the one that the signature runs.
    assert.equal(requests, 1);
    assert.equal(model.key, 'main');
    assert.deepEqual(
      model.getInputDetails().map(({ name, shape }) => [name, [...shape]]),
      [
        ['a', [2]],
        ['b', [1]],
      ],
    );
    const results = await model.run({ b: new Tensor(Float32Array.of(1)), a: new Tensor(Float32Array.of(5, 6)) });
    assert.deepEqual(
      [[...results.difference.toTypedArray()], [...results.negative.toTypedArray()]],
      [
        [4, 5],
        [-4, -5],
      ],
    );
    model.delete();
    unloadLiteRt();
  }));

test('weights whose blocks have a scale each', () =>
  leavesNothingAsync(async () => {
    // Rows [1, 2, 3, 4] and [-1, -2, -3, -4], with a scale for each two elements.
    const file = (scales, blocks = { scales: 2, size: 2 }) =>
      tfliteFile({
        graphs: [
          {
            tensors: [
              { name: 'x', shape: [1, 4] },
              {
                name: 'w',
                shape: [2, 4],
                type: 'int4',
                values: [0x21, 0x43, 0xef, 0xcd],
                quantization: { blocks },
              },
              { name: 'scales', shape: scales, values: [1, 0.5, 2, 0.25].slice(0, scales[0] * scales[1]) },
              { name: 'y', shape: [1, 2] },
            ],
            inputs: [0],
            outputs: [3],
            operators: [{ code: kFullyConnected, inputs: [0, 1], outputs: [3], type: 8, options: [int8(0)] }],
          },
        ],
      });
    const model = await tf.loadTFLiteModel(file([2, 2]));
    tf.tidy(() => assert.deepEqual(model.predict(tf.ones([1, 4])).arraySync(), [[3 + 3.5, -6 - 1.75]]));
    model.dispose();
    await assert.rejects(tf.loadTFLiteModel(file([2, 1])), /"w": its 4 blocks have 2 scales of float32/);
    await assert.rejects(
      tf.loadTFLiteModel(file([2, 2], { scales: 2, size: 3 })),
      /blocks of 3 elements do not fit its shape \[2,4\]/,
    );
    await assert.rejects(tf.loadTFLiteModel(file([2, 2], { scales: 2, size: 0 })), /blocks of 0 elements/);
    await assert.rejects(tf.loadTFLiteModel(file([2, 2], {})), /tensor 1: its blockwise quantization has no details/);
  }));

test('a scalar has the old shape [0] in options, too', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(
      oneNode({ code: kReshape, inputs: [{ shape: [1] }], outputs: [{ shape: [] }], type: 17, options: [ints([0])] }),
    );
    tf.tidy(() => assert.deepEqual(model.predict(tf.tensor([3])).shape, []));
    model.dispose();
  }));

test('tensors of the same name are told apart', () =>
  leavesNothingAsync(async () => {
    const same = (shape) => ({ name: 'same', shape });
    const model = await tf.loadTFLiteModel(
      tfliteFile({
        graphs: [
          {
            tensors: [same([2]), same([2]), same([2])],
            inputs: [0, 1],
            outputs: [2, 2],
            operators: [{ code: kSub, inputs: [0, 1], outputs: [2], type: 28, options: [int8(0)] }],
          },
        ],
      }),
    );
    assert.equal(new Set(model.inputNodes).size, 2);
    const results = tf.tidy(() => model.predict([tf.tensor([3, 4]), tf.tensor([1, 1])]).map((y) => y.arraySync()));
    assert.deepEqual(results, [
      [2, 3],
      [2, 3],
    ]);
    model.dispose();
  }));

test('the values of a sparse tensor are not counted in 32 bits', () =>
  leavesNothingAsync(async () => {
    // 2^20 + 1 rows of 4096 values would be 2^32 + 4096.
    const count = 2 ** 20 + 1;
    const columns = 4096;
    const compressed = table(
      int8(1),
      undefined,
      int8(1),
      table(ints([0, count])),
      int8(3),
      table(bytes(new Uint8Array(count))),
    );
    const sparsity = table(ints([0, 1]), undefined, nodes([compressed, table(int8(0), int32(columns))]));
    const file = oneNode({
      code: 0,
      inputs: [
        { shape: [1, columns] },
        { shape: [1, columns], values: new Float32Array(columns), isConstant: true, sparsity },
      ],
      outputs: [{ shape: [1, columns] }],
      type: 11,
      options: [int8(0)],
    });
    await assert.rejects(tf.loadTFLiteModel(file), /"x1": its sparsity has 4294971392 values in 2 dimensions/);
  }));

test('the bytes of int64 constants are not counted in 32 bits', () =>
  leavesNothingAsync(async () => {
    // 2^29 + 1 values of 8 bytes would be 2^32 + 8. A large file may have constants that are large when they are decoded.
    const quantized = (type, rest) => ({ type, quantization: { scale: 1 }, ...rest });
    const file = tfliteFile({
      graphs: [
        {
          tensors: [
            quantized('int16', { shape: [1, 2] }),
            quantized('int8', { shape: [1, 2], values: [1, 1] }),
            { name: 'bias', shape: [2 ** 29 + 1], type: 'int64', values: [1] },
            quantized('int16', { shape: [1, 1] }),
            { name: 'unused', shape: [9 * 2 ** 20], type: 'int8', values: new Int8Array(9 * 2 ** 20) },
          ],
          inputs: [0],
          outputs: [3],
          operators: [{ code: kFullyConnected, inputs: [0, 1, 2], outputs: [3], type: 8, options: [int8(0)] }],
        },
      ],
    });
    await assert.rejects(
      tf.loadTFLiteModel(file),
      /"bias": it has 8 bytes of data, its shape \[536870913\] of int64 takes/,
    );
  }));

test('ops without a row are errors that have their name or number', () =>
  leavesNothingAsync(async () => {
    const file = (code) => oneNode({ code, inputs: [{ shape: [2] }, { shape: [2] }], outputs: [{ shape: [2] }] });
    await assert.rejects(tf.loadTFLiteModel(file(199)), /STABLEHLO_SORT version 1\): the op is not supported/);
    await assert.rejects(tf.loadTFLiteModel(file(210)), /builtin op 210 version 1\): the op is not supported/);
    // Numbers of rows that are no ops of the schema.
    for (const code of [-16, -36]) {
      await assert.rejects(tf.loadTFLiteModel(file(code)), new RegExp(`operator code 0: its builtin code is ${code}`));
    }
  }));

test('scales and zero points that quantized values cannot have are errors', () =>
  leavesNothingAsync(async () => {
    const file = (quantization, type = 'int8') => {
      const tensor = { shape: [2], type, quantization };
      return oneNode({ code: kReshape, inputs: [tensor], outputs: [tensor], type: 17, options: [ints([2])] });
    };
    for (const quantized of [false, true]) {
      for (const scale of [NaN, Infinity, -1, [1, -Infinity]])
        await assert.rejects(
          tf.loadTFLiteModel(file({ scale }), { quantized }),
          /tensor 0: one of its scales is -?\w+/,
        );
      for (const [zeroPoint, type, shown] of [
        [128, 'int8', 128],
        [-1, 'uint8', -1],
        [2 ** 40, 'int16', 2 ** 31 - 1],
        [[0, 0, -129], 'int8', -129],
      ]) {
        await assert.rejects(
          tf.loadTFLiteModel(file({ scale: 1, zeroPoint }, type), { quantized }),
          new RegExp(`tensor 0: one of its zero points is ${shown}, no value of ${type}`),
        );
      }
    }
    await assert.rejects(tf.loadTFLiteModel(file({ scale: 0 })), /where one positive number was expected/);
  }));

test('a tensor that DEQUANTIZE writes again has the later values', () =>
  leavesNothingAsync(async () => {
    const half = (name, value) => ({ name, shape: [2], type: 'float16', values: [value, value] });
    const float = (name) => ({ name, shape: [2] });
    const dequantize = (from, to) => ({ code: 6, inputs: [from], outputs: [to] });
    const add = (a, b, to) => ({ code: 0, inputs: [a, b], outputs: [to], type: 11, options: [int8(0)] });
    const [one, two] = [0x3c00, 0x4000];
    const run = async (...operators) => {
      const tensors = [half('a', one), half('b', two), ...['t', 'x', 'y', 'z'].map(float)];
      const graph = { tensors, inputs: [3], outputs: [4, 5], operators };
      const model = await tf.loadTFLiteModel(tfliteFile({ graphs: [graph] }));
      try {
        return tf.tidy(() => model.predict(tf.tensor([10, 20])).map((each) => each.arraySync()));
      } finally {
        model.dispose();
      }
    };
    assert.deepEqual(await run(dequantize(0, 2), add(3, 2, 4), dequantize(1, 2), add(3, 2, 5)), [
      [11, 21],
      [12, 22],
    ]);
    // After a node that computes the tensor.
    assert.deepEqual(await run(add(3, 3, 2), add(3, 2, 4), dequantize(1, 2), add(3, 2, 5)), [
      [30, 60],
      [12, 22],
    ]);
    // Before a node that computes the tensor.
    assert.deepEqual(await run(dequantize(0, 2), add(3, 2, 4), add(3, 3, 2), add(3, 2, 5)), [
      [11, 21],
      [30, 60],
    ]);
  }));

test('a constant without elements that DEQUANTIZE writes is no circle', () =>
  leavesNothingAsync(async () => {
    const empty = (name, type, rest) => ({ name, shape: [0], type, ...rest });
    const tensors = [
      empty('a', 'float16', { values: [] }),
      empty('t', 'float32'),
      { name: 'x', shape: [2] },
      { name: 'y', shape: [2] },
    ];
    const operators = [
      { code: 6, inputs: [0], outputs: [1] },
      { code: 6, inputs: [1], outputs: [0] },
      { code: 2, inputs: [2, 1], outputs: [3], type: 10, options: [int32(0), int8(0)] },
    ];
    const model = await tf.loadTFLiteModel(tfliteFile({ graphs: [{ tensors, inputs: [2], outputs: [3], operators }] }));
    assert.deepEqual(
      tf.tidy(() => model.predict(tf.tensor([1, 2])).arraySync()),
      [1, 2],
    );
    model.dispose();
  }));

test('constants that are named the values of one another are errors', () =>
  leavesNothingAsync(async () => {
    const half = (name) => ({ name, shape: [2], type: 'float16', values: [0, 0] });
    const file = (...operators) =>
      tfliteFile({
        graphs: [
          {
            tensors: [half('a'), half('b'), { name: 'x', shape: [2] }, { name: 'y', shape: [2] }],
            inputs: [2],
            outputs: [3],
            operators: [...operators, { code: 0, inputs: [2, 0], outputs: [3], type: 11, options: [int8(0)] }],
          },
        ],
      });
    const dequantize = (from, to) => ({ code: 6, inputs: [from], outputs: [to] });
    await assert.rejects(
      tf.loadTFLiteModel(file(dequantize(0, 0))),
      /node 0 \(DEQUANTIZE version 1\): its output is a constant/,
    );
    await assert.rejects(
      tf.loadTFLiteModel(file(dequantize(0, 1), dequantize(1, 0))),
      /node 0 \(DEQUANTIZE version 1\): its output is a constant/,
    );
  }));
