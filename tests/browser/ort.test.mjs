// tenure/ort in a page without a bundler, by an import map and by script elements.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { before } from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

// An import map is an inline script, and the model is at the address of a blob.
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:";
let found;
let byScripts;

before(async () => {
  if (skip) return;
  const project = projectOf({
    'tests/browser/ort_page': '.',
    'tests/browser/page/show.js': 'show.js',
    'tests/bench/onnx.mjs': 'onnx.mjs',
  });
  const folders = {
    '/': project,
    '/tenure/': path.join(project, 'node_modules/tenure'),
    '/common/': path.join(root, 'node_modules/onnxruntime-common'),
  };
  const browser = await openBrowser({ webgl: true });
  try {
    found = await served(browser, folders, '/ort.html', { policy });
    byScripts = await served(browser, folders, '/script.html', { policy });
  } finally {
    await browser.close();
  }
});

for (const backend of ['wasm', 'webgl']) {
  test(`sessions run at the same time on ${backend}, and leave nothing`, { skip }, () =>
    assert.deepEqual(found[backend], { chosen: true, isRight: [true, true, true], left: 0, released: 0 }),
  );
}

test('script elements define `ort`, on the engine of `tf`', { skip }, () =>
  assert.deepEqual(byScripts, { data: [-1, 2], isTensor: true, left: 0, version: '1.30.0' }),
);

test('the page loads no wasm of onnxruntime-web', { skip }, () =>
  assert.deepEqual(found.versions, { common: '1.30.0' }),
);

test('float16 values are Float16Arrays where there are any, with the same bits', { skip }, () => {
  const { bits, names } = found.half;
  assert.deepEqual(bits, [
    [0x3e00, 0xc000],
    [0x3e00, 0xc000],
  ]);
  assert.equal(names[0], names[1]);
});
