// `node tests/tflite/bench.mjs [--threads N] [--report] [TEXT] [DIST...]`: times the models of npm packages and of TENURE_SHARED
// whose names contain the text beside LiteRT.js, in Chromium, with one thread or N: predictions from array to array, loading, the
// first prediction, and loading together with it. The engines alternate; further built packages, such as those of another commit,
// take part. Prints milliseconds, the fastest of all rounds, and their ratios to LiteRT.js's. With --report, writes the ratios
// into docs/performance.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, usePackages, useTestPackages, useToolchain } from '../../cpp/toolchain/use.mjs';
import { bundlePackages } from '../bench/bundle_peer.mjs';
import { writeModels } from '../bench/report.mjs';
import { formatTime } from '../bench/table.mjs';
import { serve } from '../browser/server.mjs';
import { withFloatEnds } from './float_ends.mjs';
import { findModels, kNotRunByPeer } from './model_files.mjs';

const at = (file) => path.join(root, 'tests/tflite', file);
const { values: options, positionals } = parseArgs({
  options: { threads: { type: 'string', default: '1' }, report: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [text = '', ...dists] = positionals;
if (options.report && text) throw new Error('--report writes all models: leave TEXT out');
const kRounds = 10;
// LiteRT.js has no int8 tensors.
const kInt8 = /int8|_quant|kws_ref_model\.|str_ww/;

usePackages();
useTestPackages('tests/tflite');
useToolchain('browser');
const { openBrowser } = await import('../browser/chrome.mjs');

const folder = mkdtempSync(path.join(os.tmpdir(), 'tflite-bench-'));
const found = findModels().filter(({ name }) => name.includes(text) && !kNotRunByPeer.test(name));
// Several packages have the same file: the first is timed.
const names = [...new Set(found.map(({ name }) => path.basename(name)))];
const models = names.map((file) => found.find(({ name }) => path.basename(name) === file));
const packages = Object.fromEntries(['dist', ...dists].map((one, i) => [`/package${i}/`, path.resolve(root, one)]));
try {
  for (const [i, { bytes }] of models.entries())
    writeFileSync(path.join(folder, names[i]), kInt8.test(names[i]) ? withFloatEnds(bytes) : bytes);
  writeFileSync(
    path.join(folder, 'bench.json'),
    JSON.stringify({
      models: names.map((name) => ({ name, isInt8: kInt8.test(name) })),
      packages: Object.keys(packages),
      threads: Number(options.threads),
      rounds: kRounds,
    }),
  );
  await bundlePackages(path.join(folder, 'litert.js'), ['@litertjs/core'], at(''));
  const folders = {
    ...packages,
    '/': at(''),
    '/page/': path.join(root, 'tests/browser/page'),
    '/litert/': folder,
    '/models/': folder,
    '/litert_wasm/': at('node_modules/@litertjs/core/wasm'),
  };
  const policy = "default-src 'self' 'unsafe-eval' blob:; connect-src 'self' blob: data:";
  const server = await serve(folders, { policy, isolated: true });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(error.stack));
    await page.goto(`${server.url}/bench.html`);
    const results = JSON.parse(await page.locator('#result').textContent({ timeout: 600_000 }));
    print(results);
    if (options.report) writeReport(results);
  } finally {
    await browser.close();
    server.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}

function print(results) {
  for (const { name, engines, times } of results) {
    for (const [what, each] of Object.entries(times)) {
      const own = each.at(-1);
      const columns = engines.map((engine, i) => `${engine} ${each[i].toFixed(3)} (${(each[i] / own).toFixed(2)})`);
      console.log(`${name.padEnd(32)} ${what.padEnd(5)} ${columns.join('  ')}`);
    }
  }
}

/** Writes the times of predictions, and the ratios of the first package's times to LiteRT.js's. */
function writeReport(results) {
  const share = ([own, ...others]) => (own / others.at(-1)).toFixed(2);
  writeModels('tflite', 'Chromium', {
    heads: ['model', 'Tenure', 'LiteRT.js', 'ratio', 'first', 'loading', 'loading and first'],
    rows: results.map(({ name, times: { run, first, load, both } }) => [
      name,
      formatTime(run[0]),
      formatTime(run.at(-1)),
      ...[run, first, load, both].map(share),
    ]),
    threads: Number(options.threads),
    rounds: `the fastest of ${kRounds}`,
  });
}
