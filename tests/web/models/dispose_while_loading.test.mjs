// Models that are disposed while they are loaded: the load ends at once, and leaves nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { onnxModel } from '../../bench/onnx.mjs';
import { oneNode } from '../../tflite/writer.mjs';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';

const kFolder = 'https://example.com/models';
const weights = Float32Array.from({ length: 1000 }, (_, i) => i);

/** y = x + w, as a file of each format: the files by their names, and the class of the model. */
const kFormats = {
  onnx: {
    Model: tf.OnnxModel,
    files: {
      'model.onnx': onnxModel({
        nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
        constants: { w: { values: weights, shape: [1000] } },
        input: { name: 'x', shape: [] },
        output: { name: 'y' },
      }),
    },
  },
  tflite: {
    Model: tf.TFLiteModel,
    files: {
      'model.tflite': oneNode({
        code: 0,
        inputs: [
          { name: 'x', shape: [] },
          { name: 'w', shape: [1000], values: [...weights], isConstant: true },
        ],
        outputs: [{ name: 'y', shape: [1000] }],
        type: 11,
        options: [],
      }),
    },
  },
  graph: { Model: tf.GraphModel, files: graphFiles() },
};

/** Returns the listeners that a signal has from now on. */
function recordListeners(signal) {
  const listeners = new Set();
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type, listener, options) => (listeners.add(listener), add(type, listener, options));
  signal.removeEventListener = (type, listener) => listeners.delete(listener);
  return listeners;
}

function graphFiles() {
  const node = (name, op, input = []) => ({
    name,
    op,
    input,
    attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } },
  });
  const model = {
    modelTopology: { node: [node('x', 'Placeholder'), node('w', 'Const'), node('y', 'AddV2', ['x', 'w'])] },
    weightsManifest: [{ paths: ['w.bin'], weights: [{ name: 'w', shape: [1000], dtype: 'float32' }] }],
  };
  return {
    'model.json': new TextEncoder().encode(JSON.stringify(model)),
    'w.bin': new Uint8Array(weights.buffer),
  };
}

function assertComputes(model) {
  const x = tf.scalar(1);
  tf.tidy(() => assert.equal(model.predict(x).dataSync()[999], 1000));
  x.dispose();
}

const message = (source) => ({
  name: 'DisposedError',
  message: `The model from ${source} was disposed while it was loaded.`,
});

/** Checks that disposing of a model ends its load at once, that it can be loaded anew, and that nothing is left. */
async function ends(model, source, { start = pause, retry = true } = {}) {
  const loading = model.load();
  await start();
  model.dispose();
  await assert.rejects(loading, message(source));
  model.dispose();
  if (!retry) return;
  await model.load();
  assertComputes(model);
  model.dispose();
}

for (const [format, { Model, files }] of Object.entries(kFormats)) {
  const names = Object.keys(files);
  const respond = (url) => new Response(files[url.slice(kFolder.length + 1)].slice());

  for (const name of names) {
    const source = `${kFolder}/${names[0]}`;

    test(`${format}: a request of ${name} is aborted`, () =>
      leavesNothingAsync(async () => {
        const signals = [];
        const fetchFunc = async (url, { signal }) => {
          if (!url.endsWith(name) || signals.length > 0) return respond(url);
          signals.push(signal);
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        };
        const start = async () => {
          while (signals.length === 0) await pause();
        };
        await ends(new Model(source, { fetchFunc }), source, { start });
        assert.equal(signals[0].reason.name, 'DisposedError');
      }));

    test(`${format}: a request of ${name} that cannot be aborted is not waited for`, () =>
      leavesNothingAsync(async () => {
        let answer;
        let isCancelled = false;
        const fetchFunc = async (url) => {
          if (!url.endsWith(name) || answer) return respond(url);
          return new Promise((resolve) => (answer = resolve));
        };
        const start = async () => {
          while (!answer) await pause();
        };
        await ends(new Model(source, { fetchFunc }), source, { start });
        answer(new Response(new ReadableStream({ cancel: () => void (isCancelled = true) })));
        await pause();
        // The handlers of graph models read their files as a whole.
        if (format !== 'graph') assert.ok(isCancelled);
      }));

    test(`${format}: a response with half of ${name} is not waited for`, () =>
      leavesNothingAsync(async () => {
        let isStalled = false;
        const fetchFunc = async (url) => {
          if (!url.endsWith(name) || isStalled) return respond(url);
          const bytes = files[name];
          return new Response(
            new ReadableStream({
              start: (controller) => controller.enqueue(bytes.slice(0, bytes.length / 2)),
              pull: () => void (isStalled = true),
            }),
          );
        };
        const start = async () => {
          while (!isStalled) await pause();
        };
        await ends(new Model(source, { fetchFunc }), source, { start });
      }));
  }

  test(`${format}: a model may be disposed at any moment of its load`, () =>
    leavesNothingAsync(async () => {
      const source = `${kFolder}/${names[0]}`;
      const fetchFunc = async (url) => respond(url);
      let isLoaded = false;
      for (let turns = 0; !isLoaded; turns++) {
        assert.ok(turns < 1000, 'the load takes more turns');
        const model = new Model(source, { fetchFunc });
        const loading = model.load();
        const settled = loading.then(
          () => (isLoaded = true),
          () => {},
        );
        for (let i = 1; i <= turns; i++) await (i % 20 === 0 ? pause() : null);
        const wasLoaded = isLoaded;
        model.dispose();
        if (wasLoaded) await loading;
        else await loading.catch((error) => assertIs(error, source));
        await settled;
      }
    }));

  test(`${format}: a model of a path may be disposed`, (t) =>
    leavesNothingAsync(async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'dispose-'));
      t.after(() => rmSync(folder, { recursive: true }));
      for (const name of names) writeFileSync(path.join(folder, name), files[name]);
      const source = path.join(folder, names[0]);
      for (const start of [async () => {}, pause, async () => void (await null)])
        await ends(new Model(source), source, { start });
    }));

  test(`${format}: the signal of a caller still aborts requests, and loses its listener`, async () => {
    const source = `${kFolder}/${names[0]}`;
    const aborting = new AbortController();
    const { signal } = aborting;
    const listeners = recordListeners(signal);
    const fetchFunc = async (url, init) => {
      if (!init.signal.aborted) return respond(url);
      throw init.signal.reason;
    };
    const model = new Model(source, { fetchFunc, requestInit: { signal } });
    await model.load();
    assert.equal(listeners.size, 0);
    model.dispose();
    aborting.abort(new Error('by the caller'));
    await assert.rejects(model.load(), { message: 'by the caller' });
  });
}

