// Device loss during reads, loads, training and uploads, and concurrent starts, on WebGPU.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { before } from 'node:test';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

let found;

before(async () => {
  if (skip) return;
  const project = projectOf({ 'tests/browser/page': '.', 'tests/web/common.mjs': 'common.mjs' });
  const browser = await openBrowser({ webgpu: true });
  try {
    const folders = { '/': project, '/tenure/': path.join(project, 'node_modules/tenure') };
    found = await served(browser, folders, '/webgpu_loss.html');
  } finally {
    await browser.close();
  }
});

/** Checks that a loss was noticed once, and left nothing. Returns what the program saw. */
function checkLoss({ result, events, before, after }) {
  assert.deepEqual(events, ['lost', 'restored']);
  assert.deepEqual(after, before);
  return result;
}

test('while tensors are read', { skip }, () =>
  assert.deepEqual(checkLoss(found.reads), Array(3).fill('ContextLostError')),
);

test('while pipelines of a model are compiled', { skip }, () => {
  const { pending, difference } = checkLoss(found.loading);
  assert.ok(pending);
  assert.ok(difference < 1e-3, `${difference}`);
});

test('while a model is trained', { skip }, () =>
  assert.deepEqual(checkLoss(found.training), Array(2).fill('ContextLostError')),
);

test('within a step of an optimizer', { skip }, () =>
  assert.deepEqual(checkLoss(found.step), Array(2).fill('ContextLostError')),
);

test('while tensors are uploaded', { skip }, () =>
  assert.deepEqual(checkLoss(found.uploads), ['ContextLostError', 'ContextLostError', 4096, true]),
);

test('each loss opens one device', { skip }, () => assert.equal(found.opened, 6));

test('concurrent starts share a device, and the last backend that is set is the current one', { skip }, () => {
  const { both, opened, afterBoth, settled, backend, before, after } = found.starts;
  assert.deepEqual([both, opened, afterBoth], [[true, true], 1, 'webgpu']);
  assert.deepEqual([settled, backend], [[false, true], 'wasm']);
  assert.deepEqual(after, before);
});

test('two engines in a page have a device each', { skip }, () => {
  const { chosen, isShared, lost, values, isUntouched, before, after } = found.second;
  assert.deepEqual([chosen, isShared, lost, isUntouched], [true, false, 'ContextLostError', true]);
  assert.deepEqual(values, [256, 256, 256]);
  assert.deepEqual(after, before);
});
