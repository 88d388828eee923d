import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { writeCoverage } from '../../docs/coverage.mjs';
import { browserNotes, kRows } from '../browser/matrix_rows.mjs';
import { kBrowsers } from '../browser/drivers/index.mjs';
import { bundleLines, importLines } from './bundle_table.mjs';
import { environments } from './environments.mjs';

/** Recorded results of environments and browsers. */
export const kResults = path.join(root, 'tests/environments/results.json');
export const kBundles = path.join(root, 'tests/environments/bundles.json');
export const kBrowserResults = path.join(root, 'tests/browser/results.json');

const kMarker = '<!-- Written by `npm run environments -- --bundles`. -->';

/** Writes docs/environments.md, docs/coverage.md and README.md's table of bundlers from the recorded results. */
export function writeEnvironments() {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  const text = [
    ...environmentLines(read(kResults) ?? {}),
    ...bundleLines(read(kBundles)),
    ...browserLines(read(kBrowserResults)),
    '',
  ].join('\n');
  writeFileSync(path.join(root, 'docs/environments.md'), text);
  const figures = read(kBundles);
  if (figures) writeImports(figures);
  // It says how many environments there are.
  writeCoverage();
}

/** Replaces the table after its marker in README.md. */
function writeImports(figures) {
  const file = path.join(root, 'README.md');
  const [before, after] = readFileSync(file, 'utf8').split(kMarker);
  const rest = after.slice(after.indexOf('\n\n', 1));
  writeFileSync(file, `${before}${kMarker}\n${importLines(figures).join('\n')}${rest}`);
}

function environmentLines(noted) {
  const tried = environments.filter(({ name }) => Object.keys(noted[name] ?? {}).length > 0);
  const lines = tried.map(({ name, run: command, serve: server, page }) => {
    const shown = page?.endsWith('.html') ? `\`${page}\` in Chromium` : page === '' ? 'its page in Chromium' : '';
    const commands = [command, server]
      .filter(Boolean)
      .map((text) => `\`${text.replaceAll('../node_modules/', '').replaceAll('|', '\\|')}\``);
    const { tenure = '', tfjs = '' } = noted[name] ?? {};
    return `| ${name} | ${[...commands, shown].filter(Boolean).join(', ')} | ${tenure} | ${tfjs} |`;
  });
  return [
    '# Environments',
    '',
    'The published package was tested in these environments. Each is a small project in [tests/environments](../tests/environments).',
    '`npm run environments` runs the projects and writes this page; with `-- --control` they import `@tensorflow/tfjs` 4.22 instead. A',
    "page must load without errors on the console. Pages that no tool serves have a content security policy of `'self'` and",
    "`'wasm-unsafe-eval'`.",
    '',
    '| environment | how | Tenure | TensorFlow.js |',
    '| --- | --- | --- | --- |',
    ...lines,
  ];
}

/** Returns a table with a row for each page and a column for each browser, cross-origin isolated and not. */
function browserLines(noted) {
  if (!noted) return [];
  const browsers = kBrowsers.map(({ name }) => name).filter((name) => noted.versions[name]);
  const columns = browsers.flatMap((browser) => [`${browser}, not`, `${browser}, isolated`]);
  const heads = browsers.flatMap((browser) => {
    const name = browser.replace(/ \d+$/, '');
    return [`${name} ${noted.versions[browser]}`, 'isolated'];
  });
  const rows = kRows.map((row) => {
    const cells = columns.map((column) => noted.rows[row.name]?.[column] ?? '-');
    const marks = (row.notes ?? []).map((note) => `<sup>${Object.keys(browserNotes).indexOf(note) + 1}</sup>`).join('');
    return `| ${row.name}${marks} | ${cells.join(' | ')} |`;
  });
  return [
    '',
    '## Browsers',
    '',
    'The published package was tested in browsers that can be installed on Debian 12, in pages with and without cross-origin isolation',
    '(COOP and COEP). `node tests/browser/other_browsers.mjs --write` runs the pages and writes this table. There was no GPU: WebGL2 ran',
    'on Mesa and SwiftShader. WebKitGTK has the browser engine of Safari 26, on Linux.',
    '',
    `| page | ${heads.join(' | ')} |`,
    `| --- |${' --- |'.repeat(heads.length)}`,
    ...rows,
    '',
    ...Object.values(browserNotes).map((note, i) => `${i + 1}. ${note}`),
    '',
    "Not tested, because no machine was available: Apple's Safari on macOS, browsers on iOS and Android, Edge, a GPU, and the oldest",
    'supported versions (Chrome and Edge 95, Firefox 100, Safari 16.4).',
  ];
}
