// The demo's detection page: on a picture, with models that are served beside it, chosen from a folder, or missing.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { buildPage, servePage } from '../../web/demo/build.mjs';
import { modelsFolder } from '../golden_models.mjs';
import { openBrowser, skip as noBrowser, watch } from './chrome.mjs';

// SwiftShader takes seconds to compile some kernels of WebGPU.
const kWait = { timeout: 300_000 };
const kModels = ['blazeface', 'facemesh', 'eye-iris'];
const picture = path.join(modelsFolder, '../images/three_people.jpg');
const missing = [...kModels.map((name) => path.join(modelsFolder, name)), picture].find((file) => !existsSync(file));
const skip = noBrowser || (missing && `there is no ${missing}`);
/** Output folder of these tests alone: others build the demo at the same time. */
const folder = path.join(root, 'build/demo_detection');
let browser;

before(async () => {
  if (noBrowser) return;
  await buildPage({ folder });
  browser = await openBrowser({ webgpu: true });
});
after(() => browser?.close());

/** Opens the page with or without served models (`beside`), after the script `init`. Returns the console's messages. */
async function visit(beside, use, init = () => {}) {
  const server = await servePage({ folder });
  const page = await browser.newPage();
  try {
    const problems = watch(page);
    await page.addInitScript(init);
    await page.route('**/models/**', (route) => {
      const file = path.join(modelsFolder, new URL(route.request().url()).pathname.replace(/^\/models\//, ''));
      return beside && existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 });
    });
    await page.goto(`${server.url}detection.html`);
    await use(page);
    return problems;
  } finally {
    await page.close();
    await server.close();
  }
}

async function said(page, words) {
  const found = page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('#status').textContent),
    words.source,
    kWait,
  );
  await found.catch(async () => assert.match(await page.locator('#status').textContent(), words));
}

const frames = (page, count) =>
  page.waitForFunction((least) => globalThis.tenureDetection?.frames >= least, count, kWait);
const shown = (page) => page.evaluate(() => globalThis.tenureDetection);
const tensors = async (page) => Number((await page.locator('#tensors').textContent()).replaceAll(',', ''));

test('finds the faces of a picture on all backends, and the number of tensors stays constant', { skip }, async () => {
  const problems = await visit(true, async (page) => {
    await said(page, /^The models are loaded/);
    await page.setInputFiles('#picture', picture);
    await said(page, /^It looks at/);
    for (const [backend, name] of Object.entries({ wasm: 'WebAssembly', webgl: 'WebGL2', webgpu: 'WebGPU' })) {
      await page.selectOption('#backend', backend);
      await said(page, new RegExp(`^It computes on ${name}`));
      await frames(page, 6);
      const { faces, tensors: counts } = await shown(page);
      assert.equal(faces.length, 3);
      for (const { box, mesh, irises } of faces) {
        assert.ok(box.size > 30 && mesh.length === 468 && irises.length === 2);
        const inBox = mesh.filter(
          ([x, y]) => x >= box.left && x <= box.left + box.size && y >= box.top && y <= box.top + box.size,
        );
        assert.ok(inBox.length > 400, `${inBox.length} points lie in the box`);
      }
      assert.equal(new Set(counts.slice(1)).size, 1, counts.join());
      assert.match(await page.locator('#found').textContent(), /^3 faces/);
      assert.ok(Number(await page.locator('#time').textContent()) > 0);
      assert.equal(await page.locator('#crops canvas').count(), 3);
    }
    await page.screenshot({ path: process.env.TENURE_SCREENSHOT ?? 'build/detection.png' });
    await page.click('#stop');
    await said(page, /^It has stopped/);
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
    assert.equal(await tensors(page), 0);
  });
  // WebGL reports each read that waits for the software renderer.
  const isStall = (problem) => /GL Driver Message .*GPU stall due to ReadPixels/.test(problem);
  assert.deepEqual(
    problems.filter((problem) => !isStall(problem)),
    [],
  );
});

test('models are read from a chosen folder; missing models and pictures are reported', { skip }, async () => {
  await visit(false, async (page) => {
    await said(page, /^There are no models beside this page/);
    await page.click('#load');
    await said(page, /404/);
    await page.setInputFiles('#folder', modelsFolder);
    await said(page, /^The models are loaded/);
    const before = await page.evaluate(() => globalThis.tenureDetection.frames);
    assert.equal(before, 0);
    await page.setInputFiles('#picture', path.join(modelsFolder, 'SOURCES.md'));
    await said(page, /InvalidStateError/);
    await page.setInputFiles('#picture', picture);
    await said(page, /^It looks at/);
    await frames(page, 2);
    assert.equal((await shown(page)).faces.length, 3);
  });
});

test('a browser without WebGPU, or without a device for it, is told in a sentence', { skip }, async () => {
  const hide = () => Object.defineProperty(navigator, 'gpu', { value: undefined });
  const refuse = () => Object.defineProperty(navigator.gpu, 'requestAdapter', { value: () => Promise.resolve(null) });
  await visit(
    true,
    async (page) => {
      await said(page, /^The models are loaded/);
      assert.equal(await page.locator('#backend-hint').textContent(), 'This browser has no WebGPU.');
      assert.ok(await page.locator('#backend option[value=webgpu]').isDisabled());
    },
    hide,
  );
  await visit(
    true,
    async (page) => {
      await said(page, /^The models are loaded/);
      assert.equal(await page.locator('#backend-hint').textContent(), '');
      await page.selectOption('#backend', 'webgpu');
      await said(page, /^There is no WebGPU \(GPU\) here\. It computes on \w+ \((CPU|GPU)\)\.$/);
      assert.notEqual(await page.locator('#backend').inputValue(), 'webgpu');
    },
    refuse,
  );
});
