import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const chromiumPath = process.env.CHROMIUM;
const kTimeout = 600_000;
// Software rendering for machines without a GPU.
const kSoftwareGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
/** WebGPU on the browser's own SwiftShader. Other sets of flags lost the device, or read zeros from canvases. */
const kSoftwareWebgpu = [
  ...kSoftwareGl,
  '--enable-unsafe-webgpu',
  '--enable-gpu-rasterization',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
];

/** The reason to skip tests of pages; false if there is a browser. */
export const skip = !chromiumPath && 'CHROMIUM names no browser: run `node tests/run.mjs browser`';

/** Starts the browser, with WebGL2 if `webgl`, with both and WebGPU if `webgpu`, and with additional `flags`. */
export function openBrowser({ webgl = false, webgpu = false, flags = [], executablePath = chromiumPath } = {}) {
  const software = webgpu ? kSoftwareWebgpu : webgl ? kSoftwareGl : [];
  return chromium.launch({ executablePath, args: [...software, ...flags] });
}

/** Opens a page of the served folders, and returns its result. */
export async function served(browser, folders, name, options) {
  const server = await serve(folders, options);
  try {
    return await visit(browser, server.url + name);
  } finally {
    server.close();
  }
}

/**
 * Opens a page, and returns the result that it writes into #result. Any error or warning on the console is a failure, at once.
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

/** Returns a list that collects a page's problems from now on; calls `noticed` for each. */
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
    // Reading only the first line of a file aborts the reading of the rest.
    if (!(errorText === 'net::ERR_ABORTED' && request.url().startsWith('blob:')))
      note(`${request.url()}: ${errorText}`);
  });
  page.on('response', (response) => {
    if (!response.ok()) note(`${response.url()}: ${response.status()}`);
  });
  return problems;
}
