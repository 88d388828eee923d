// Measures the gzipped download of pages that Vite builds: bundlers leave out what a program does not use.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { openBrowser, skip, visit } from './chrome.mjs';
import { projectOf } from './packed.mjs';
import { serve } from './server.mjs';

/** Maximum kilobytes before the first op, and until the program has shown its result. */
const kLimits = { named: { start: 221, all: 412 }, model: { start: 257, all: 450 } };

let project;
let browser;

before(async () => {
  if (skip) return;
  project = projectOf({ 'tests/browser/page': '.' });
  browser = await openBrowser();
});
after(() => browser?.close());

for (const [name, limits] of Object.entries(kLimits)) {
  test(`a program of the kind "${name}"`, { skip }, async (t) => {
    const folder = await bundle(`download_${name}.html`);
    const { start, all } = await download(folder, `/download_${name}.html`);
    t.diagnostic(`${start.toFixed(1)} KB before the first op, ${all.toFixed(1)} KB in all`);
    assert.ok(start <= limits.start, `${start} KB before the first op, at most ${limits.start}`);
    assert.ok(all <= limits.all, `${all} KB in all, at most ${limits.all}`);
    // Less would mean that the engine was not counted.
    assert.ok(start > 150);
  });
}

async function bundle(page) {
  delete process.env.NODE_ENV;
  const outDir = `${project}/built/${page}`;
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'es2022', chunkSizeWarningLimit: 4000, rollupOptions: { input: `${project}/${page}` } },
  });
  return outDir;
}

/** Returns the gzipped kilobytes of the scripts that a page begins with, and of everything until its result. */
async function download(folder, page) {
  const server = await serve({ '/': folder });
  // A synchronous call may ask for a part that is on its way: the browser's cache answers.
  const fetched = new Set();
  const context = await browser.newContext();
  context.on('request', (request) => fetched.add(new URL(request.url()).pathname));
  try {
    await visit(context, server.url + page);
    const files = [...fetched].filter((name) => /\.(?:html|js|wasm)$/.test(name));
    const zipped = (name) => gzipSync(readFileSync(folder + name), { level: 9 }).length;
    const kilobytes = (names) => names.reduce((sum, name) => sum + zipped(name), 0) / 1024;
    return { start: kilobytes(files.filter((name) => name.endsWith('.js'))), all: kilobytes(files) };
  } finally {
    await context.close();
    server.close();
  }
}
