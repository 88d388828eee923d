// Browsers behind one interface. `open({ display })` starts one and returns
//   { version, open(url), close() },
// where open(url) opens a page and returns
//   { evaluate(body, ...args), problems(), screenshot(), close() }:
// `evaluate` runs a function in the page and returns what it returns or resolves to, `problems` the errors and warnings on
// the console, `screenshot` the bytes of a PNG.
import { useTestPackages, useToolchain } from '../../../cpp/toolchain/use.mjs';

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
  useTestPackages('tests/browser/drivers', '--legacy-peer-deps');
}
