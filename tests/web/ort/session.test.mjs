import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as common from 'onnxruntime-common';
import * as tf from '../../../dist/index.js';
import ort, * as names from '../../../dist/ort/index.js';
import { identityModel, leavesNothing, productModel } from './models.mjs';

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

test('inputs whose data does not fit are named, and leave nothing', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel());
    const [detached, changed] = [input(1, 2), input(1, 2)];
    structuredClone(detached.data.buffer, { transfer: [detached.data.buffer] });
    changed.dims[0] = 2;
    for (const [x, message] of [
      [detached, 'Based on the provided shape, [1,2], the tensor should have 2 values but has 0'],
      [changed, 'Based on the provided shape, [2,2], the tensor should have 4 values but has 2'],
    ])
      await assert.rejects(session.run({ x }), {
        message: `[InferenceSession.run] The input "x" of type float32: ${message}.`,
      });
    assert.deepEqual([...(await session.run({ x: input(1, 1) })).y.data], [3, 0]);
    await session.release();
    const texts = await InferenceSession.create(identityModel('string'));
    await assert.rejects(
      texts.run({ x: new Tensor('string', ['a', null]) }),
      /input "x" of type string: expected strings, or Uint8Arrays of their bytes, got null/,
    );
    await texts.release();
    const floats = await InferenceSession.create(identityModel('float32'));
    const high = new Tensor('float32', [1], Array(9).fill(1));
    await assert.rejects(floats.run({ x: high }), {
      name: 'ShapeError',
      message: /input "x" of type float32: at most 8 dimensions are supported, got 9/,
    });
    await floats.release();
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

test('errors of a file begin with its address, once', (t) =>
  leavesNothing(async () => {
    const url = 'https://example.com/model.onnx';
    t.mock.method(globalThis, 'fetch', async () => new Response('<!doctype html>'));
    // onnxruntime-common adds the errors of all providers to one text.
    await assert.rejects(InferenceSession.create(url), (error) => {
      assert.match(
        error.message,
        /https:\/\/example\.com\/model\.onnx: the file is not an ONNX model: it looks like HTML/,
      );
      assert.equal(error.message.split(url).length, 2);
      return true;
    });
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

test('options that are null count as absent, as in onnxruntime-web', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), {
      externalData: null,
      freeDimensionOverrides: null,
      preferredOutputLocation: null,
    });
    assert.equal((await session.run({ x: input(1, 1) })).y.location, 'cpu');
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

test('an error of an invalid file names its path', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ort-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'page.onnx');
  writeFileSync(file, '<!doctype html>');
  const message = 'the file is not an ONNX model: it looks like HTML';
  await leavesNothing(async () => {
    await assert.rejects(InferenceSession.create(file), { message: `${file}: ${message}` });
    await assert.rejects(InferenceSession.create(new TextEncoder().encode('<html>')), { message });
    const gone = path.join(folder, 'gone.onnx');
    await assert.rejects(InferenceSession.create(gone), /^Error: Cannot read .*gone/);
  });
});

test('a session holds neither the bytes of its file nor those of external data', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const holdsNothing = async () => {
    const model = productModel({ constants: { w: { shape: [2, 2], external: 'w.data' } } });
    const data = new Uint8Array(Float32Array.of(1, -1, 2, -2).buffer);
    const session = await InferenceSession.create(model, { externalData: [{ path: 'w.data', data }] });
    return [session, new WeakRef(model), new WeakRef(data)];
  };
  const [session, ...held] = await holdsNothing();
  // An object that was read by a WeakRef stays alive until the end of the turn.
  await new Promise((resolve) => setTimeout(resolve));
  collect();
  assert.deepEqual(
    held.map((each) => each.deref()),
    [undefined, undefined],
  );
  assert.deepEqual([...(await session.run({ x: input(1, 1) })).y.data], [3, 0]);
  await session.release();
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
      [{ path: 'w.data', data: new Float32Array(bytes.buffer) }],
      [{ path: 'w.data', data: file }],
      [file],
    ])
      await leavesNothing(async () => {
        const session = await InferenceSession.create(model, { externalData });
        assert.deepEqual([...(await session.run({ x: input(1, 1) })).y.data], [3, 0]);
        await session.release();
      });
    await leavesNothing(() => assert.rejects(InferenceSession.create(model), /"w\.data", which was not given/));
    for (const data of [new URL('file:///w.data'), undefined])
      await leavesNothing(() =>
        assert.rejects(
          InferenceSession.create(model, { externalData: [{ path: 'w.data', data }] }),
          /expected bytes .*, got (URL|undefined)/,
        ),
      );
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
