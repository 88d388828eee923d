// Browsers by one interface. `open({ display })` starts one and gives
//   { version, open(url), close() },
// where open(url) shows a page and gives
//   { evaluate(body, ...args), problems(), screenshot(), close() }:
// `evaluate` runs a function in the page and gives what it returns or resolves to, `problems` what the page has complained
// of on the console, `screenshot` the bytes of a PNG.
import path from 'node:path';
import { modified, root, run, useToolchain } from '../../../cpp/toolchain/use.mjs';

const here = path.join(root, 'tests/browser/drivers');

/** In the order in which tables name them. */
export const kBrowsers = [
  { name: 'Firefox', open: async (options) => (await import('./firefox.mjs')).openFirefox(options) },
  { name: 'WebKitGTK', open: async (options) => (await import('./webkit.mjs')).openWebkit(options) },
  { name: 'Chromium 102', open: async () => (await import('./chromium.mjs')).openChromium102() },
  { name: 'Chromium', open: async () => (await import('./chromium.mjs')).openChromium() },
];

/** Installs the browsers, and what drives them. */
export function useBrowsers() {
  useToolchain('browser');
  useToolchain('browsers');
  if (modified(path.join(here, 'node_modules/.package-lock.json')) >= modified(path.join(here, 'package-lock.json'))) return;
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
  run('npm', ['ci', '--prefix', here, ...quiet], { quiet: true });
}
