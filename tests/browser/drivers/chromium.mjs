import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root } from '../../../cpp/toolchain/use.mjs';
import { openBrowser, watch } from '../chrome.mjs';

const kPacked = path.join(root, 'tests/browser/drivers/node_modules/@sparticuz/chrome-aws-lambda/bin/chromium.br');
const kBinary = path.join(root, 'build/chromium102/chromium');

/**
 * Starts Chromium 102, unpacking it once. Like Chrome before 115, it compiles at most 4 KB synchronously on the main thread.
 */
export async function openChromium102() {
  if (!existsSync(kBinary)) {
    mkdirSync(path.dirname(kBinary), { recursive: true });
    writeFileSync(`${kBinary}.part`, brotliDecompressSync(readFileSync(kPacked)), { mode: 0o755 });
    renameSync(`${kBinary}.part`, kBinary);
  }
  return driven(await openBrowser({ executablePath: kBinary, flags: ['--no-zygote', '--disable-gpu'] }));
}

/** Starts the Chromium that the other tests use. */
export async function openChromium() {
  return driven(await openBrowser({ webgl: true }));
}

function driven(browser) {
  return { version: browser.version(), open: (url) => openPage(browser, url), close: () => browser.close() };
}

async function openPage(browser, url) {
  const page = await browser.newPage();
  await page.route('**/favicon.ico', (route) => route.fulfill());
  const problems = watch(page);
  await page.goto(url, { waitUntil: 'commit' });
  return {
    problems: () => problems,
    evaluate: (body, ...args) => page.evaluate(`(${body})(...${JSON.stringify(args)})`),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}
