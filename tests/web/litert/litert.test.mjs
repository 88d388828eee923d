// tenure/litert: programs written for @litertjs/core.
import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import * as tf from '../../../dist/index.js';
import * as litert from '../../../dist/litert/index.js';
import { int8, oneNode, tfliteFile } from '../../tflite/writer.mjs';

const { Tensor, loadAndCompile, loadLiteRt, unloadLiteRt } = litert;
const kAdd = 0;
const kNeg = 59;
const kFullyConnected = 9;
const kLogicalNot = 87;

const dense = () =>
  oneNode({
    code: kFullyConnected,
    inputs: [
      { shape: [1, 2] },
      { shape: [2, 2], values: [1, 2, -1, -2], isConstant: true, name: 'w' },
      { shape: [2], values: [0.5, 0], isConstant: true, name: 'b' },
    ],
    outputs: [{ shape: [1, 2], name: 'y' }],
    type: 8,
    options: [int8(1), int8(0)],
  });
const sum = (type, quantization) =>
  oneNode({
    code: kAdd,
    inputs: ['a', 'b'].map((name) => ({ shape: [2], type, name, quantization })),
    outputs: [{ shape: [2], type, name: 'c', quantization }],
    type: 11,
    options: [],
  });
/** A file with two signatures of one graph: y = -x. */
const signed = () =>
  tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'x:0', shape: [2] },
          { name: 'y:0', shape: [2] },
        ],
        operators: [{ code: kNeg, inputs: [0], outputs: [1] }],
        inputs: [0],
        outputs: [1],
      },
    ],
    signatures: ['first', 'second'].map((key) => ({
      key,
      graph: 0,
      inputs: { [`${key}_x`]: 0 },
      outputs: { [`${key}_y`]: 1 },
    })),
  });
const valuesOf = (tensors) => tensors.map((each) => [...each.toTypedArray()]);

afterEach(() => unloadLiteRt());

test('a program of its documentation runs, and leaves nothing in the engine', async () => {
  const before = tf.memory();
  await loadLiteRt('https://cdn.example/wasm/', { jspi: true });
  const model = await loadAndCompile(dense(), { accelerator: 'wasm' });
  const [details] = model.getInputDetails();
  assert.deepEqual([details.name, details.index, details.dtype, [...details.shape]], ['x0', 0, 'float32', [1, 2]]);
  const input = new Tensor(Float32Array.of(1, 1), [1, 2]);
  const results = await model.run(input);
  const result = await results[0].moveTo('wasm');
  assert.ok(results[0].deleted);
  assert.deepEqual([...result.toTypedArray()], [3.5, 0]);
  assert.deepEqual([result.type.dtype, [...result.type.layout.dimensions]], ['float32', [1, 2]]);
  assert.deepEqual([...(await model.run([input]))[0].toTypedArray()], [3.5, 0]);
  assert.deepEqual([...(await model.run({ x0: input })).y.toTypedArray()], [3.5, 0]);
  for (const each of [input, result]) each.delete();
  model.delete();
  model.delete();
  assert.ok(model.deleted);
  const { numTensors, numBytes } = tf.memory();
  assert.deepEqual([numTensors, numBytes], [before.numTensors, before.numBytes]);
});

test('a thousand runs keep no tensor and no byte', async () => {
  await loadLiteRt();
  const model = await loadAndCompile(dense());
  await model.run(new Tensor(Float32Array.of(1, 1), [1, 2]));
  const before = tf.memory();
  for (let i = 0; i < 1000; i++) await model.run(new Tensor(Float32Array.of(i, 1), [1, 2]));
  const after = tf.memory();
  assert.deepEqual([after.numTensors, after.numBytes], [before.numTensors, before.numBytes]);
});

test('runs at the same time do not meet', async () => {
  await loadLiteRt();
  const model = await loadAndCompile(dense());
  const found = await Promise.all([1, 2, 3].map((x) => model.run(new Tensor(Float32Array.of(x, 0), [1, 2]))));
  assert.deepEqual(
    found.map((each) => each[0].toTypedArray()[0]),
    [1.5, 2.5, 3.5],
  );
});

