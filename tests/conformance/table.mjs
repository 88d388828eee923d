// Writes docs/compatibility.md, and the table of docs/coverage.md, from the last complete runs of the specs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { writeCoverage } from '../../docs/coverage.mjs';
import { missingNames } from './names.mjs';
import { reasons } from './reasons.mjs';

const kPlaces = {
  'node-wasm': 'Node.js, wasm',
  'chromium-wasm': 'Chromium, wasm',
  'chromium-webgl': 'Chromium, webgl',
  'chromium-webgpu': 'Chromium, webgpu',
};
const kNotDone = 'Not there yet.';
const kIntroduction = `# Compatibility with TensorFlow.js

Written by \`npm run conformance\`, which runs the specs that @tensorflow/tfjs-core 4.22.0 publishes, with Tenure in the
place of TensorFlow.js. What tests only how TensorFlow.js is made (its engine, environment, kernel registry, platforms,
handlers and helpers) is left out.
`;

export async function writeTable() {
  const places = Object.keys(kPlaces)
    .map((place) => ({ place, file: path.join(root, 'tests/conformance/results', `${place}.json`) }))
    .filter(({ file }) => existsSync(file))
    .map(({ place, file }) => ({ place, counts: JSON.parse(readFileSync(file, 'utf8')) }));
  const text = [kIntroduction, totals(places), perFile(places), failures(places), await names()].join('\n');
  mkdirSync(path.join(root, 'docs'), { recursive: true });
  writeFileSync(path.join(root, 'docs/compatibility.md'), text);
  writeCoverage();
}

function totals(places) {
  const rows = places.map(({ place, counts }) => {
    const all = Object.values(counts).map(({ passed, failed }) => ({ passed, size: passed + failed.length }));
    const sum = (key) => all.reduce((total, count) => total + count[key], 0);
    return [kPlaces[place], sum('passed'), sum('size'), all.length];
  });
  return table(['where', 'specs that pass', 'of', 'files'], rows);
}

function perFile(places) {
  const files = [...new Set(places.flatMap(({ counts }) => Object.keys(counts)))].sort();
  const cell = (count) => (count ? `${count.passed} of ${count.passed + count.failed.length}` : '');
  const rows = files
    .filter((file) => places.some(({ counts }) => counts[file]?.failed.length))
    .map((file) => [`\`${file}\``, ...places.map(({ counts }) => cell(counts[file]))]);
  const whole = files.length - rows.length;
  const header = ['file', ...places.map(({ place }) => kPlaces[place])];
  return `## Files\n\nIn ${whole} files everything passes. The others:\n\n${table(header, rows)}`;
}

function failures(places) {
  const failing = new Map();
  for (const { place, counts } of places) {
    for (const [file, { failed }] of Object.entries(counts)) {
      for (const name of failed) {
        const spec = `${file}: ${name}`;
        failing.set(spec, [...(failing.get(spec) ?? []), kPlaces[place]]);
      }
    }
  }
  const byReason = new Map(reasons.map(({ reason }) => [reason, []]));
  byReason.set(kNotDone, []);
  for (const [spec, where] of [...failing].sort()) {
    const found = reasons.find(({ specs }) => specs.some((pattern) => pattern.test(spec)));
    byReason
      .get(found?.reason ?? kNotDone)
      .push(where.length === places.length ? spec : `${spec} (${where.join('; ')})`);
  }
  const parts = [...byReason]
    .filter(([, specs]) => specs.length > 0)
    .map(([reason, specs]) => {
      if (reason === kNotDone) return `**${reason}** ${specs.length} specs.\n`;
      return `**${reason}**\n\n${specs.map((spec) => `- ${spec}`).join('\n')}\n`;
    });
  return `## Specs that fail, and why\n\n${parts.join('\n')}`;
}

async function names() {
  const { missing, kernels } = await missingNames();
  const byReason = {};
  for (const { name, reason = kNotDone } of missing) (byReason[reason] ??= []).push(`\`${name}\``);
  const lines = Object.entries(byReason).map(([reason, all]) => `- **${reason}** ${all.join(', ')}`);
  if (kernels > 0) lines.push(`- **Names of kernels**, for packages of backends: ${kernels} constants.`);
  return `## Names that are missing\n\n${lines.join('\n')}\n`;
}

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line), ''].join('\n');
}
