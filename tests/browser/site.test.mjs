// The documentation's site as built for a static host: its links, examples and search, and axe's findings.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import axe from 'axe-core';
import { asProgram, documentedExports, runsInPages } from '../../docs/examples.mjs';
import { buildSite, prepareSite } from '../../docs/site/build.mjs';
import { openBrowser, skip as noBrowser, watch } from './chrome.mjs';
import { serve } from './server.mjs';

const kWait = { timeout: 60_000 };
// Directives that a page's own policy cannot contain.
const kPolicy = "frame-ancestors 'none'";
const skip = noBrowser || obstacle();
let browser;
let server;
let folder;
let pages;

before(async () => {
  if (skip) return;
  folder = await buildSite();
  pages = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.html') && !name.startsWith('demo'));
  browser = await openBrowser();
  server = await serve({ '/': folder }, { policy: kPolicy });
});
after(() => {
  server?.close();
  return browser?.close();
});

test('no link is broken', { skip }, () => {
  const ids = new Map();
  const idsOf = (file) => {
    if (!ids.has(file))
      ids.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)));
    return ids.get(file);
  };
  const broken = [];
  for (const page of pages) {
    const html = readFileSync(path.join(folder, page), 'utf8');
    for (const [, url] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:|mailto:)/.test(url)) continue;
      const { pathname, hash } = new URL(url.replaceAll('&amp;', '&'), `http://host/${page.split(path.sep).join('/')}`);
      const file = path.join(folder, decodeURIComponent(pathname), pathname.endsWith('/') ? 'index.html' : '');
      if (!existsSync(file)) broken.push(`${page}: ${url}`);
      else if (
        hash &&
        file.endsWith('.html') &&
        !file.includes('demo') &&
        !idsOf(file).has(decodeURIComponent(hash.slice(1)))
      )
        broken.push(`${page}: ${url}`);
    }
  }
  assert.ok(pages.length > 40, `${pages.length} pages`);
  assert.deepEqual([...new Set(broken)], []);
});

test('each page has a policy that forbids third-party scripts and eval', { skip }, () => {
  for (const page of pages) {
    const [, policy] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(path.join(folder, page), 'utf8')) ??
      [];
    const [scripts] = /script-src[^;]*/.exec(policy ?? '') ?? [''];
    assert.match(scripts, /^script-src 'self' 'wasm-unsafe-eval' blob:( 'sha256-[^']+')*\s*$/, page);
  }
});

test('the start page shows a leak of megabytes, and a loop that stays flat', { skip }, () =>
  visit('index.html', async (page) => {
    const megabytes = async (name) => parseInt(await page.locator(`.leak-live .${name} .figure`).textContent(), 10);
    await page.locator('.leak-live .leaking', { hasText: /The tab is full in \d+ (s|min)\./ }).waitFor(kWait);
    const first = await megabytes('leaking');
    await page.waitForFunction(
      (least) => parseInt(document.querySelector('.leak-live .leaking .figure').textContent, 10) > least,
      first + 5,
      kWait,
    );
    assert.equal(await megabytes('tidy'), 0);
    const bottom = await page
      .locator('.leak-live .leaking .figure')
      .evaluate((element) => element.getBoundingClientRect().bottom);
    assert.ok(bottom < 800, `${bottom} px`);
  }),
);

test('every example of the guides runs in the playground and prints its documented output', { skip }, () =>
  visit('playground.html', async (page) => {
    const examples = JSON.parse(readFileSync(new URL('../../build/site_pages/programs.json', import.meta.url), 'utf8'));
    assert.ok(examples.length >= 15);
    const button = page.getByRole('button', { name: 'Run' });
    for (const { title, prints } of examples) {
      await page.getByLabel('Example').selectOption({ label: title });
      await button.click(kWait);
      await page.locator('.playground dl').waitFor(kWait);
      const problem = page.locator('.playground .problem');
      assert.equal(await problem.count(), 0, `${title}: ${(await problem.allTextContents()).join()}`);
      const printed = (await page.locator('.playground .prints').textContent()).split('\n').filter(Boolean);
      assert.deepEqual(printed.slice(0, prints.length), prints, title);
    }
  }),
);

test('an example of the reference runs in the playground and returns its documented values', { skip }, () =>
  visit('api/ownership.html', async (page) => {
    await page.locator('#tidy ~ p a', { hasText: 'Run it' }).first().click();
    const program = page.getByRole('textbox', { name: 'Program' });
    await page.waitForFunction(
      () => document.querySelector('.playground textarea')?.value.includes('image.div(127.5)'),
      undefined,
      kWait,
    );
    assert.match(await program.inputValue(), /^import \* as tf from 'tenure';/);
    await page.getByRole('button', { name: 'Run' }).click(kWait);
    await page.locator('.playground dl').waitFor(kWait);
    assert.deepEqual((await page.locator('.playground .prints').textContent()).split('\n'), ['[ -1, 0, 1 ]', '2']);
    assert.equal(await page.locator('.playground .problem').count(), 0);
  }),
);

