// Opens the demo's pages as users do: under their own policy, and without console messages.
import assert from 'node:assert/strict';
import path from 'node:path';
import axe from 'axe-core';
import { root } from '../../cpp/toolchain/use.mjs';
import { buildPage, servePage } from '../../web/demo/build.mjs';
import { openBrowser, watch } from './chrome.mjs';

export const kWait = { timeout: 60_000 };
/** The debug build warns of these mistakes, which the first page makes on purpose. */
const kIntended = [
  /was collected without dispose$/,
  /made by fromPixels at web\/demo\/mistakes\.ts:\d+:\d+ was disposed by dispose/,
];

/** Builds the demo into `build/NAME`, as other tests build it at the same time, and opens a browser for it. */
export async function openDemo(name) {
  const folder = path.join(root, 'build', name);
  await buildPage({ folder });
  const browser = await openBrowser({ webgl: true, flags: ['--js-flags=--expose-gc'] });
  return { folder, browser };
}

/** Opens a page, runs `use` on it once `isReady` is true in it, and fails if there was a console message. */
export async function visitDemo({ folder, browser }, { name = '', query = '', isolated, init, ...look }, isReady, use) {
  const server = await servePage({ folder, isolated });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...look });
  page.setDefaultTimeout(kWait.timeout);
  const problems = watch(page);
  try {
    await init?.(page);
    await page.goto(server.url + name + query);
    await page.waitForFunction(isReady, null, kWait);
    assert.equal(await page.evaluate(() => crossOriginIsolated), isolated ?? true);
    await use(page);
    assert.deepEqual(
      problems.filter((problem) => !kIntended.some((intended) => intended.test(problem))),
      [],
    );
  } catch (error) {
    const status = await page
      .locator('#status')
      .textContent({ timeout: 1000 })
      .catch(() => 'no #status to read');
    throw new Error([error.message, status, ...problems].join('\n'), { cause: error });
  } finally {
    await page.close();
    await server.close();
  }
}

/** Waits until the page's status matches. */
export const said = (page, pattern) => page.locator('#status').filter({ hasText: pattern }).waitFor(kWait);

/** Fails if the page is wider than its window. */
export async function assertNoScrolling(page) {
  const [scrollWidth, clientWidth] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth}`);
}

/** Fails if axe finds a violation in the page. */
export async function assertAccessible(page) {
  // The policy forbids a script element with inline text.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
  );
}

/** Fails if the keyboard does not reach every visible control, in the order of the page and with a visible focus. */
export async function assertReachable(page) {
  const wanted = await page
    .locator('button:visible, select:visible')
    .evaluateAll((controls) => controls.map(({ id }) => id));
  const reached = new Set();
  for (let i = 0; i < wanted.length + 25; i++) {
    await page.keyboard.press('Tab');
    const { id, outline } = await page.evaluate(() => {
      const { id } = document.activeElement;
      return { id, outline: getComputedStyle(document.activeElement).outlineStyle };
    });
    if (!wanted.includes(id)) continue;
    reached.add(id);
    assert.equal(outline, 'solid', `the focus on #${id} is to be seen`);
  }
  assert.deepEqual([...reached], wanted);
}

/** The widths and colour schemes in which pages are tested. */
export const kLooks = [360, 1280].flatMap((width) =>
  ['light', 'dark'].map((colorScheme) => ({ viewport: { width, height: 800 }, colorScheme })),
);

/** Shows in the page what fails while its program loads. Returns when the page has reported it. */
export async function assertShowsFailure({ folder, browser }, name, program) {
  const server = await servePage({ folder });
  const page = await browser.newPage();
  try {
    await page.route(`**/${program}-*.js`, (route) => route.fulfill({ status: 404 }));
    await page.goto(server.url + name);
    await page.locator('#status.problem', { hasText: program }).waitFor(kWait);
  } finally {
    await page.close();
    await server.close();
  }
}
