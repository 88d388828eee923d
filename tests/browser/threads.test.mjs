// The engine that a page loads, cross-origin isolated and not, and the results of its threads.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { openBrowser, skip, watch } from './chrome.mjs';
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

/** Opens a page; returns its result, the package files that it requested, and its problems. */
async function visit(name, options, answer = (route) => route.continue()) {
  const server = await serve({ '/': project, '/tenure/': path.join(project, 'node_modules/tenure') }, options);
  const page = await browser.newPage();
  const problems = watch(page);
  const asked = new Set();
  await page.route('**/favicon.ico', (route) => route.fulfill());
  await page.route('**/dist/*', (route) => {
    asked.add(path.basename(new URL(route.request().url()).pathname));
    return answer(route);
  });
  try {
    await page.goto(`${server.url}/${name}`);
    const found = await page
      .locator('#result')
      .textContent()
      .catch((error) => {
        throw new Error([error.message, ...problems].join('\n'));
      });
    return { found: JSON.parse(found), asked: [...asked], problems };
  } finally {
    await page.close();
    server.close();
  }
}
const engines = (asked) => asked.filter((name) => name.endsWith('.wasm')).sort();
const kPixels = [255, 0, 0, 0, 255, 0];

function assertRight({ differ, sameGradients, isSame, drawn, message, pixels, dump, grown, grew, left, end }) {
  assert.deepEqual(
    { differ, sameGradients, isSame, drawn, pixels, grown, grew, left, end },
    {
      differ: 0,
      sameGradients: true,
      isSame: true,
      drawn: [true, true],
      pixels: kPixels,
      grown: 2,
      grew: true,
      left: 0,
      end: 1,
    },
  );
  assert.match(message, /reshape/);
  assert.match(dump, /frames/);
}

test('an isolated page loads the engine with threads, which compute the same', { skip }, async () => {
  const { found, asked, problems } = await visit('threads.html', { isolated: true });
  assert.deepEqual(problems, []);
  assert.equal(found.isolated, true);
  assert.equal(found.threads, 3);
  assert.deepEqual(found.flags, [true, true]);
  assertRight(found);
  assert.deepEqual(
    engines(asked),
    ['extra.', 'models.', 'relaxed.', ''].map((part) => `tenure.${part}wasm`),
  );
  assert.ok(asked.includes('tenure.worker.js'));
});

test('a page without isolation has one thread, without console messages', { skip }, async () => {
  const { found, asked, problems } = await visit('threads.html');
  assert.deepEqual(problems, []);
  assert.equal(found.isolated, false);
  assert.equal(found.threads, 1);
  assert.deepEqual(found.flags, [true, false]);
  assertRight(found);
  const expected = ['tenure.extra.wasm', 'tenure.models.wasm', 'tenure.wasm'];
  assert.deepEqual(
    engines(asked).filter((name) => name !== 'tenure.relaxed.wasm'),
    expected,
  );
  assert.ok(!asked.includes('tenure.worker.js'));
});

test('one thread computes if workers are forbidden', { skip }, async () => {
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'";
  const { found } = await visit('threads.html', { isolated: true, policy });
  assert.equal(found.threads, 1);
  assertRight(found);
});

test('one thread computes if the file of the workers is missing', { skip }, async () => {
  const answer = (route) => (/worker/.test(route.request().url()) ? route.fulfill({ status: 404 }) : route.continue());
  const { found } = await visit('threads.html', { isolated: true }, answer);
  assert.equal(found.threads, 1);
  assertRight(found);
});

test('ops run kernels without relaxed SIMD if the others were not copied', { skip }, async () => {
  const asked = [];
  const answer = (route) => {
    const name = path.basename(route.request().url());
    if (!/relaxed/.test(name)) return route.continue();
    asked.push(name);
    return route.fulfill({ status: 404 });
  };
  const { found } = await visit('threads.html', { isolated: true }, answer);
  assert.deepEqual(asked, ['tenure.relaxed.wasm']);
  assert.equal(found.threads, 3);
  assertRight(found);
});

test('a page continues without workers that were terminated from outside, and warns once', { skip }, async () => {
  const { found } = await visit('threads_ended.html', { isolated: true });
  assert.deepEqual(found, { threads: [3, 3, 3], said: [], warnings: 1, numTensors: 0 });
});

test('the classic script has threads too', { skip }, async () => {
  const { found, asked, problems } = await visit('threads_classic.html', { isolated: true });
  assert.deepEqual(problems, []);
  assert.deepEqual(found, { threads: 2, sum: 400 ** 3 });
  assert.ok(engines(asked).includes('tenure.wasm'));
});
