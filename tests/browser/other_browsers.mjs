// `node tests/browser/other_browsers.mjs [--write] [--all] [words]`: the packed package and the demo in Firefox, in WebKitGTK
// and in Chromium 102, cross-origin isolated and not; with --all also in the current Chromium. Words select the rows and
// browsers whose names contain one of them. --write records the results, and writes all recorded ones into
// docs/environments.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, usePackages } from '../../cpp/toolchain/use.mjs';
import { kBrowsers, useBrowsers } from './drivers/index.mjs';
import { openDisplay } from './drivers/display.mjs';
import { kRows } from './matrix_rows.mjs';
import { serve } from './server.mjs';

const started = Date.now();
const asked = process.argv.slice(2);
const words = asked.filter((word) => !word.startsWith('--')).map((word) => word.toLowerCase());
const [writes, all] = [asked.includes('--write'), asked.includes('--all') || asked.includes('--write')];
const kResults = path.join(root, 'tests/browser/results.json');
const kIsolations = [false, true];

usePackages();
useBrowsers();
const { prepareSites } = await import('./matrix_sites.mjs');
const { showDemo, showPage } = await import('./matrix_visits.mjs');

const isChosen = (name, of) => {
  const matching = words.filter((word) => of.some((each) => each.toLowerCase().includes(word)));
  return matching.length === 0 || matching.some((word) => name.toLowerCase().includes(word));
};
const browserNames = kBrowsers.map(({ name }) => name);
const rows = kRows.filter(({ name }) =>
  isChosen(
    name,
    kRows.map((row) => row.name),
  ),
);
const browsers = kBrowsers.filter(({ name }) => (all || name !== 'Chromium') && isChosen(name, browserNames));

const sites = await prepareSites(rows);
const display = await openDisplay();
const noted = readResults();
let pages = 0;
let failures = 0;
try {
  for (const browser of browsers) await tryBrowser(browser);
} finally {
  display.close();
}
if (writes) await writeResults();
console.log(`${pages} pages, of which ${failures} fail, in ${((Date.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = failures > 0 ? 1 : 0;

/** Opens all pages in one browser, which is restarted for those that need other settings. */
async function tryBrowser({ name, open }) {
  const own = rows.filter((row) => row.browsers.includes(name));
  for (const launch of new Set(own.map((row) => JSON.stringify(row.launch ?? {})))) {
    const start = Date.now();
    const driven = await open({ display, ...JSON.parse(launch) });
    noted.versions[name] = driven.version;
    let count = 0;
    try {
      for (const isolated of kIsolations) {
        const servers = await openServers(isolated);
        for (const row of own.filter((each) => JSON.stringify(each.launch ?? {}) === launch)) {
          if (row.isolations && !row.isolations.includes(isolated)) continue;
          count++;
          pages++;
          await tryRow(row, { name, driven, isolated, servers });
        }
        for (const { close } of Object.values(servers)) close();
      }
    } finally {
      await driven.close();
    }
    console.log(`${name} ${driven.version}: ${count} pages in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

async function tryRow(row, { name, driven, isolated, servers }) {
  const start = Date.now();
  const where = `${row.name}, ${name}, ${isolated ? 'isolated' : 'not isolated'}`;
  const show = row.page ? showPage : showDemo;
  try {
    const found = await show(driven, servers, row, name);
    row.check(found, { browser: name, isolated });
    noted.rows[row.name][`${name}, ${isolated ? 'isolated' : 'not'}`] = 'works';
    console.log(`ok   ${where} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures++;
    noted.rows[row.name][`${name}, ${isolated ? 'isolated' : 'not'}`] = 'fails';
    console.log(`FAIL ${where}\n${String(error.stack ?? error).slice(0, 3000)}`);
  }
}

async function openServers(isolated) {
  const servers = {};
  for (const [name, { folders, policy }] of Object.entries(sites)) {
    servers[name] = await serve(folders, { policy, isolated, records: true });
  }
  return servers;
}

/** Returns the recorded results of the present rows and browsers. */
function readResults() {
  const { versions = {}, rows: before = {} } = existsSync(kResults) ? JSON.parse(readFileSync(kResults, 'utf8')) : {};
  const ordered = browserNames.filter((name) => versions[name]).map((name) => [name, versions[name]]);
  return {
    versions: Object.fromEntries(ordered),
    rows: Object.fromEntries(kRows.map(({ name }) => [name, before[name] ?? {}])),
  };
}

async function writeResults() {
  writeFileSync(kResults, `${JSON.stringify(noted, null, 2)}\n`);
  const { writeEnvironments } = await import('../environments/table.mjs');
  writeEnvironments();
  console.log(`written: ${path.relative(root, kResults)} and docs/environments.md`);
}
