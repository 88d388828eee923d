// `npm run conformance [-- --browser] [--backend wasm|webgl|webgpu] [--file NAME] [--grep TEXT] [--check]`: runs TensorFlow.js's own
// published specs against dist/. A run of all of them writes results/ and docs/compatibility.md; --check only compares, and
// fails if a spec fails that passed before.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../cpp/toolchain/use.mjs';
import { missingNames } from './names.mjs';
import { at, showPage } from './page.mjs';
import { bundleSpecs, specFiles, usePeers } from './specs.mjs';
import { writeTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    backend: { type: 'string', default: 'wasm' },
    file: { type: 'string', default: '' },
    grep: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  },
});
const place = `${options.browser ? 'chromium' : 'node'}-${options.backend}`;
const results = at('results', `${place}.json`);
const isWhole = !options.file && !options.grep;

usePeers();
const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
try {
  const files = specFiles(options.file);
  const bundle = path.join(folder, 'specs.js');
  await bundleSpecs(files, bundle);
  const specs = options.browser ? await inBrowser(bundle) : inNode(bundle);
  await report(specs);
} finally {
  rmSync(folder, { recursive: true });
}

function inNode(bundle) {
  const output = path.join(folder, 'specs.json');
  run('node', ['--expose-gc', at('player.mjs'), bundle, output, options.backend, options.grep], { quiet: true });
  return JSON.parse(readFileSync(output, 'utf8'));
}

async function inBrowser(bundle) {
  const query = new URLSearchParams({ backend: options.backend, grep: options.grep });
  const folders = { '/jasmine': at('node_modules/jasmine-core/lib/jasmine-core'), '/bundle': path.dirname(bundle) };
  // Browsers accept shared memory in fewer places than Node, so the engine with threads runs here.
  const { specs, error } = await showPage(`index.html?${query}`, folders, {
    isolated: options.backend === 'wasm',
    webgpu: options.backend === 'webgpu',
  });
  if (error) throw new Error(error);
  return specs;
}

async function report(specs) {
  const counts = tally(specs);
  for (const [file, { passed, failed }] of Object.entries(counts)) {
    console.log(`${file.padEnd(44)} ${String(passed).padStart(4)} passed ${String(failed.length).padStart(4)} failed`);
  }
  if (!isWhole) {
    for (const { file, name, message } of specs.filter(failing)) console.log(`\n${file}: ${name}\n  ${message}`);
  }
  const failed = specs.filter(failing).length;
  console.log(
    `${place}: ${specs.length - failed} of ${specs.length} specs in ${Object.keys(counts).length} files pass`,
  );
  const before = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};
  const broken = regressions(before, counts);
  if (broken.length > 0) {
    const messages = new Map(specs.map(({ file, name, message }) => [`${file}: ${name}`, message]));
    console.log(`${broken.length} of these passed before:`);
    for (const name of broken) console.log(`  ${name}\n    ${messages.get(name.replace(/ #\d+$/, ''))}`);
    if (options.check) process.exitCode = 1;
  }
  if (options.check) await checkNames();
  if (options.check || !isWhole) return;
  mkdirSync(at('results'), { recursive: true });
  writeFileSync(results, `${JSON.stringify(counts, null, 1)}\n`);
  await writeTable();
}

async function checkNames() {
  const { missing } = await missingNames();
  const unexplained = missing.filter(({ reason }) => !reason).map(({ name }) => name);
  if (unexplained.length === 0) return;
  console.log(`Names of TensorFlow.js are missing, without a reason in reasons.mjs: ${unexplained.join(', ')}`);
  process.exitCode = 1;
}

function failing({ status }) {
  return status !== 'passed';
}

/** Returns `{ file: { passed, failed: [names] } }`; repeated names of a file are numbered. */
function tally(specs) {
  const counts = {};
  const seen = new Map();
  for (const { file, name, status } of specs) {
    const key = `${file}: ${name}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const count = (counts[file] ??= { passed: 0, failed: [] });
    if (status === 'passed') count.passed++;
    else count.failed.push(seen.get(key) > 1 ? `${name} #${seen.get(key)}` : name);
  }
  for (const { failed } of Object.values(counts)) failed.sort();
  return counts;
}

function regressions(before, now) {
  return Object.entries(now).flatMap(([file, { failed }]) => {
    const known = before[file]?.failed ?? [];
    return failed.filter((name) => !known.includes(name)).map((name) => `${file}: ${name}`);
  });
}
