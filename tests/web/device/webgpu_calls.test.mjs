// The engine's calls of WebGPU, on an implementation that computes nothing.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { held } from '../common.mjs';
import { assert, tf } from '../expect.mjs';
import { createFakeGpu, kMaxBytes } from './fake_gpu.mjs';

const gpu = createFakeGpu();

/** Starts a device. Returns it. */
async function start() {
  await tf.init({ gpu });
  assert.equal(await tf.setBackend('webgpu'), true);
  return gpu.devices.at(-1);
}

/** Ends all compilations of pipelines. */
async function compile({ compilations }) {
  for (const { end } of compilations.splice(0)) end();
  await tf.ready();
}

/** Calls setBackend('webgpu') in a fresh engine. Returns what it resolves to, the warnings, and the backend. */
async function startOn(context, entry) {
  const engine = await import(`../../../dist/index.js?${Math.random()}`);
  await engine.init({ gpu: entry });
  const warn = context.mock.method(console, 'warn', () => {});
  const isStarted = await engine.setBackend('webgpu');
  const warnings = warn.mock.calls.map(({ arguments: [text] }) => text);
  warn.mock.restore();
  return {
    isStarted,
    warnings,
    backend: engine.getBackend(),
    value: engine.tidy(() => engine.add(1, 2).dataSync()[0]),
  };
}

for (const [name, entry, reason] of [
  ['an adapter', { requestAdapter: async () => null }, /WebGPU has no adapter\. The backend stays as it was/],
  ['an entry point', {}, /there is no WebGPU here/],
  [
    'a device',
    {
      requestAdapter: async () => ({
        ...{ features: new Set(), limits: {} },
        requestDevice: () => Promise.reject(new Error('the adapter is gone')),
      }),
    },
    /WebGPU has no device \(Error: the adapter is gone\)/,
  ],
  ['an adapter without an error', { requestAdapter: () => Promise.reject(new Error('blocked')) }, /Error: blocked/],
]) {
  test(`without ${name}, setBackend() resolves to false with one warning, and the backend stays`, async (context) => {
    const { isStarted, warnings, backend, value } = await startOn(context, entry);
    assert.deepEqual([isStarted, backend, value, warnings.length], [false, 'wasm', 3, 1]);
    assert.match(warnings[0], reason);
  });
}

const shape = [100, 100];

test('a device is destroyed if the engine has no part for it', async () => {
  const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-webgpu-'));
  const isTaken = (name) => /\.(?:js|json|wasm)$/.test(name) && name !== 'tenure.webgpu.wasm';
  try {
    for (const name of readdirSync(dist).filter(isTaken)) cpSync(path.join(dist, name), path.join(folder, name));
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    const other = await import(pathToFileURL(path.join(folder, 'index.js')));
    const { devices, ...entry } = createFakeGpu();
    await other.init({ gpu: entry });
    await assert.rejects(other.setBackend('webgpu'), { name: 'LoadError' });
    assert.deepEqual(
      devices.map(({ isDestroyed }) => isDestroyed),
      [true],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a tensor of almost 4 GB has a buffer of its size', async () => {
  const device = await start();
  const before = held(tf);
  const elements = Math.floor(kMaxBytes / 4096) * 1024;
  const x = tf.fill([elements / 1024, 1024], 1);
  assert.equal(device.sizes.at(-1), 4 * elements);
  assert.equal(tf.memory().numBytesInGPU, 4 * elements);
  await compile(device);
  x.dispose();
  tf.trim();
  assert.deepEqual(held(tf), before);
});

test('a tensor stays on the CPU if the largest buffer has no whole vectors for it', async () => {
  const kMax = 1028;
  const limits = { maxStorageBufferBindingSize: kMax };
  const small = createFakeGpu(({ compilations }) => (compilations.push = ({ end }) => end()), limits);
  const engine = await import(`../../../dist/index.js?${Math.random()}`);
  await engine.init({ gpu: small });
  assert.equal(await engine.setBackend('webgpu'), true);
  engine.env().set('WEBGL_CPU_FORWARD', false);
  for (const [elements, isOnGpu] of [
    [kMax / 4 - 1, true],
    [kMax / 4, false],
  ]) {
    const x = engine.fill([elements], 2);
    assert.equal(engine.memory().numBytesInGPU > 0, isOnGpu);
    if (!isOnGpu) assert.equal(x.dataSync()[elements - 1], 2);
    x.dispose();
  }
});

test('a read of a tensor that is disposed while its pipeline is compiled resolves', async () => {
  const device = await start();
  const x = tf.fill(shape, 1);
  const y = tf.sin(x);
  const reading = y.data();
  device.calls.length = 0;
  tf.dispose([x, y]);
  assert.deepEqual(device.calls, []);
  await compile(device);
  assert.equal((await reading).length, 10000);
  tf.trim();
  assert.deepEqual(device.calls, ['dispatch', 'write', 'submit', 'copy', 'submit']);
});

test('commands that wait for a pipeline are dropped with their device', async () => {
  const device = await start();
  const before = held(tf);
  const x = tf.tidy(() => tf.cos(tf.fill(shape, 1)));
  const reading = x.data();
  device.calls.length = 0;
  device.onuncapturederror({ error: new Error('wrong') });
  assert.equal(device.isDestroyed, false, 'Dawn waits for the end of the call that reports an error');
  await assert.rejects(reading, { name: 'ContextLostError' });
  await compile(device);
  assert.deepEqual([device.calls, device.isDestroyed], [[], true]);
  x.dispose();
  assert.equal(held(tf).numTensors, before.numTensors);
});

/** Makes mapAsync() wait. Returns the function that ends it. */
function holdMaps(device) {
  let end;
  device.mapping = new Promise((resolve) => (end = resolve));
  return () => {
    device.mapping = undefined;
    end();
  };
}

/** Resolves after a few turns of the event loop, to the number of times that setImmediate() was called meanwhile. */
async function countImmediates(context) {
  const { mock } = context.mock.method(globalThis, 'setImmediate');
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
  mock.restore();
  return mock.callCount();
}

test('reads wait for the promises of mapAsync(), not for turns of the event loop', async (context) => {
  const device = await start();
  const before = held(tf);
  const [x, y] = tf.tidy(() => [tf.fill(shape, 1).neg(), tf.fill(shape, 2).neg()]);
  await compile(device);
  const endMaps = holdMaps(device);
  // Two reads of one tensor, and one of a tensor that is disposed.
  const reads = [x.data(), x.data(), y.bytes()];
  y.dispose();
  assert.equal(await countImmediates(context), 0);
  endMaps();
  assert.deepEqual(
    (await Promise.all(reads)).map(({ length }) => length),
    [10000, 10000, 40000],
  );
  x.dispose();
  tf.trim();
  assert.deepEqual(held(tf), before);
});

test('a read whose buffer is never mapped rejects once the device is lost', async () => {
  const device = await start();
  const before = held(tf);
  const x = tf.tidy(() => tf.fill(shape, 1).neg());
  await compile(device);
  holdMaps(device);
  const reading = x.data();
  await new Promise((resolve) => setTimeout(resolve));
  device.onuncapturederror({ error: new Error('wrong') });
  await assert.rejects(reading, { name: 'ContextLostError' });
  x.dispose();
  assert.equal(held(tf).numTensors, before.numTensors);
});
