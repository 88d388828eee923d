// Downloads of the engine's files by a page: lazy modules arrive in the background, or at once if a call needs them.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { openBrowser, skip } from './chrome.mjs';
import { projectOf } from './packed.mjs';
import { serve } from './server.mjs';

let project;
let browser;
before(async () => {
  if (skip) return;
  project = projectOf({ 'tests/browser/page': '.', 'tests/web/common.mjs': 'common.mjs' });
  browser = await openBrowser();
});
after(() => browser?.close());

/**
 * Opens the page, and calls `answer` with each request for wasm and its kind, such as 'fetch extra'; returns the page's result
 * and the requests.
 */
async function visit(answer) {
  const server = await serve({ '/': project, '/tenure/': path.join(project, 'node_modules/tenure') });
  const page = await browser.newPage();
  const asked = [];
  await page.route('**/*.wasm', (route) => {
    const request = route.request();
    const part = /tenure\.?(\w*)\.wasm/.exec(request.url())[1];
    asked.push(`${request.resourceType()} ${part || 'engine'}`);
    return answer(route, asked.at(-1));
  });
  try {
    await page.goto(`${server.url}/parts.html`);
    return { found: JSON.parse(await page.locator('#result').textContent()), asked };
  } finally {
    await page.close();
    server.close();
  }
}
const kSum = [54];
const kGradient = [2, 4, 6, 8];

/** Checks that results are those of a page that loads nothing. */
function assertRight({ sum, gradient, layer, left, graph }) {
  assert.deepEqual([sum, gradient, left], [kSum, kGradient, 0]);
  assert.match(layer, /field "units" must be a positive integer, got -4/);
  assert.match(graph, /the model's topology has no nodes/);
}

test('a page requests the engine, later its lazy modules, and none that it does not need', { skip }, async () => {
  const { found, asked } = await visit((route) => route.continue());
  assertRight(found);
  assert.equal(asked[0], 'fetch engine');
  assert.deepEqual(
    asked
      .filter((request) => request.startsWith('fetch'))
      .slice(1)
      .sort(),
    ['fetch extra', 'fetch graph', 'fetch models', 'fetch relaxed'],
  );
});

test('a call before its lazy module has arrived loads it synchronously', { skip }, async () => {
  const { found, asked } = await visit((route, request) =>
    /fetch (models|extra)/.test(request) ? undefined : route.continue(),
  );
  assertRight(found);
  assert.deepEqual(
    asked.filter((request) => request.startsWith('xhr')),
    ['xhr extra', 'xhr models'],
  );
});

test('a missing lazy module is an error of the call that needs it, which leaks nothing', { skip }, async () => {
  const { found } = await visit((route, request) =>
    /extra|graph/.test(request) ? route.fulfill({ status: 404 }) : route.continue(),
  );
  assert.deepEqual([found.sum, found.left], [kSum, 0]);
  assert.match(
    found.gradient,
    /^LoadError: Cannot load http.*\/tenure\.extra\.wasm: HTTP 404 .*Serve tenure\.extra\.wasm/,
  );
  assert.match(found.graph, /^LoadError: Cannot load http.*\/tenure\.(?:extra|graph)\.wasm: HTTP 404/);
});
