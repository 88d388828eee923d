// `node web/demo/pictures.mjs`: takes the card for sharing, and the README's picture of the demo, from the running page.
// CHROMIUM names the browser.
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';
import { buildPage, servePage } from './build.mjs';

const kPictures = [
  { file: 'web/demo/public/card.png', viewport: { width: 1200, height: 630 }, colorScheme: 'dark' },
  { file: 'docs/demo.png', viewport: { width: 1200, height: 780 }, colorScheme: 'light' },
];
const kMaxBytes = 300 * 1024;
const kEnoughLeaked = 100 * 2 ** 20;

useToolchain('browser');
await buildPage();
const server = await servePage();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
for (const { file, ...look } of kPictures) {
  const page = await browser.newPage(look);
  await page.goto(`${server.url}?manual`);
  await page.waitForFunction(
    (least) => globalThis.tenureDemo?.leak && tenureDemo.samples.at(-1)?.peer > least,
    kEnoughLeaked,
  );
  const to = path.join(root, file);
  rmSync(to, { force: true });
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({ path: to });
  await page.close();
  const { size } = statSync(to);
  console.log(`${file}: ${(size / 1024).toFixed(0)} KB`);
  if (size > kMaxBytes) throw new Error(`${file} is over ${kMaxBytes / 1024} KB`);
}
await browser.close();
await server.close();