test('every example of the reference runs in a page and leaks nothing', { skip }, () =>
  visit('playground.html', async (page) => {
    const examples = documentedExports().flatMap(({ name, examples: codes, owns }) =>
      codes.filter(runsInPages).map((code) => ({ name, program: asProgram(code, owns) })),
    );
    const failed = await page.evaluate(runAll, examples);
    assert.deepEqual(failed, []);
  }),
);

test('the playground runs typed code and shows its error', { skip }, () =>
  visit('playground.html', async (page) => {
    await page
      .getByRole('textbox', { name: 'Program' })
      .fill("import * as tf from 'tenure';\nconst x = tf.ones([2]);\nx.dispose();\nx.add(1);");
    await page.getByRole('textbox', { name: 'Program' }).press('Control+Enter');
    await page.locator('.playground .problem', { hasText: /^DisposedError: / }).waitFor(kWait);
  }),
);

test('the search finds ops and guides, each once, without requests to other sites', { skip }, () =>
  visit('index.html', async (page) => {
    const box = page.locator('.VPLocalSearchBox input');
    // The page handles keys only once its script runs.
    for (let tries = 0; tries < 200 && !(await box.isVisible()); tries++) {
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(200);
    }
    const results = page.locator('.VPLocalSearchBox .result');
    for (const [words, address] of Object.entries({
      resizeBilinear: '/api/tf-image.html#resizeBilinear',
      'tree shaking': '/guide/bundle-size.html#tree-shaking',
      'bundle size': '/guide/bundle-size.html#bundle-size-and-imports',
      TensorBoard: '/guide/from-tfjs-node.html#tensorboard',
      'first program': '/guide/first-program.html#your-first-program',
    })) {
      await box.fill(words);
      await results.and(page.locator(`[href="${address}"]`)).waitFor(kWait);
      const found = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      assert.equal(found[0], address, words);
      assert.deepEqual(found, [...new Set(found)], words);
    }
  }),
);

test('the playground opens with the first program', { skip }, () =>
  visit('playground.html', async (page) => {
    const chosen = page.getByLabel('Example').locator('option:checked');
    assert.equal(await chosen.textContent(), 'Your first program, 1');
  }),
);

test('all pages open without console messages', { skip }, async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(kWait.timeout);
  const problems = watch(page);
  for (const name of pages.filter((name) => name !== '404.html')) {
    await page.goto(`${server.url}/${name}`, { waitUntil: 'domcontentloaded', timeout: 2 * kWait.timeout });
    await page.locator('h1, .VPHero').first().waitFor(kWait);
    // Requests aborted by the next navigation are not errors.
    assert.deepEqual(
      problems.filter((problem) => !problem.endsWith('net::ERR_ABORTED')),
      [],
      name,
    );
  }
  await page.close();
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
  [360, 'dark'],
]) {
  test(`axe finds no violations, ${width} px wide and ${colorScheme}`, { skip }, async () => {
    for (const name of [
      'index.html',
      'guide/ownership.html',
      'guide/bundle-size.html',
      'playground.html',
      'performance.html',
      'api/ownership.html',
      'api/tf-linalg.html',
    ]) {
      await visit(
        name,
        async (page) => {
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          assert.deepEqual(
            violations.map(({ id, nodes }) => [id, nodes[0].html]),
            [],
            name,
          );
          const { scrollWidth, clientWidth } = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            return { scrollWidth, clientWidth };
          });
          assert.ok(scrollWidth <= clientWidth, `${name}: ${scrollWidth} px in ${clientWidth}`);
        },
        { viewport: { width, height: 800 }, colorScheme },
      );
    }
  });
}

/** Runs in a page: runs programs one after the other, and returns those that throw or leave tensors. */
async function runAll(examples) {
  const failed = [];
  const { log, warn } = console;
  console.log = console.warn = () => {};
  for (const { name, program } of examples) {
    const entry = new URL(program.includes("'tenure/debug'") ? 'tenure/debug/index.js' : 'tenure/index.js', location)
      .href;
    const url = URL.createObjectURL(
      new Blob([program.replace(/from 'tenure[^']*'/, `from '${entry}'`)], { type: 'text/javascript' }),
    );
    const { memory } = await import(entry);
    const before = memory().numTensors;
    try {
      await import(url);
      if (memory().numTensors !== before) failed.push(`${name}: it leaves ${memory().numTensors - before} tensors`);
    } catch (error) {
      failed.push(`${name}: ${error}`);
    }
  }
  Object.assign(console, { log, warn });
  return failed;
}

/** Returns why the site cannot be built, if its tools cannot be installed; in CI this is an error. */
function obstacle() {
  try {
    prepareSite();
    return false;
  } catch (error) {
    if (process.env.CI) throw error;
    return 'what makes the site cannot be installed';
  }
}

async function visit(name, use, look = { viewport: { width: 1280, height: 800 } }) {
  const page = await browser.newPage(look);
  page.setDefaultTimeout(kWait.timeout);
  const problems = watch(page);
  try {
    await page.goto(`${server.url}/${name}`);
    await use(page);
    assert.deepEqual(
      problems.filter((problem) => !/was collected without dispose$/.test(problem)),
      [],
    );
  } catch (error) {
    throw new Error([`${name}: ${error.message}`, ...problems].join('\n'), { cause: error });
  } finally {
    await page.close();
  }
}