test('unloadLiteRt() frees the models, and calls before loadLiteRt() are refused', async () => {
  await assert.rejects(loadAndCompile(dense()), litert.LiteRtNotLoadedError);
  assert.throws(() => litert.getGlobalLiteRt(), litert.LiteRtNotLoadedError);
  const before = tf.memory().numTensors;
  const runtime = await loadLiteRt();
  assert.equal(litert.getGlobalLiteRt(), runtime);
  assert.equal(await litert.getGlobalLiteRtPromise(), runtime);
  await assert.rejects(loadLiteRt(), /already loaded/);
  const model = await runtime.loadAndCompile(dense());
  unloadLiteRt();
  assert.ok(model.deleted);
  assert.equal(tf.memory().numTensors, before);
  await assert.rejects(model.run([]), /The model of the given bytes is deleted/);
  await loadLiteRt();
});

test('models that are loading when the runtime is unloaded are freed', async (t) => {
  const url = 'https://example.org/model.tflite';
  const before = tf.memory().numTensors;
  for (const file of [dense, signed]) {
    let isUnloaded = false;
    t.mock.method(globalThis, 'fetch', async () => new Response(file().slice()));
    for (let turns = 0; !isUnloaded; turns++) {
      assert.ok(turns < 2000);
      await loadLiteRt();
      let wasLoaded = false;
      const loading = loadAndCompile(url);
      loading.then(
        () => (wasLoaded = true),
        () => {},
      );
      for (let i = 1; i <= turns; i++) await (i % 20 === 0 ? new Promise((done) => setImmediate(done)) : null);
      isUnloaded = wasLoaded;
      unloadLiteRt();
      const model = await loading.catch((error) => {
        assert.match(error.name, /^(?:DisposedError|LiteRtNotLoadedError)$/);
      });
      assert.ok(!model || model.deleted);
      assert.equal(tf.memory().numTensors, before);
    }
  }
  // The request ends, and what is left of a stream is not read.
  let request;
  t.mock.method(globalThis, 'fetch', (_, init) => {
    request = init;
    return new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)));
  });
  const runtime = await loadLiteRt();
  const loading = loadAndCompile(url);
  while (!request) await new Promise((done) => setImmediate(done));
  unloadLiteRt();
  await assert.rejects(loading, {
    name: 'DisposedError',
    message: `The model from ${url} was disposed while it was loaded.`,
  });
  assert.ok(request.signal.aborted);
  await assert.rejects(runtime.loadAndCompile(dense()), litert.LiteRtNotLoadedError);
});

test('errors of a file begin with its address', async (t) => {
  const url = 'https://example.org/model.tflite';
  t.mock.method(globalThis, 'fetch', async () => new Response('<!doctype html>'));
  await loadLiteRt();
  await assert.rejects(
    loadAndCompile(url),
    /^Error: https:\/\/example\.org\/model\.tflite: the file is not a TensorFlow Lite model: [^/]*$/,
  );
});

test('signatures run by their keys and under their names', async () => {
  await loadLiteRt();
  const model = await loadAndCompile(signed());
  assert.equal(model.key, 'first');
  assert.deepEqual(Object.keys(model.signatures), ['first', 'second']);
  const x = new Tensor(Float32Array.of(1, 2));
  assert.deepEqual(valuesOf(await model.run(x)), [[-1, -2]]);
  assert.deepEqual([...(await model.run('second', { second_x: x })).second_y.toTypedArray()], [-1, -2]);
  assert.deepEqual(valuesOf(await model.signatures.second.run([x])), [[-1, -2]]);
  await assert.rejects(model.run('third', x), /no signature "third": its signatures are first, second/);
});

test('a file with several signatures is requested once', async (t) => {
  const requests = t.mock.method(globalThis, 'fetch', async () => new Response(signed()));
  await loadLiteRt();
  const model = await loadAndCompile('https://example.org/model.tflite');
  assert.equal(requests.mock.callCount(), 1);
  const x = new Tensor(Float32Array.of(1, 2));
  for (const key of ['first', 'second']) assert.deepEqual(valuesOf(await model.run(key, x)), [[-1, -2]]);
  requests.mock.mockImplementation(async () => new Response('', { status: 404 }));
  await assert.rejects(loadAndCompile('https://example.org/gone.tflite'), /gone\.tflite failed with status code 404/);
});

