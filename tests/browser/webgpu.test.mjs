// The engine on WebGPU with a software renderer, in a page and a worker.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { before } from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { kGoldenGraphs, kGoldenModels, modelsFolder } from '../golden_models.mjs';
import { checkSharedBuffers } from '../web/device/shared_buffers_checks.mjs';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

const kTolerance = 2e-3;
// A convolutional network, graph models with and without control flow, and layers models; few, as SwiftShader compiles slowly.
const few = ['iris', 'lstm', 'mnist-cnn-float16-sharded', 'mobilenet025', 'blazeface', 'prefetch-int'];
const golden = process.env.TENURE_WEBGPU_MODELS === 'all' ? [...kGoldenModels, ...kGoldenGraphs] : few;
const models = golden.filter((name) => existsSync(path.join(modelsFolder, name, 'golden.json')));
let found;

before(async () => {
  if (skip) return;
  const project = projectOf({
    'tests/browser/page': '.',
    'tests/web/common.mjs': 'common.mjs',
    'tests/web/device/shared_buffers.mjs': 'device/shared_buffers.mjs',
    'examples/iris': 'iris',
  });
  writeFileSync(path.join(project, 'models.json'), JSON.stringify(models));
  const browser = await openBrowser({ webgpu: true });
  const folders = {
    '/': project,
    '/tenure/': path.join(project, 'node_modules/tenure'),
    '/models/': modelsFolder,
    '/web/ops/': path.join(root, 'tests/web/ops'),
    '/web/expect.mjs': path.join(project, 'tf.js'),
  };
  // No 'unsafe-eval': the engine's imports are no code that is made at run time.
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  try {
    found = await served(browser, folders, '/webgpu.html', { policy });
  } finally {
    await browser.close();
  }
});

test('is chosen by setBackend() alone', { skip }, () => {
  assert.deepEqual([found.byDefault, found.chosen, found.backend], ['wasm', true, 'webgpu']);
});

test('small work stays on the CPU', { skip }, () => assert.deepEqual(found.small, { value: 18, bytes: 0 }));

test('every op', { skip }, () => assert.deepEqual(found.ops, []));

for (const name of golden) {
  test(`the model ${name}`, { skip: skip || (!models.includes(name) && 'its files are not here') }, () => {
    const { worst, before, after } = found.models.find((model) => model.name === name);
    assert.ok(worst <= kTolerance, `differs by ${worst} of the mean output`);
    assert.deepEqual(after, before);
  });
}

test('the pipelines of a model are compiled asynchronously while it loads', { skip }, () => {
  const { atLoad, atFirst, before, after } = found.compiledAhead;
  assert.ok(atLoad.async > 0);
  assert.deepEqual([atLoad.sync, atFirst], [0, atLoad]);
  assert.deepEqual(after, before);
});

test('time() has the time on the GPU', { skip }, () => {
  const { hasTimestamps, kernelMs, wallMs } = found.timing;
  assert.ok(hasTimestamps);
  // The CPU takes a fraction of a millisecond to record it.
  assert.ok(kernelMs > 1 && kernelMs <= wallMs, `${kernelMs} of ${wallMs}`);
});

test('10,000 predictions under tidy leave the numbers of tensors and buffers unchanged', { skip }, () => {
  const { start, before, after, end } = found.predictions;
  assert.deepEqual(after, before);
  assert.deepEqual(end, start);
});

test('a model learns, in flat memory', { skip }, () => {
  const { first, last, middle, after, before, end } = found.training;
  assert.ok(last < first / 10, `the loss is ${last} after ${first}`);
  assert.deepEqual(after, middle);
  assert.deepEqual(end, before);
});

test('asynchronous reads', { skip }, () => {
  assert.deepEqual(found.reads, { onGpu: true, first: 4, last: 4, again: 9, int: 2 ** 24 + 1 });
});

test('synchronous reads are exact for every size', { skip }, () => {
  for (const [size, wrong] of Object.entries(found.blockingReads)) assert.equal(wrong, 0, `of ${size} values`);
});

test('a read pins a disposed buffer, and memory() reports it', { skip }, () => {
  const { before, during, after, value } = found.parts;
  const { scratch } = before;
  assert.deepEqual(during, { cpuAddsUp: true, scratch, gpuAddsUp: true, isPinned: true, onGpu: true });
  assert.deepEqual(after, { ...before, cpuAddsUp: true, gpuAddsUp: true, isPinned: false });
  assert.equal(value, 4);
});

test('buffers are shared with the program', { skip }, () => checkSharedBuffers(found.shared));

test('a worker has a device of its own', { skip }, () => {
  const { before } = found.worker;
  assert.deepEqual(found.worker, { chosen: true, onGpu: true, value: 9, before, after: before });
});

test('a lost device is replaced', { skip }, () => {
  const { events, whileLost, errors, value, onGpu } = found.deviceLoss;
  assert.deepEqual(events, ['lost', 'restored']);
  assert.deepEqual(whileLost, [2, 0]);
  assert.deepEqual(errors, Array(3).fill('ContextLostError'));
  assert.deepEqual([value, onGpu, found.devices], [3, true, 2]);
});

test('leaks nothing', { skip }, () => assert.deepEqual(found.after, found.before));
