import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import * as common from 'onnxruntime-common';
import * as tf from '../../../dist/index.js';
import ort, * as names from '../../../dist/ort/index.js';
import { leavesNothing, productModel } from './models.mjs';

const { InferenceSession, Tensor } = ort;
const input = (...values) => new Tensor('float32', Float32Array.from(values), [values.length / 2, 2]);

test("the exports are onnxruntime-common's, by name and as the default", () => {
  for (const [name, value] of Object.entries(common)) assert.equal(names[name], value, name);
  assert.equal(ort.InferenceSession, common.InferenceSession);
  assert.deepEqual(Object.keys(names).sort(), [...Object.keys(common), 'default', 'listSupportedBackends'].sort());
});

test('listSupportedBackends() of onnxruntime-node names the execution providers', () => {
  assert.deepEqual(
    names.listSupportedBackends(),
    ['wasm', 'cpu', 'webgpu', 'webgl'].map((name) => ({ name, bundled: true })),
  );
});

test('a session runs, returns arrays of JavaScript, and frees everything', () =>
  leavesNothing(async () => {
    const before = tf.memory().numTensors;
    const session = await InferenceSession.create(productModel());
    const idle = tf.memory();
    assert.deepEqual([session.inputNames, session.outputNames], [['x'], ['y', 's']]);
    assert.deepEqual(session.inputMetadata, [{ name: 'x', isTensor: true, type: 'float32', shape: ['batch', 2] }]);
    assert.deepEqual(session.outputMetadata, [
      { name: 'y', isTensor: true, type: 'float32', shape: ['batch', 2] },
      { name: 's', isTensor: true, type: 'float32', shape: [] },
    ]);
    const x = input(1, 1);
    const { y, s } = await session.run({ x });
    assert.ok(y instanceof common.Tensor);
    assert.deepEqual([y.type, y.dims, [...y.data], [...s.data]], ['float32', [1, 2], [3, 0], [2, 2]]);
    assert.equal(y.data.buffer.byteLength, 8);
    assert.equal(tf.memory().numTensors, idle.numTensors);
    // Outputs are of the caller: he changes them, and gives them back as inputs.
    y.data[1] = 1;
    const again = await session.run({ x: y }, ['y']);
    assert.deepEqual([Object.keys(again), [...again.y.data]], [['y'], [5, 0]]);
    assert.deepEqual([...x.data], [1, 1]);
    session.startProfiling();
    session.endProfiling();
    await session.release();
    assert.equal(tf.memory().numTensors, before);
    await session.release();
    assert.deepEqual([...y.data], [3, 1]);
    await assert.rejects(session.run({ x }), {
      name: 'DisposedError',
      message: '[InferenceSession.run] The session of the bytes of a model is released.',
    });
  }));

test('preallocated outputs are filled, and must have the type and shape of the output', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel());
    const [y, x] = [input(7, 7), input(1, 2)];
    const { data } = y;
    const results = await session.run({ x }, { y });
    assert.deepEqual(Object.keys(results), ['y']);
    assert.equal(results.y, y);
    assert.deepEqual([...data], [5, 0]);
    const both = await session.run({ x }, { y: input(0, 0), s: null });
    assert.deepEqual([...both.s.data], [2, 4]);
    await assert.rejects(
      session.run({ x }, { y: input(1, 2, 3, 4) }),
      /output "y" has the shape \[1,2\], but the tensor to write it to has \[2,2\]/,
    );
    const integers = new Tensor('int32', [1, 2], [1, 2]);
    await assert.rejects(session.run({ x }, { y: integers }), /output "y" must have the type float32, but got int32/);
    await session.release();
  }));

test('inputs of a wrong type, shape, name or place are errors that name the input, and leave nothing', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel());
    for (const [feeds, message] of [
      [{ x: Float32Array.of(1, 2) }, /input "x" must be a Tensor of onnxruntime-common, but got Float32Array/],
      [{ x: [1, 2] }, /input "x" must be a Tensor of onnxruntime-common, but got Array/],
      [{ x: new Tensor('int32', [1, 2], [1, 2]) }, /input "x" must have the type float32, but got int32/],
      [{ x: input(1, 2).reshape([2, 1]) }, /input "x" must have the shape \[batch,2\], but got \[2,1\]/],
      [{ x: input(1, 2).reshape([2]) }, /input "x" must have the shape \[batch,2\], but got \[2\]/],
      [{}, /input 'x' is missing/],
      [{ x: input(1, 2), z: input(1, 2) }, /The model has no input "z": its inputs are x/],
      [{ x: Tensor.fromGpuBuffer({}, { dims: [1, 2] }) }, /input "x" must be in the memory .* location is gpu-buffer/],
    ])
      await assert.rejects(session.run(feeds), message);
    const disposed = input(1, 2);
    disposed.dispose();
    await assert.rejects(session.run({ x: disposed }), /input "x" .* location is none/);
    await session.release();
  }));

test('1,000 runs, also at the same time, leave as much memory as one', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel());
    await session.run({ x: input(1, 1) });
    const { numTensors, numBytes, detail } = tf.memory();
    for (let i = 0; i < 100; i++) {
      const runs = Array.from({ length: 10 }, (_, n) => session.run({ x: input(n, i) }, ['y']));
      const results = await Promise.all(runs);
      assert.deepEqual(
        results.map(({ y }) => y.data[0]),
        Array.from({ length: 10 }, (_, n) => n + 2 * i),
      );
    }
    const after = tf.memory();
    assert.deepEqual([after.numTensors, after.numBytes], [numTensors, numBytes]);
    assert.equal(after.detail.heapUsed, detail.heapUsed);
    await session.release();
  }));

