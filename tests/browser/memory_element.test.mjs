// <tenure-memory> in a page with the strictest policy that the engine supports.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import { root } from '../../cpp/toolchain/use.mjs';
import { openBrowser, skip, watch } from './chrome.mjs';
import { serve } from './server.mjs';

const kWait = { timeout: 60_000 };
const kMaxBytes = 4 * 1024;
const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'";
let browser;
let server;

before(async () => {
  if (skip) return;
  browser = await openBrowser();
  const folders = { '/': path.join(root, 'tests/browser/memory_page'), '/package/': path.join(root, '/') };
  server = await serve(folders, { policy: kPolicy });
});
after(() => {
  server?.close();
  return browser?.close();
});

test('the element is a few KB without an engine', () => {
  const code = readFileSync(path.join(root, 'dist/memory.js'));
  assert.ok(gzipSync(code, { level: 9 }).length < kMaxBytes, `${gzipSync(code).length} bytes`);
  assert.doesNotMatch(code.toString(), /WebAssembly|\bimport\b/);
});

test('importing the element outside a page is harmless', async () => {
  const { TenureMemory, showMemory } = await import('../../dist/memory.js');
  assert.equal(typeof TenureMemory, 'function');
  assert.equal(typeof showMemory, 'function');
});

test('shows live tensors, folded and unfolded, and warns of growing bytes', { skip }, () =>
  visit('index.js', async (page) => {
    const head = page.getByRole('button', { name: /tensors?, / });
    await head.filter({ hasText: '0 tensors, 0 B' }).waitFor();
    assert.equal(await head.getAttribute('aria-expanded'), 'false');
    await page.evaluate(() => leak(4));
    await head.filter({ hasText: '4 tensors, 1.0 MB' }).waitFor();
    // By keyboard.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await head.getAttribute('aria-expanded'), 'true');
    await page.getByRole('img', { name: /^Bytes over the last minute: now 1\.0 MB, at most 1\.0 MB$/ }).waitFor();
    await page.getByText('The debug build, tenure/debug, would name').waitFor();
    // In the same turn: the element also counts periodically, and would find no growth afterwards.
    const grows = await page.evaluate(() => {
      for (let i = 0; i < 12; i++) {
        leak(1);
        element.refresh();
      }
      return element.shadowRoot.querySelector('.head').classList.contains('grows');
    });
    assert.equal(grows, true);
    await page.getByRole('button', { name: 'Open report' }).click();
    await page.getByText('Only the debug build has one.').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    assert.equal(await head.getAttribute('aria-expanded'), 'false');
  }),
);

test('the debug build names the lines, copies the report, and opens it as a page', { skip }, () =>
  visit('debug/index.js', async (page) => {
    await page.evaluate(() => element.setAttribute('open', ''));
    await page.evaluate(() => leak(3));
    const row = page.getByRole('row').filter({ hasText: /zeros at .*page\.js:9:\d+/ });
    await row.filter({ hasText: '+3' }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy report' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^3 tensors alive, 768\.0 KB, by site\n/);
    assert.match(copied, /"numTensors": 3/);

    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open report' }).click();
    const report = await opened;
    await report.getByRole('heading', { name: '3 tensors alive, 768.0 KB' }).waitFor();
    assert.equal(await report.title(), 'Tenure: tensors alive');
    // Its style is applied under a policy that forbids styles in pages.
    assert.equal(
      await report
        .locator('table')
        .first()
        .evaluate((table) => getComputedStyle(table).borderCollapse),
      'collapse',
    );
    await report.close();
  }),
);

test('a removed element stops counting, and another engine restarts the counts', { skip }, () =>
  visit('index.js', async (page) => {
    const counts = await page.evaluate(async () => {
      let reads = 0;
      const other = { memory: () => ({ numTensors: ++reads, numBytes: reads }) };
      element.tf = other;
      element.remove();
      const before = reads;
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const whileOut = reads - before;
      document.body.append(element);
      return { before, whileOut, after: reads - before, text: element.shadowRoot.querySelector('b').textContent };
    });
    assert.deepEqual(counts, { before: 1, whileOut: 0, after: 1, text: '2 tensors, 2 B' });
  }),
);

test('an element created before its class is defined keeps its property', { skip }, () =>
  visit('index.js', async (page) => {
    const text = await page.evaluate(() => {
      const late = document.createElement('tenure-memory');
      Object.defineProperty(late, 'tf', { value: engine, configurable: true, writable: true, enumerable: true });
      document.body.append(late);
      return [late.shadowRoot.querySelector('b').textContent, Object.hasOwn(late, 'tf')];
    });
    assert.deepEqual(text, ['0 tensors, 0 B', false]);
  }),
);

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds no violations, ${colorScheme}`, { skip }, () =>
    visit(
      'debug/index.js',
      async (page) => {
        await page.evaluate(() => {
          element.setAttribute('open', '');
          leak(3);
          element.refresh();
        });
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
          [],
        );
      },
      { colorScheme },
    ),
  );
}

async function visit(build, use, look = {}) {
  const page = await browser.newPage({ viewport: { width: 360, height: 640 }, ...look });
  await page.route('**/favicon.ico', (route) => route.fulfill());
  page.setDefaultTimeout(kWait.timeout);
  const problems = watch(page);
  try {
    await page.goto(`${server.url}/index.html#${build}`);
    await page.waitForFunction(() => globalThis.element);
    await use(page);
    // The debug build warns of these on purpose.
    assert.deepEqual(
      problems.filter((problem) => !/was collected without dispose$/.test(problem)),
      [],
    );
  } catch (error) {
    throw new Error([error.message, ...problems].join('\n'), { cause: error });
  } finally {
    await page.close();
  }
}
