// dataSync() on WebGPU in pages and workers, isolated and not, with canvases that the browser alters and that it does not.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { before } from 'node:test';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

const found = {};

before(async () => {
  if (skip) return;
  const project = projectOf({ 'tests/browser/page': '.', 'tests/web/common.mjs': 'common.mjs' });
  const browser = await openBrowser({ webgpu: true });
  const folders = { '/': project, '/tenure/': path.join(project, 'node_modules/tenure') };
  try {
    for (const isolated of [false, true])
      found[isolated] = await served(browser, folders, '/webgpu_reads.html', { isolated });
  } finally {
    await browser.close();
  }
});

for (const isolated of [false, true]) {
  const name = isolated ? 'isolated' : 'not isolated';
  for (const where of ['page', 'worker']) {
    test(`a ${where} reads at once: ${name}`, { skip }, () => {
      const { chosen, isIsolated, atOnce, later, before, after } = found[isolated][where];
      assert.deepEqual([chosen, isIsolated, atOnce, later], [true, isolated, 0, 0]);
      assert.deepEqual(after, before);
    });
  }
  for (const where of ['alteredPage', 'alteredWorker']) {
    test(`altered canvases are noticed, and data() reads: ${where}, ${name}`, { skip }, () => {
      const { atOnce, later, before, after } = found[isolated][where];
      assert.match(String(atOnce), /alters what is read from a canvas.*`await tensor\.data\(\)` first/);
      assert.equal(later, 0);
      assert.deepEqual(after, before);
    });
  }
}
