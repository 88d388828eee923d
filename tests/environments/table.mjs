import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { browserNotes, kRows } from '../browser/matrix_rows.mjs';
import { kBrowsers } from '../browser/drivers/index.mjs';
import { environments } from './environments.mjs';

/** What was found in environments, and in browsers. */
export const kResults = path.join(root, 'tests/environments/results.json');
export const kBrowserResults = path.join(root, 'tests/browser/results.json');

/** Writes docs/environments.md from the results that are noted. */
export function writeEnvironments() {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  const text = [...environmentLines(read(kResults) ?? {}), ...browserLines(read(kBrowserResults)), ''].join('\n');
  writeFileSync(path.join(root, 'docs/environments.md'), text);
}

function environmentLines(noted) {
  const tried = environments.filter(({ name }) => Object.keys(noted[name] ?? {}).length > 0);
  const lines = tried.map(({ name, run: command, serve: server, page }) => {
    const shown = page?.endsWith('.html') ? `\`${page}\` in Chromium` : page === '' ? 'its page in Chromium' : '';
    const commands = [command, server].filter(Boolean).map((text) => `\`${text.replaceAll('../node_modules/', '').replaceAll('|', '\\|')}\``);
    const { tenure = '', tfjs = '' } = noted[name] ?? {};
    return `| ${name} | ${[...commands, shown].filter(Boolean).join(', ')} | ${tenure} | ${tfjs} |`;
  });
  return [
    '# Environments',
    '',
    'Where the packed package was tried: small projects of [tests/environments](../tests/environments), run and written here by',
    '`npm run environments`; with `-- --control` the same projects import `@tensorflow/tfjs` 4.22 in its place. A page must also',
    "leave the console without errors, under a content security policy of `'self'` and `'wasm-unsafe-eval'` where it is served by",
    'no tool of its own.',
    '',
    '| environment | how | Tenure | TensorFlow.js |',
    '| --- | --- | --- | --- |',
    ...lines,
  ];
}

/** A row for each page, a column for each browser, isolated from other origins or not. */
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
    'Pages with the packed package in browsers that can be installed on Debian 12, isolated from other origins (COOP and COEP) and',
    'not, run and written here by `node tests/browser/other_browsers.mjs --write`. There is no GPU: WebGL2 is computed by Mesa and',
    'SwiftShader. WebKitGTK is the engine of Safari 26 on another system.',
    '',
    `| page | ${heads.join(' | ')} |`,
    `| --- |${' --- |'.repeat(heads.length)}`,
    ...rows,
    '',
    ...Object.values(browserNotes).map((note, i) => `${i + 1}. ${note}`),
    '',
    "Not tried, for want of a machine: Apple's Safari on macOS, any browser on iOS and Android, Edge, a GPU, and the oldest versions",
    'that the package is meant for (Chrome and Edge 95, Firefox 100, Safari 16.4).',
  ];
}
