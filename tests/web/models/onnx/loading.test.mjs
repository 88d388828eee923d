// ONNX files are read as they arrive: the data of their tensors goes to the engine's memory once.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { onnxModel } from '../../../bench/onnx.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kUrl = 'https://example.com/model.onnx';

/** Returns a fetch() whose responses come in chunks of `size` bytes, with these headers. */
const fetchInChunks = (files, size, headers) => async (url) => {
  const file = files[url];
  const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, i) =>
    file.subarray(i * size, (i + 1) * size),
  );
  const body = new ReadableStream({
    pull(controller) {
      if (chunks.length > 0) controller.enqueue(chunks.shift().slice());
      else controller.close();
    },
  });
  return new Response(body, { headers });
};

const bytesOf = (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const values = (length, scale = 1) => Array.from({ length }, (_, i) => ((i * 7) % 100) * scale);
/** 0, 1 and -2.5 as half floats. */
const kHalves = { 0: 0, 1: 0x3c00, [-2.5]: 0xc100 };
const halves = values(1600).map((value) => [0, 1, -2.5][value % 3]);

/** Tensors of the types that are stored in their own ways, large enough to be moved; `few` is not. */
const kTensors = {
  float32: [Float32Array, values(1600, 0.5)],
  float64: [Float64Array, values(400, 0.25)],
  float16: [Uint16Array, halves, halves.map((value) => kHalves[value])],
  int32: [Int32Array, values(400)],
  uint16: [Uint16Array, values(400)],
  int8: [Int8Array, values(1600).map((value) => value - 50)],
  uint8: [Uint8Array, values(1600, 2)],
  bool: [Uint8Array, values(400).map((value) => value % 2)],
};
const kFew = { values: Float32Array.of(1, 2, 3), shape: [3] };

/** Returns a model whose outputs are its constants as float32, times the input. */
function modelOf(constants) {
  const names = Object.keys(constants);
  return onnxModel({
    nodes: names.flatMap((name) => [
      { op: 'Cast', inputs: [name], outputs: [`${name} as float`], attributes: { to: 1 } },
      { op: 'Mul', inputs: [`${name} as float`, 'x'], outputs: [`${name} times x`] },
    ]),
    constants,
    input: { name: 'x', shape: [] },
    outputs: names.map((name) => ({ name: `${name} times x` })),
  });
}

const stored = ([Type, numbers, raw = numbers]) => Type.from(raw);
const tensors = Object.fromEntries(
  Object.entries(kTensors).map(([type, each]) => [type, { type, values: stored(each), shape: [each[1].length] }]),
);
const file = modelOf({ ...tensors, few: kFew });

/** Checks the outputs of a model with the constants of kTensors and, unless there are none, the few. */
function assertComputes(model, expected = { ...kTensors, few: [undefined, [1, 2, 3]] }) {
  // The second call runs a plan, which may store weights in another order.
  for (const factor of [1, 2, 3]) {
    const x = tf.scalar(factor);
    tf.tidy(() => {
      for (const [name, [, numbers]] of Object.entries(expected)) {
        const found = model.execute({ x }, `${name} times x`);
        assert.deepEqual(
          Array.from(found.dataSync()),
          numbers.map((value) => value * factor),
          name,
        );
      }
    });
    x.dispose();
  }
}

test('a file from the network takes its bytes once, and 20 % more while it is loaded', async () => {
  const length = 2 ** 21;
  const large = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`w${i}`, { values: new Float32Array(length).fill(i), shape: [length] }]),
  );
  const bytes = 8 * 4 * length;
  const before = tf.memory().detail;
  const fetchFunc = fetchInChunks({ [kUrl]: modelOf(large) }, 2 ** 16);
  const model = await tf.loadOnnxModel(kUrl, { fetchFunc });
  const { peakBytes, heapUsed } = tf.memory().detail;
  assert.ok(
    peakBytes - before.heapUsed < 1.2 * bytes,
    `peak of ${(peakBytes - before.heapUsed) / bytes} times the bytes`,
  );
  assert.ok(heapUsed - before.heapUsed < 1.1 * bytes, `${(heapUsed - before.heapUsed) / bytes} times the bytes stay`);
  model.dispose();
});

for (const [what, headers] of Object.entries({
  'its length': { 'Content-Length': String(file.length) },
  'no length': {},
  'a length that is too small': { 'Content-Length': '100' },
})) {
  test(`a model is read from chunks of any size, with ${what}`, () =>
    leavesNothingAsync(async () => {
      for (const size of [1, 7, 1000, 2 ** 16]) {
        const fractions = [];
        const model = await tf.loadOnnxModel(kUrl, {
          fetchFunc: fetchInChunks({ [kUrl]: file }, size, headers),
          onProgress: (fraction) => fractions.push(fraction),
        });
        assertComputes(model);
        model.dispose();
        assert.deepEqual([fractions[0], fractions.at(-1)], [0, 1]);
        assert.ok(fractions.every((fraction, i) => i === 0 || fraction >= fractions[i - 1]));
      }
    }));
}

