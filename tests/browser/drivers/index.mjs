// Browsers behind one interface. `open({ display })` starts one and returns
//   { version, open(url), close() },
// where open(url) opens a page and returns
//   { evaluate(body, ...args), problems(), screenshot(), close() }:
// `evaluate` runs a function in the page and returns what it returns or resolves to, `problems` the errors and warnings on
// the console, `screenshot` the bytes of a PNG.
import path from 'node:path';
import { modified, root, run, useToolchain } from '../../../cpp/toolchain/use.mjs';

const here = path.join(root, 'tests/browser/drivers');

/** In the order of the tables' columns. */
export const kBrowsers = [
  { name: 'Firefox', open: async (options) => (await import('./firefox.mjs')).openFirefox(options) },
  { name: 'WebKitGTK', open: async (options) => (await import('./webkit.mjs')).openWebkit(options) },
  { name: 'Chromium 102', open: async () => (await import('./chromium.mjs')).openChromium102() },
  { name: 'Chromium', open: async () => (await import('./chromium.mjs')).openChromium() },
];

/** Installs the browsers and their drivers. */
export function useBrowsers() {
  useToolchain('browser');
  useToolchain('browsers');
  if (modified(path.join(here, 'node_modules/.package-lock.json')) >= modified(path.join(here, 'package-lock.json')))
    return;
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
  run('npm', ['ci', '--prefix', here, ...quiet], { quiet: true });
}
