import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const chromiumPath = process.env.CHROMIUM;
const kTimeout = 600_000;
// A rasterizer in the GPU's place, where a machine has none.
const kSoftwareGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

/** Why tests of pages are to be skipped; false where there is a browser. */
export const skip = !chromiumPath && 'CHROMIUM names no browser: run `node tests/run.mjs browser`';

/** Starts the browser, with WebGL2 where asked for, and with flags of its own. */
export function openBrowser({ webgl = false, flags = [], executablePath = chromiumPath } = {}) {
  return chromium.launch({ executablePath, args: [...(webgl ? kSoftwareGl : []), ...flags] });
}

/** Shows a page of these folders, and gives what it found. */
export async function served(browser, folders, name, options) {
  const server = await serve(folders, options);
  try {
    return await visit(browser, server.url + name);
  } finally {
    server.close();
  }
}

/**
 * Shows a page, and gives what it found: a page shows it in #result. Whatever the console complains of is a failure, at
 * once.
 */
export async function visit(browser, url) {
  const page = await browser.newPage();
  await page.route('**/favicon.ico', (route) => route.fulfill());
  let problems;
  const failure = new Promise((resolve) => (problems = watch(page, resolve)));
  try {
    await page.goto(String(url), { waitUntil: 'commit' });
    const result = page.locator('#result').textContent({ timeout: kTimeout });
    await Promise.race([result, failure]);
    assert.deepEqual(problems, []);
    return JSON.parse(await result);
  } catch (error) {
    throw new Error([error.message, ...problems].join('\n'), { cause: error });
  } finally {
    await page.close();
  }
}

/** What goes wrong in a page from now on, as a list that grows; calls `noticed` each time. */
export function watch(page, noticed = () => {}) {
  const problems = [];
  const note = (problem) => {
    problems.push(problem);
    noticed();
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(message.text());
  });
  page.on('pageerror', (error) => note(error.stack));
  page.on('crash', () => note('the page crashed'));
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure();
    // Whoever reads a file's first line alone ends the reading of the rest.
    if (!(errorText === 'net::ERR_ABORTED' && request.url().startsWith('blob:'))) note(`${request.url()}: ${errorText}`);
  });
  page.on('response', (response) => {
    if (!response.ok()) note(`${response.url()}: ${response.status()}`);
  });
  return problems;
}