test('a model is read from a path and from bytes', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
  try {
    const name = path.join(folder, 'model.onnx');
    writeFileSync(name, file);
    for (const source of [name, file, file.buffer, { load: async () => file }])
      await leavesNothingAsync(async () => {
        const model = await tf.loadOnnxModel(source);
        assertComputes(model);
        model.dispose();
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a response of a custom fetchFunc need not have a stream', () =>
  leavesNothingAsync(async () => {
    const arrayBuffer = async () => file.slice().buffer;
    for (const response of [{ arrayBuffer }, { arrayBuffer, body: {}, headers: new Headers() }]) {
      const model = await tf.loadOnnxModel(kUrl, { fetchFunc: async () => ({ ok: true, ...response }) });
      assertComputes(model);
      model.dispose();
    }
  }));

test('a file that ends anywhere, or whose bytes change, leaves nothing', () =>
  leavesNothingAsync(async () => {
    const load = async (bytes) => {
      const fetchFunc = fetchInChunks({ [kUrl]: bytes }, 500);
      await tf.loadOnnxModel(kUrl, { fetchFunc }).then(
        (model) => model.dispose(),
        (error) => assert.ok(error.message.length > 0),
      );
    };
    for (let length = 0; length < file.length; length += 97) await load(file.subarray(0, length));
    for (let at = 0; at < file.length; at += 53) await load(file.with(at, file[at] ^ 255));
    await assert.rejects(tf.loadOnnxModel(file.subarray(0, 3000)), /not an ONNX model: the file ends within a field/);
  }));

test('a tensor that claims more bytes than the file has takes no memory for them', () =>
  leavesNothingAsync(async () => {
    // Fields of 2^30 bytes: the graph of a model, an initializer inside, its raw data inside.
    const claims = [0x3a, 0x2a, 0x4a].flatMap((tag) => [tag, 0x80, 0x80, 0x80, 0x80, 0x04]);
    const { heapCommitted } = tf.memory().detail;
    const fetchFunc = fetchInChunks({ [kUrl]: Uint8Array.from(claims) }, 4);
    await assert.rejects(tf.loadOnnxModel(kUrl, { fetchFunc }), /ends within a field/);
    await assert.rejects(tf.loadOnnxModel(Uint8Array.from(claims)), /ends within a field/);
    assert.equal(tf.memory().detail.heapCommitted, heapCommitted);
  }));

test('a request that fails on the way leaves nothing', () =>
  leavesNothingAsync(async () => {
    const fetchFunc = async () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(file.slice(0, 5000)),
          pull: (controller) => controller.error(new Error('connection lost')),
        }),
      );
    await assert.rejects(tf.loadOnnxModel(kUrl, { fetchFunc }), {
      message: `Request to ${kUrl} failed: connection lost`,
    });
  }));

test('a request that fails is an error that names the address, of external data too', () =>
  leavesNothingAsync(async () => {
    const url = 'https://example.com/weights.bin';
    const { constants } = toExternal('weights.bin');
    const files = { [kUrl]: modelOf(constants) };
    const reason = new TypeError('no network');
    for (const [fail, expected] of [
      [
        () => Promise.reject(reason),
        (address) => ({ message: `Request to ${address} failed: no network`, cause: reason }),
      ],
      [
        () => new Response('', { status: 404 }),
        (address) => ({ message: `Request to ${address} failed with status code 404.` }),
      ],
    ]) {
      await assert.rejects(tf.loadOnnxModel(kUrl, { fetchFunc: fail }), expected(kUrl));
      const fetchFunc = async (address) => (address === url ? fail() : fetchInChunks(files, 1000)(address));
      const externalData = [{ path: 'weights.bin', data: url }];
      await assert.rejects(tf.loadOnnxModel(kUrl, { fetchFunc, externalData }), expected(url));
    }
  }));

test('a request that the caller aborts rejects with the reason of the abort', async () => {
  const aborting = new AbortController();
  const { signal } = aborting;
  const fetchFunc = (address, init) =>
    new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)));
  const loading = tf.loadOnnxModel(kUrl, { fetchFunc, requestInit: { signal } });
  aborting.abort();
  await assert.rejects(loading, { name: 'AbortError' });
});

