// Writes a run of the benchmark as a table of docs/performance.md, between the markers of its kind, and as a chart.
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { geometricMean, missedThresholds } from './thresholds.mjs';
import { ratioChart } from './chart.mjs';
import { kLowerBound, partOf, peersOf } from './compare.mjs';
import { formatBytes, formatTime } from './table.mjs';

const kPage = path.join(root, 'docs/performance.md');
const kWhere = { node: 'Node', wasm: 'Chromium, WebAssembly', webgl: 'Chromium, WebGL2', webgpu: 'Chromium, WebGPU' };

/** Writes the results of one environment: 'node', 'wasm', 'webgl' or 'webgpu'. */
export function writeReport(place, rows, { threads, rounds }) {
  const name = threads > 1 ? `${place}_${threads}_threads` : place;
  const measured = rows.filter(({ median }) => median.tenure !== undefined);
  const peers = [...new Set(measured.flatMap(peersOf))];
  const hasLowerBound = measured.some(({ median }) => median[kLowerBound]);
  const heads = ['benchmark', 'Tenure', ...(hasLowerBound ? [kLowerBound] : []), ...peers];
  const cells = (row) => [
    row.work,
    amount(row),
    ...(hasLowerBound ? [share(row, 'tenure', kLowerBound)] : []),
    ...peers.map((peer) => share(row, peer)),
  ];
  const lines = [
    `Tenure's time divided by each library's (below 1, Tenure is faster): ${kWhere[place]}, ${describeRun(threads, `medians of\n${rounds}`)}`,
    '',
    ...markdownTable(heads, measured.map(cells)),
    '',
    `![Ratios of each benchmark](${`performance_${name}.svg`})`,
    '',
    `Geometric mean of the ratios to the fastest library of each benchmark: ${geometricMean(measured)?.toFixed(2)}.`,
  ];
  const missed = threads === 1 ? missedThresholds(place, measured) : [];
  if (missed.length > 0)
    lines.push('', 'Missed thresholds:', '', ...missed.map((text) => `- ${text.replace('MISSED ', '')}`));
  writeBetween(`bench ${name}`, lines.join('\n'));
  const parts = measured.map((row) => ({
    work: row.work,
    parts: Object.fromEntries(peers.map((peer) => [peer, partOf(row, peer)]).filter(([, part]) => part)),
  }));
  writeFileSync(
    path.join(root, `docs/performance_${name}.svg`),
    ratioChart(`Time of Tenure as a part of its peers', ${kWhere[place]}`, parts),
  );
}

/**
 * Writes a table of models between the lines `bench ${mark}`, to which the number of threads is added if there are several.
 * `rounds` says which of how many rounds its times are.
 */
export function writeModels(mark, where, { heads, rows, threads, rounds }) {
  const lines = [`${where}, ${describeRun(threads, rounds)}`, '', ...markdownTable(heads, rows)];
  writeBetween(`bench ${mark}${threads > 1 ? ` on ${threads} threads` : ''}`, lines.join('\n'));
}

/** Returns the number of threads, the rounds, the day and the machine, as the end of a sentence. */
function describeRun(threads, rounds) {
  const machine = `${os.availableParallelism()} processors (${os.cpus()[0].model})`;
  const day = new Date().toISOString().slice(0, 10);
  return `${threads} thread${threads > 1 ? 's' : ''}, ${rounds} rounds in turns, ${day}, ${machine}.`;
}

function markdownTable(heads, rows) {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const share = (row, peer, ours) => partOf(row, peer, ours)?.toFixed(2) ?? '';
const amount = ({ work, median }) =>
  /^(peak|download)/.test(work) ? formatBytes(median.tenure) : formatTime(median.tenure);

function writeBetween(mark, text) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
  const page = readFileSync(kPage, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${kPage} has no lines ${begin} and ${end} to write between`);
  writeFileSync(kPage, `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`);
}