function assertIs(error, source) {
  assert.deepEqual({ name: error.name, message: error.message }, message(source));
}

for (const [format, load] of [
  ['onnx', async () => kFormats.onnx.files['model.onnx']],
  ['tflite', async () => kFormats.tflite.files['model.tflite']],
  ['graph', () => tf.io.fromMemory(JSON.parse(new TextDecoder().decode(kFormats.graph.files['model.json']))).load()],
]) {
  test(`${format}: a handler is not waited for`, () =>
    leavesNothingAsync(async () => {
      const { Model } = kFormats[format];
      let resume;
      const handler = { load: () => new Promise((resolve) => (resume = resolve)) };
      const source = { onnx: 'the bytes of a model of ONNX', tflite: 'the bytes of a model of TensorFlow Lite' }[
        format
      ];
      await ends(new Model(handler), source ?? 'the IO handler', { retry: false });
      resume(await load());
      await pause();
    }));
}

test('graph: a stream of weights is cancelled', () =>
  leavesNothingAsync(async () => {
    let isCancelled = false;
    const { modelTopology, weightsManifest } = JSON.parse(new TextDecoder().decode(kFormats.graph.files['model.json']));
    const getWeightStream = () => new ReadableStream({ cancel: () => void (isCancelled = true) });
    const handler = {
      load: async () => ({ modelTopology, weightSpecs: weightsManifest[0].weights, getWeightStream }),
    };
    await ends(new tf.GraphModel(handler), 'the IO handler', { retry: false });
    assert.ok(isCancelled);
  }));

test('onnx: external data is not waited for', () =>
  leavesNothingAsync(async () => {
    const source = `${kFolder}/model.onnx`;
    const file = onnxModel({
      nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
      constants: { w: { shape: [1000], external: { location: 'w.bin', offset: '0', length: '4000' } } },
      input: { name: 'x', shape: [] },
      output: { name: 'y' },
    });
    let signal;
    const fetchFunc = async (url, init) => {
      if (url === source) return new Response(file.slice());
      if (signal) return new Response(weights.buffer.slice());
      signal = init.signal;
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(weights.buffer.slice(0, 1000))),
      });
      return new Response(stream, { headers: { 'Content-Length': '4000' } });
    };
    const start = async () => {
      while (!signal) await pause();
      await pause();
    };
    const externalData = [{ path: 'w.bin', data: `${kFolder}/w.bin` }];
    await ends(new tf.OnnxModel(source, { fetchFunc, externalData }), source, { start });
    assert.equal(signal.reason.name, 'DisposedError');
  }));

test('two loads of a model end together', () =>
  leavesNothingAsync(async () => {
    for (const { Model, files } of Object.values(kFormats)) {
      const source = `${kFolder}/${Object.keys(files)[0]}`;
      const fetchFunc = async (url) => new Response(files[url.slice(kFolder.length + 1)].slice());
      const model = new Model(source, { fetchFunc });
      const loads = [model.load(), model.load()];
      await null;
      model.dispose();
      for (const loading of loads) await assert.rejects(loading, message(source));
      await Promise.all([model.load(), model.load()]);
      assertComputes(model);
      model.dispose();
      const again = model.load();
      model.dispose();
      const last = model.load();
      await assert.rejects(again, message(source));
      await last;
      assertComputes(model);
      model.dispose();
    }
  }));

test('a load that ends before it waits leaves no listener on the signal of the caller', () => {
  const { signal } = new AbortController();
  const listeners = recordListeners(signal);
  const fails = () => {
    throw new Error('by the handler');
  };
  const model = new tf.GraphModel({ load: fails }, { requestInit: { signal } });
  assert.throws(() => model.load(), { message: 'by the handler' });
  assert.equal(listeners.size, 0);
});
