// Training on WebGL2 with a software renderer: the same numbers and weights as on the CPU, and no tensors left.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { before } from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { models, optimizers } from '../conformance/training.mjs';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

const kTolerance = 2e-3;

let found;

before(async () => {
  if (skip) return;
  const project = projectOf({ 'tests/browser/page': '.', 'tests/web/common.mjs': 'common.mjs' });
  const browser = await openBrowser({ webgl: true });
  const folders = {
    '/': project,
    '/tenure/': path.join(project, 'node_modules/tenure'),
    '/conformance/': path.join(root, 'tests/conformance'),
  };
  try {
    found = await served(browser, folders, '/webgl_training.html');
  } finally {
    await browser.close();
  }
});

test('models train as on the CPU', { skip }, () => {
  for (const { name, failed, by, left } of found.trained) {
    assert.equal(failed, undefined, name);
    assert.ok(by < kTolerance, `${name} differs by ${by}`);
    for (const counts of left) assert.deepEqual(counts, found.before, name);
  }
  assert.equal(found.trained.length, 3 * Object.keys(optimizers).length + models.length - 3);
});

test('steps leave the numbers of tensors and textures unchanged', { skip }, () => {
  const { start, few, many, end } = found.digits;
  assert.deepEqual(many.counts, few.counts);
  assert.ok(many.counts.numBytesInGPU > 0);
  assert.deepEqual(end, start);
  assert.ok(many.losses.at(-1) < 0.9 * few.losses[0], String([...few.losses, ...many.losses]));
});

test('a fit that loses its context rejects, and the model can be trained again', { skip }, () => {
  const { error, again, loss, start, end } = found.contextLoss;
  assert.deepEqual([error, again], ['ContextLostError', 'ContextLostError']);
  assert.ok(loss > 0 && loss < 5, String(loss));
  assert.deepEqual(end, start);
});

test('leaks nothing', { skip }, () => assert.deepEqual(found.after, found.before));