test('runs belong to no scope of the caller, and a release does not disturb a run', () =>
  leavesNothing(async () => {
    const sessions = await Promise.all([productModel(), productModel()].map((file) => InferenceSession.create(file)));
    const x = input(1, 1);
    const scoped = tf.tidy(() => ({ result: sessions[0].run({ x }) }));
    const other = sessions[1].run({ x });
    await Promise.all(sessions.map((session) => session.release()));
    for (const { y } of [await scoped.result, await other]) assert.deepEqual([...y.data], [3, 0]);
  }));

test('execution providers: those of onnxruntime-web are accepted, others refused', async (t) => {
  const warnings = [];
  t.mock.method(console, 'warn', (text) => warnings.push(text));
  for (const provider of ['wasm', 'cpu', 'webgpu', 'webgl', { name: 'webgpu', preferredLayout: 'NHWC' }]) {
    const session = await InferenceSession.create(productModel(), { executionProviders: [provider] });
    await session.release();
  }
  const create = (...executionProviders) => InferenceSession.create(productModel(), { executionProviders });
  await assert.rejects(create('cuda'), /\[cuda\] backend not found/);
  await assert.rejects(create('webnn'), /tenure\/ort runs on the providers wasm, cpu, webgpu, webgl, not on webnn/);
  assert.deepEqual(warnings, []);
  await (await create('webnn', 'wasm')).release();
  assert.match(warnings.join(), /removing requested execution provider "webnn"/);
});

test('options that say how onnxruntime-web computes are ignored', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), {
      graphOptimizationLevel: 'all',
      intraOpNumThreads: 4,
      enableProfiling: true,
      logSeverityLevel: 0,
      preferredOutputLocation: 'cpu-pinned',
      extra: { session: { set_denormal_as_zero: '1' } },
      someday: true,
    });
    const { y } = await session.run({ x: input(1, 1) }, { tag: 'a', terminate: false });
    assert.equal(y.location, 'cpu');
    await session.release();
  }));

test('a model comes from a path, an ArrayBuffer or a part of one; errors name the file', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ort-'));
  try {
    const bytes = productModel();
    const file = path.join(folder, 'small.onnx');
    writeFileSync(file, bytes);
    const within = new Uint8Array(bytes.length + 8);
    within.set(bytes, 5);
    for (const source of [[file], [bytes.slice().buffer], [within.buffer, 5, bytes.length], [within.subarray(5, -3)]])
      await leavesNothing(async () => {
        const session = await InferenceSession.create(...source);
        assert.deepEqual([...(await session.run({ x: input(1, 1) })).y.data], [3, 0]);
        await session.release();
        if (source[0] === file)
          await assert.rejects(session.run({ x: input(1, 1) }), {
            message: /The session of .*small\.onnx is released/,
          });
      });
    await leavesNothing(async () => {
      await assert.rejects(InferenceSession.create(path.join(folder, 'gone.onnx')), /gone\.onnx/);
      await assert.rejects(InferenceSession.create(new Uint8Array([1, 2])), /not an ONNX model/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('external data is given as bytes, a Blob, or a path', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ort-'));
  try {
    const model = productModel({ constants: { w: { shape: [2, 2], external: 'w.data' } } });
    const bytes = new Uint8Array(Float32Array.of(1, -1, 2, -2).buffer);
    const file = path.join(folder, 'w.data');
    writeFileSync(file, bytes);
    for (const externalData of [
      [{ path: 'w.data', data: bytes }],
      [{ path: './w.data', data: bytes.buffer }],
      [{ path: 'w.data', data: new Blob([bytes]) }],
      [{ path: 'w.data', data: file }],
      [file],
    ])
      await leavesNothing(async () => {
        const session = await InferenceSession.create(model, { externalData });
        assert.deepEqual([...(await session.run({ x: input(1, 1) })).y.data], [3, 0]);
        await session.release();
      });
    await leavesNothing(() => assert.rejects(InferenceSession.create(model), /"w\.data", which was not given/));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('freeDimensionOverrides fix dimensions by name', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), { freeDimensionOverrides: { batch: 2 } });
    assert.deepEqual(session.inputMetadata[0].shape, [2, 2]);
    await assert.rejects(session.run({ x: input(1, 1) }), /must have the shape \[2,2\], but got \[1,2\]/);
    await session.release();
  }));

test('env has a version of onnxruntime-web only when paths are set, so that no wasm of it is downloaded', () => {
  const { env } = ort;
  assert.equal(env.versions.web, undefined);
  assert.equal(env.versions.common, '1.30.0');
  env.wasm.wasmPaths = '/';
  try {
    assert.equal(env.versions.web, '1.30.0');
  } finally {
    delete env.wasm.wasmPaths;
  }
  Object.assign(env.wasm, { numThreads: 1, simd: true, proxy: false });
  env.logLevel = 'error';
  assert.throws(() => (env.logLevel = 'loud'), /Unsupported logging level/);
});

test('a copy of the module that is evaluated later takes over, as tools reload modules', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel());
    const again = await import('../../../dist/ort/index.js?again');
    assert.notEqual(again, names);
    const other = await again.InferenceSession.create(productModel());
    for (const each of [session, other]) {
      assert.deepEqual([...(await each.run({ x: input(1, 1) })).y.data], [3, 0]);
      await each.release();
    }
  }));