test('a file with several signatures is requested again after a load that failed', async (t) => {
  const responses = [
    new Response('', { status: 503 }),
    new Response(signed().subarray(0, 200)),
    new Response(signed()),
  ];
  const requests = t.mock.method(globalThis, 'fetch', async () => responses.shift());
  await loadLiteRt();
  const before = tf.memory().numTensors;
  const load = () => loadAndCompile('https://example.org/model.tflite');
  await assert.rejects(load(), /failed with status code 503/);
  await assert.rejects(load());
  assert.equal(tf.memory().numTensors, before);
  const model = await load();
  assert.equal(requests.mock.callCount(), 3);
  assert.deepEqual(valuesOf(await model.run('second', new Tensor(Float32Array.of(1, 2)))), [[-1, -2]]);
});

test('responses of a platform may have an arrayBuffer() only', async (t) => {
  const { platform } = tf.env();
  t.after(() => tf.env().setPlatform('before', platform));
  let requests = 0;
  const respond = async () => (requests++, { ok: true, arrayBuffer: async () => signed().slice().buffer });
  tf.env().setPlatform('small', { ...platform, fetch: respond });
  await loadLiteRt();
  const model = await loadAndCompile('https://example.org/model.tflite');
  assert.equal(requests, 1);
  for (const key of ['first', 'second'])
    assert.deepEqual(valuesOf(await model.run(key, new Tensor(Float32Array.of(1, 2)))), [[-1, -2]]);
});

test('the bytes of a file are not kept after it is loaded, and a file at a path is read once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'litert-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'model.tflite');
  writeFileSync(path, signed());
  const opened = t.mock.method(fs.promises, 'open');
  await loadLiteRt();
  const model = await loadAndCompile(path);
  assert.equal(opened.mock.callCount(), 1);
  let buffer = signed().slice().buffer;
  const held = new WeakRef(buffer);
  const arrayBuffer = async () => {
    const given = buffer;
    buffer = undefined;
    return given;
  };
  t.mock.method(globalThis, 'fetch', async () => ({ ok: true, arrayBuffer }));
  const fetched = await loadAndCompile('https://example.org/model.tflite');
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => setTimeout(done));
    globalThis.gc();
  }
  assert.equal(held.deref(), undefined);
  for (const each of [model, fetched])
    assert.deepEqual(valuesOf(await each.run('second', new Tensor(Float32Array.of(1, 2)))), [[-1, -2]]);
});

/** A file with one signature, which lists inputs and outputs in another order than the graph. */
const reordered = () =>
  tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'a:0', shape: [2], type: 'int32' },
          { name: 'b:0', shape: [3] },
          { name: 'c:0', shape: [2], type: 'int32' },
          { name: 'd:0', shape: [3] },
        ],
        operators: [
          { code: kNeg, inputs: [0], outputs: [2] },
          { code: kNeg, inputs: [1], outputs: [3] },
        ],
        inputs: [0, 1],
        outputs: [2, 3],
      },
    ],
    signatures: [{ key: 'serving', graph: 0, inputs: { floats: 1, integers: 0 }, outputs: { y: 3, z: 2 } }],
  });

test('a file with one signature is read once, and its inputs and outputs have the names of the signature and the order of the graph', async (t) => {
  const fetched = t.mock.method(globalThis, 'fetch', async () => new Response(reordered()));
  await loadLiteRt();
  const before = tf.memory().numTensors;
  const model = await loadAndCompile('https://example.org/model.tflite');
  assert.equal(fetched.mock.callCount(), 1);
  assert.deepEqual([model.key, Object.keys(model.signatures)], ['serving', ['serving']]);
  const described = (list) => list.map(({ name, index, dtype, shape }) => [name, index, dtype, [...shape]]);
  assert.deepEqual(described(model.getInputDetails()), [
    ['integers', 0, 'int32', [2]],
    ['floats', 1, 'float32', [3]],
  ]);
  assert.deepEqual(described(model.getOutputDetails()), [
    ['z', 0, 'int32', [2]],
    ['y', 1, 'float32', [3]],
  ]);
  const [floats, integers] = [new Tensor(Float32Array.of(1, 2, 3)), new Tensor(Int32Array.of(4, 5))];
  assert.deepEqual(valuesOf(await model.run([integers, floats])), [
    [-4, -5],
    [-1, -2, -3],
  ]);
  const { y, z } = await model.run('serving', { integers, floats });
  assert.deepEqual(valuesOf([y, z]), [
    [-1, -2, -3],
    [-4, -5],
  ]);
  model.delete();
  assert.equal(tf.memory().numTensors, before);
});