/** Puts tensors into one file, and returns its bytes, and the tensors as they refer to it. */
function toExternal(location) {
  const parts = [];
  let offset = 16;
  const constants = Object.fromEntries(
    Object.entries(tensors).map(([type, { values, shape }]) => {
      const bytes = bytesOf(values);
      parts.push([offset, bytes]);
      const external = { location, offset: String(offset), length: String(bytes.length) };
      offset += bytes.length + 5;
      return [type, { type, shape, external }];
    }),
  );
  const data = new Uint8Array(offset);
  for (const [at, bytes] of parts) data.set(bytes, at);
  return { data, constants };
}

test('external data is read range by range, from chunks of any size and from bytes', () =>
  leavesNothingAsync(async () => {
    const location = `${'a long path/'.repeat(20)}weights.bin`;
    const { data, constants } = toExternal(location);
    const model = modelOf(constants);
    for (const size of [3, 1000, 2 ** 16]) {
      const url = 'https://example.com/weights.bin';
      for (const headers of [{ 'Content-Length': String(data.length) }, {}]) {
        const fetchFunc = fetchInChunks({ [kUrl]: model, [url]: data }, size, headers);
        const loaded = await tf.loadOnnxModel(kUrl, { fetchFunc, externalData: [{ path: location, data: url }] });
        assertComputes(loaded, kTensors);
        loaded.dispose();
      }
    }
    const loaded = await tf.loadOnnxModel(model, { externalData: [{ path: location, data }] });
    assertComputes(loaded, kTensors);
    loaded.dispose();
  }));

test('external data of a path is read from the folder of the file, unless it is given', (t) =>
  leavesNothingAsync(async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
    t.after(() => rmSync(root, { recursive: true }));
    const write = (name, location) => {
      const { data, constants } = toExternal(location);
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, modelOf(constants));
      return { file, data };
    };
    for (const [name, location] of [
      ['model.onnx', 'model.onnx_data'],
      ['deep/model.onnx', './weights/w.bin'],
    ]) {
      const { file, data } = write(name, location);
      await assert.rejects(tf.loadOnnxModel(file), /Cannot read .*ENOENT/);
      const target = path.join(path.dirname(file), location);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, data);
      for (const source of [file, `file://${file}`]) {
        const loaded = await tf.loadOnnxModel(source);
        assertComputes(loaded, kTensors);
        loaded.dispose();
      }
      rmSync(target);
      const loaded = await tf.loadOnnxModel(file, { externalData: [{ path: location, data }] });
      assertComputes(loaded, kTensors);
      loaded.dispose();
    }
    const { file, data } = write('deep/outside.onnx', '../outside.bin');
    writeFileSync(path.join(root, 'outside.bin'), data);
    await assert.rejects(
      tf.loadOnnxModel(file),
      /outside\.onnx names weights at "\.\.\/outside\.bin", outside of its folder .*: pass it by the option externalData$/,
    );
  }));

test('external data that is given is found with and without ./ in its path', (t) =>
  leavesNothingAsync(async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
    t.after(() => rmSync(root, { recursive: true }));
    const file = path.join(root, 'model.onnx');
    for (const [location, given] of [
      ['./w.bin', 'w.bin'],
      ['w.bin', './w.bin'],
      ['././w.bin', './w.bin'],
    ]) {
      const { data, constants } = toExternal(location);
      writeFileSync(file, modelOf(constants));
      const loaded = await tf.loadOnnxModel(file, { externalData: [{ path: given, data }] });
      assertComputes(loaded, kTensors);
      loaded.dispose();
    }
  }));

test('the tensor of a Constant may be external data, beside an initializer in the same file', (t) =>
  leavesNothingAsync(async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
    t.after(() => rmSync(root, { recursive: true }));
    const tensor = (offset) => ({ shape: [2], external: { location: 'w.bin', offset: String(offset), length: '8' } });
    const model = onnxModel({
      nodes: [
        { op: 'Constant', inputs: [], outputs: ['k'], attributes: { value: { tensor: tensor(8) } } },
        { op: 'Mul', inputs: ['x', 'w'], outputs: ['product'] },
        { op: 'Add', inputs: ['product', 'k'], outputs: ['y'] },
      ],
      constants: { w: tensor(0) },
      input: { name: 'x', shape: [2] },
      output: { name: 'y' },
    });
    const data = bytesOf(Float32Array.of(1, 2, 10, 20));
    const file = path.join(root, 'model.onnx');
    writeFileSync(file, model);
    writeFileSync(path.join(root, 'w.bin'), data);
    for (const [source, options] of [[model, { externalData: [{ path: 'w.bin', data }] }], [file]]) {
      const loaded = await tf.loadOnnxModel(source, options);
      tf.tidy(() => assert.deepEqual(loaded.predict(tf.tensor([3, 4])).arraySync(), [13, 28]));
      loaded.dispose();
    }
  }));

