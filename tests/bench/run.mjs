// `npm run bench`: runs the same workloads on Tenure and its peers, in turns.
//   --only TEXT   workloads whose name contains it  --quick      fewer and shorter rounds
//   --rounds N    turns of each engine              --json FILE  the results, also of each round
//   --no-build    measure the present dist/         --browser    on WebGL2 in Chromium
//   --gpu-only    with --browser: small workloads too, which would stay on the CPU
//   --webgpu      with --browser: on WebGPU, LiteRT.js, ONNX Runtime and jax-js among the peers
//   --wasm        with --browser: on WebAssembly, LiteRT.js among the peers
//   --threads N   of each engine that has them; default 1
//   --continue F  with --browser: keeps each result in the JSON file F, and measures no work again whose result is there
//   --report      writes the results into docs/performance.md, and a chart beside it
//   --baseline F  compares with the dist/ folder F of another build, instead of with the peers
//   --scaling     measures how Tenure's cost scales with size: docs/scaling.svg
// The exit status is 1 if results differ, an engine fails, or a ratio misses its threshold (thresholds.mjs).
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensurePackage } from '../../web/ensure_package.mjs';
import { missedThresholds } from './thresholds.mjs';
import { preparePeers } from './prepare.mjs';
import { writeReport } from './report.mjs';
import { formatBytes, formatTime, Table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    json: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    'gpu-only': { type: 'boolean', default: false },
    wasm: { type: 'boolean', default: false },
    webgpu: { type: 'boolean', default: false },
    threads: { type: 'string', default: '1' },
    report: { type: 'boolean', default: false },
    scaling: { type: 'boolean', default: false },
    baseline: { type: 'string' },
    continue: { type: 'string' },
  },
});
const { only, quick } = options;
const rounds = Number(options.rounds ?? (quick ? 2 : 5));
const budgetMs = quick ? 60 : 250;
const threads = Number(options.threads);
const predictions = quick ? 10_000 : 100_000;
const kDownload = 'download, gzip';

if (options.continue && !options.browser) throw new Error('--continue needs --browser');
preparePeers();
if (!options['no-build']) ensurePackage({ quiet: true });
if (options.scaling) {
  const { drawScaling } = await import('./scaling.mjs');
  await drawScaling({ quick });
  process.exit();
}
if (options.baseline) {
  const { compareBuilds } = await import('./baseline.mjs');
  finish(await compareBuilds(options.baseline, { only, rounds, budgetMs, threads }), 'baseline');
  process.exit();
}
if (options.browser) {
  const { benchBrowser } = await import('./browser.mjs');
  const backend = ['wasm', 'webgpu'].find((name) => options[name]) ?? 'webgl';
  const settings = { only, rounds, budgetMs, gpuOnly: options['gpu-only'], backend, threads };
  finish(await benchBrowser({ ...settings, resultsFile: options.continue }), backend);
  process.exit();
}
// These modules import the packages that have just been installed.
const { ratioToBest } = await import('./compare.mjs');
const { engines } = await import('./engines.mjs');
const { measureColdStart } = await import('./cold_start.mjs');
const { missingGraphs } = await import('./graph_workloads.mjs');
const { attempt, emptyRow, measure } = await import('./measure.mjs');
const { missingModels } = await import('./model_workloads.mjs');
const { peakOfTraining } = await import('./peak.mjs');
const { WorkerProcess } = await import('./worker_process.mjs');
const { downloadSizes } = await import('./sizes.mjs');
const { kSoakWorkload, soak } = await import('./soak.mjs');
const { workloads } = await import('./workloads.mjs');

const names = Object.keys(engines);
const started = names.map((name) => new WorkerProcess(name, { ...engines[name], threads }));
const rows = [];
try {
  const workers = await startAll();
  const table = new Table(['work', ...names, 'against the best peer'], [28, ...names.map(() => 9), 23]);
  for (const work of workloads.filter(({ name }) => name.includes(only))) {
    const row = await measure(work, workers, { rounds, budgetMs });
    rows.push(row);
    table.print([row.work, ...names.map((name) => formatTime(row.median[name])), verdict(row, ['faster', 'slower'])]);
  }
  for (const work of workloads.filter(({ name, graph }) => graph && name.includes(only))) {
    const { load, first, peak } = await measureColdStart(work, { rounds, threads });
    rows.push(load, first, peak);
    for (const row of [load, first])
      table.print([row.work, ...names.map((name) => formatTime(row.median[name])), verdict(row, ['faster', 'slower'])]);
    table.print([peak.work, ...names.map((name) => formatBytes(peak.median[name])), verdict(peak, ['less', 'more'])]);
  }
  for (const work of workloads.filter(({ name, train }) => train && name.includes(only))) {
    const row = await peakOfTraining(work);
    rows.push(row);
    table.print([row.work, ...names.map((name) => formatBytes(row.median[name])), verdict(row, ['less', 'more'])]);
  }
  if (kDownload.includes(only)) {
    const row = measureDownload(await downloadSizes());
    rows.push(row);
    table.print([row.work, ...names.map((name) => formatBytes(row.median[name])), verdict(row, ['smaller', 'larger'])]);
  }
  if (kSoakWorkload.includes(only)) rows.push(await soak(workers, predictions));
} finally {
  for (const worker of started) worker.stop();
}
const skipped = [...missingModels, ...missingGraphs].filter((name) => name.includes(only));
if (skipped.length > 0) console.log(`skipped, not in TENURE_SHARED: ${skipped.join(', ')}`);
finish(rows, 'node');

/** Prints failures and missed thresholds, and writes the results. */
function finish(measured, place) {
  const problems = [
    ...measured.flatMap((row) => row.problems),
    ...(threads === 1 && !options.baseline ? missedThresholds(place, measured) : []),
  ];
  for (const problem of problems) console.log(problem);
  if (options.json) {
    const report = { node: process.version, cpu: os.cpus()[0]?.model, rounds, rows: measured };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (options.report) writeReport(place, measured, { threads, rounds });
  process.exitCode = problems.length > 0 ? 1 : 0;
}

async function startAll() {
  const row = emptyRow('start');
  const workers = [];
  for (const worker of started) {
    await attempt(row, worker, async () => {
      await worker.ready;
      workers.push(worker);
    });
  }
  if (row.failed.length > 0) rows.push(row);
  return workers;
}

function measureDownload(bytes) {
  const row = { ...emptyRow(kDownload), median: bytes };
  row.best = ratioToBest(row);
  return row;
}

function verdict({ mismatched, failed, best }, [more, less]) {
  if (mismatched.length > 0) return `MISMATCH ${mismatched}`;
  if (failed.length > 0) return `FAILED ${failed}`;
  if (!best) return '';
  const { ratio, peer } = best;
  return ratio >= 1 ? `${ratio.toFixed(2)}x ${more}, ${peer}` : `${(1 / ratio).toFixed(2)}x ${less}, ${peer}`;
}
