// The engine on WebGL2 with a software renderer, which it would not choose by itself.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { before } from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { kGoldenGraphs, kGoldenModels, modelsFolder } from '../golden_models.mjs';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

const kTolerance = 2e-3;

const golden = [...kGoldenModels, ...kGoldenGraphs];
const models = golden.filter((name) => existsSync(path.join(modelsFolder, name, 'golden.json')));
let found;

before(async () => {
  if (skip) return;
  const project = projectOf({
    'tests/browser/page': '.',
    'tests/web/common.mjs': 'common.mjs',
    'examples/iris': 'iris',
  });
  writeFileSync(path.join(project, 'models.json'), JSON.stringify(models));
  const browser = await openBrowser({ webgl: true });
  const folders = {
    '/': project,
    '/tenure/': path.join(project, 'node_modules/tenure'),
    '/models/': modelsFolder,
    '/mobilenet025/': path.join(root, 'tests/browser/mobilenet025'),
    '/web/ops/': path.join(root, 'tests/web/ops'),
    '/web/expect.mjs': path.join(project, 'tf.js'),
  };
  try {
    found = await served(browser, folders, '/webgl.html');
    found.debug = await served(browser, folders, '/webgl_debug.html');
  } finally {
    await browser.close();
  }
});

test('a software renderer is not chosen over the CPU', { skip }, () => {
  assert.equal(found.byDefault, 'wasm');
  assert.equal(found.chosen, true);
  assert.equal(found.backend, 'webgl');
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

test('asynchronous reads', { skip }, () => {
  assert.deepEqual(found.reads, { onGpu: true, first: 4, last: 4, again: 9, int: 2 ** 24 + 1 });
});

test('a profile reports which kernel transferred its inputs', { skip }, () => {
  assert.deepEqual(found.crossings, [
    ['Add', `uploads: 1, downloads: 0, bytes: ${4 * 64 * 64}, fallbacks: 0`],
    ['Exp', ''],
  ]);
});

test('the debug build warns once of waiting for the GPU', { skip }, () => {
  const { values, warnings } = found.debug;
  assert.deepEqual(values, [9, 4]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /await data\(\) instead/);
});

test('a worker has a context of its own', { skip }, () => {
  const { before } = found.worker;
  assert.deepEqual(found.worker, { chosen: true, onGpu: true, value: 9, before, after: before });
});

test('pictures convert to tensors and back', { skip }, () => {
  const {
    size: [width, height],
    bytes,
    got,
    drawn,
  } = found.pixels;
  for (const [name, [shape, values, nested]] of Object.entries(got)) {
    const channels = Number(name.at(-1));
    const expected = bytes.filter((_, i) => i % 4 < channels);
    assert.deepEqual([shape, values, nested.flat(2)], [[height, width, channels], expected, expected], name);
  }
  assert.equal(Object.keys(got).length, 18);
  for (const [name, result] of Object.entries(drawn)) assert.deepEqual(result, [width, height, bytes], name);
  assert.equal(Object.keys(drawn).length, 6);
});

test('a read pins a disposed buffer, and memory() reports it', { skip }, () => {
  const { before, during, after, value } = found.parts;
  const { scratch } = before;
  assert.deepEqual(during, { cpuAddsUp: true, scratch, gpuAddsUp: true, isPinned: true, onGpu: true });
  assert.deepEqual(after, { ...before, cpuAddsUp: true, gpuAddsUp: true, isPinned: false });
  assert.equal(value, 4);
});

test('10,000 predictions under tidy leave the numbers of tensors and textures unchanged', { skip }, () => {
  const { start, before, after, end } = found.predictions;
  assert.deepEqual(after, before);
  assert.deepEqual(end, start);
});

test('a lost context is restored', { skip }, () => {
  for (const { events, before, whileLost, after, errors, computes, onGpu } of found.contextLoss) {
    assert.deepEqual(events, ['lost', 'restored']);
    for (const p of [whileLost, ...after]) assert.ok(Math.abs(p - before) < 1e-5, `${p} is not ${before}`);
    assert.deepEqual(errors, Array(4).fill('ContextLostError'));
    assert.deepEqual([computes, onGpu], [9, true]);
  }
});

test('leaks nothing', { skip }, () => assert.deepEqual(found.after, found.before));
