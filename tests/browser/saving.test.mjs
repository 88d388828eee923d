// Models in training that a page saves and loads.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { before } from 'node:test';
import { openBrowser, served, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';

let found;

before(async () => {
  if (skip) return;
  const project = projectOf({ 'tests/browser/page': '.', 'tests/web/common.mjs': 'common.mjs' });
  const browser = await openBrowser();
  try {
    found = await served(
      browser,
      { '/': project, '/tenure/': path.join(project, 'node_modules/tenure') },
      '/saving.html',
    );
  } finally {
    await browser.close();
  }
});

for (const name of ['localstorage', 'indexeddb', 'downloads and files']) {
  test(`by ${name}, with the optimizer`, { skip }, () => {
    assert.deepEqual(found.found[name], { iterations: 3, numbers: found.expected });
  });
}

test('saved models are listed and removed completely', { skip }, () => {
  assert.deepEqual(found.models, ['indexeddb://line', 'localstorage://line']);
  assert.deepEqual(found.left, []);
  assert.deepEqual(found.after, found.before);
});