test('tensors may share bytes of external data', () =>
  leavesNothingAsync(async () => {
    const data = Float32Array.from(values(400));
    const range = (shape, offset) => ({
      shape: [shape],
      external: { location: 'w', offset: String(offset), length: String(4 * shape) },
    });
    for (const constants of [
      { a: range(400, 0), b: range(400, 0) },
      { a: range(400, 0), b: range(200, 400), c: { shape: [400], external: 'w' } },
    ]) {
      const model = await tf.loadOnnxModel(modelOf(constants), { externalData: [{ path: 'w', data: bytesOf(data) }] });
      const expected = { a: [0, values(400)], b: [0, constants.c ? values(400).slice(100, 300) : values(400)] };
      assertComputes(model, constants.c ? { ...expected, c: [0, values(400)] } : expected);
      model.dispose();
    }
  }));

test('external data that ends too early is named', () =>
  leavesNothingAsync(async () => {
    const { data, constants } = toExternal('w.bin');
    const model = modelOf(constants);
    const short = data.subarray(0, 7000);
    await assert.rejects(
      tf.loadOnnxModel(model, { externalData: [{ path: 'w.bin', data: short }] }),
      /its data is 3200 bytes at 6421 of the file "w\.bin", which has 7000/,
    );
    const fetchFunc = fetchInChunks({ [kUrl]: short }, 1000, { 'Content-Length': String(data.length) });
    await assert.rejects(
      tf.loadOnnxModel(model, { fetchFunc, externalData: [{ path: 'w.bin', data: kUrl }] }),
      /the file "w\.bin" has 7000 bytes, but a tensor needs 3200 bytes at offset 6421/,
    );
  }));

test('an offset or length beyond 63 bits is refused, and nothing is written', () =>
  leavesNothingAsync(async () => {
    const data = new Uint8Array(24).fill(1);
    for (const [external, message] of [
      [
        { offset: String(2n ** 64n - 1n), length: '16' },
        /"w": its external data has the offset "18446744073709551615"/,
      ],
      [{ offset: String(2n ** 63n), length: '16' }, /"w": its external data has the offset "9223372036854775808"/],
      [{ offset: '0', length: String(2n ** 64n - 1n) }, /"w": its external data has the length "18446744073709551615"/],
      [
        { offset: String(2n ** 63n - 1n), length: '16' },
        /"w": its data is 16 bytes at 9223372036854775807 of the file/,
      ],
    ]) {
      const model = modelOf({ w: { shape: [4], external: { location: 'w.bin', ...external } } });
      await assert.rejects(tf.loadOnnxModel(model, { externalData: [{ path: 'w.bin', data }] }), message);
    }
  }));

test('a page of HTML in the place of a file is an error that says so', () =>
  leavesNothingAsync(async () => {
    const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
    for (const size of [1, 100])
      await assert.rejects(tf.loadOnnxModel(kUrl, { fetchFunc: fetchInChunks({ [kUrl]: page }, size) }), {
        message: `${kUrl}: the file is not an ONNX model: it looks like HTML`,
      });
  }));

test('errors of a file begin with its address, once', () =>
  leavesNothingAsync(async () => {
    const [node] = [{ op: 'Unknown', inputs: ['x'], outputs: ['y'] }];
    const external = { w: { shape: [4], external: { location: 'w.bin', offset: '0', length: '16' } } };
    const weights = 'https://example.com/w.bin';
    for (const [name, bytes] of Object.entries({
      'an op that is not supported': onnxModel({
        nodes: [node],
        input: { name: 'x', shape: [1] },
        output: { name: 'y' },
      }),
      'an end within a field': file.subarray(0, 3000),
      'no graph': new Uint8Array(0),
      'external data that ends too early': modelOf(external),
    })) {
      const fetchFunc = async (url) =>
        new Response(url === kUrl ? bytes.slice() : new Uint8Array(8), { headers: { 'Content-Length': '16' } });
      const externalData = [{ path: 'w.bin', data: weights }];
      const error = await tf.loadOnnxModel(kUrl, { fetchFunc, externalData }).then(
        () => assert.fail(name),
        (reason) => reason,
      );
      assert.ok(error.message.startsWith(`${kUrl}: `), error.message);
      assert.equal(error.message.split(kUrl).length, 2, error.message);
      // Programs that do not catch it print its stack.
      assert.ok(error.stack.includes(error.message));
    }
  }));