test('quantized inputs and outputs are the integers of the file', async () => {
  await loadLiteRt();
  for (const [type, array] of [
    ['uint8', Uint8Array],
    ['int8', Int8Array],
  ]) {
    const model = await loadAndCompile(sum(type, { scale: [0.5], zeroPoint: [10] }));
    assert.equal(model.getInputDetails()[0].dtype, type);
    const [c] = await model.run([new Tensor(array.of(12, 14)), new Tensor(array.of(10, 20))]);
    assert.ok(c.toTypedArray() instanceof array);
    assert.deepEqual([...c.toTypedArray()], [12, 24]);
  }
});

test('inputs and outputs that are bools in the file are int32', async () => {
  await loadLiteRt();
  const inputs = [{ shape: [2], type: 'bool', name: 'a' }];
  const model = await loadAndCompile(oneNode({ code: kLogicalNot, inputs, outputs: [{ shape: [2], type: 'bool' }] }));
  assert.equal(model.getInputDetails()[0].dtype, 'int32');
  assert.deepEqual(valuesOf(await model.run(new Tensor(Int32Array.of(1, 0)))), [[0, 1]]);
});

test('wrong inputs are refused by name, and the model still runs', async () => {
  await loadLiteRt();
  const model = await loadAndCompile(sum('float32'));
  const [a, b] = [new Tensor(Float32Array.of(1, 2)), new Tensor(Float32Array.of(3, 4))];
  await assert.rejects(model.run([a]), /has 2 inputs, got 1/);
  await assert.rejects(model.run({ a }), /The input "b" is missing/);
  await assert.rejects(model.run({ a, b, d: a }), /no input "d": its inputs are a, b/);
  await assert.rejects(model.run([a, new Tensor(Int32Array.of(1, 2))]), /The input "b" is float32, got int32/);
  await assert.rejects(model.run([a, tf.tensor([1, 2])]), /The input "b" must be a Tensor of tenure\/litert/);
  const gone = new Tensor(Float32Array.of(1, 2));
  gone.delete();
  await assert.rejects(model.run([a, gone]), /deleted/);
  assert.deepEqual(valuesOf(await model.run([a, b])), [[4, 6]]);
});

test('tensors check their data, and copy it', async () => {
  const data = Float32Array.of(1, 2, 3, 4);
  const x = Tensor.fromTypedArray(data, Int32Array.of(2, 2));
  data[0] = 9;
  assert.deepEqual([...(await x.data())], [1, 2, 3, 4]);
  assert.deepEqual([x.accelerator, x.bufferType], ['wasm', litert.TensorBufferType.HOST_MEMORY]);
  assert.throws(() => new Tensor(data, [3]), /The shape \[3\] has 3 elements, the data has 4/);
  assert.throws(() => new Tensor(Float64Array.of(1)), /got Float64Array/);
  const { HOST_MEMORY, WEB_GPU_BUFFER } = litert.TensorBufferType;
  assert.deepEqual([...(await (await x.copyTo(HOST_MEMORY)).data())], [1, 2, 3, 4]);
  for (const other of ['webgpu', WEB_GPU_BUFFER])
    await assert.rejects(x.copyTo(other), { message: new RegExp(`'wasm' or .*HOST_MEMORY, but got ${other}\\. `) });
  x.delete();
  await assert.rejects(x.data(), /deleted/);
  let deletions = 0;
  const watched = new Tensor(data, [4], undefined, () => deletions++);
  for (let i = 0; i < 2; i++) watched.delete();
  assert.equal(deletions, 1);
});

test('a model comes from a stream, and other accelerators fall back with one warning', async (t) => {
  const warnings = t.mock.method(console, 'warn', () => {});
  await loadLiteRt();
  const file = dense();
  const reader = new Blob([file.subarray(0, 100), file.subarray(100)]).stream().getReader();
  const model = await loadAndCompile(reader, { accelerator: 'webgpu' });
  await loadAndCompile(file, { accelerator: 'webgpu' });
  assert.deepEqual(
    warnings.mock.calls.map(({ arguments: [text] }) => text),
    ["tenure/litert: there is no accelerator 'webgpu'. Models run on the backend of tenure, 'wasm'."],
  );
  assert.deepEqual(valuesOf(await model.run(new Tensor(Float32Array.of(1, 1), [1, 2]))), [[3.5, 0]]);
  assert.equal(litert.isWebGPUSupported(), false);
  assert.equal(await litert.supportsFeature('jspi'), false);
  await assert.rejects(litert.loadModelAndWeights(), /streams no weights/);
});
