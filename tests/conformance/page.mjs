// Opens a page of this folder in Chromium.
import path from 'node:path';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';

/** Specs load pictures and videos from data URLs, and random calls create functions from source. */
const kPolicy = "default-src 'self' data: blob:; script-src 'self' 'wasm-unsafe-eval' 'unsafe-eval'";
const kTimeout = 1_800_000;

/** Returns a path inside this folder. */
export const at = (...parts) => path.join(root, 'tests/conformance', ...parts);

/**
 * Returns the result in a page's #result; `folders` are served beside the package, this folder and its pages. Isolated pages
 * have threads. Pages have WebGL2 on a software renderer; with `webgpu`, WebGPU too.
 */
export async function showPage(name, folders, { isolated = false, webgpu = false } = {}) {
  useToolchain('browser');
  const [{ openBrowser }, { serve }] = await Promise.all([
    import('../browser/chrome.mjs'),
    import('../browser/server.mjs'),
  ]);
  const own = { '/tenure': path.join(root, 'dist'), '/conformance': at(), '/page': at('page'), '/': at('page') };
  const server = await serve({ ...own, ...folders }, { policy: kPolicy, isolated });
  const browser = await openBrowser({ webgl: true, webgpu });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/page/${name}`);
    const shown = page.locator('#result:not(:empty)').textContent({ timeout: kTimeout });
    const crash = new Promise((_, reject) => page.once('crash', () => reject(new Error('the page crashed'))));
    return JSON.parse(await Promise.race([shown, crash]));
  } finally {
    await browser.close();
    server.close();
  }
}
