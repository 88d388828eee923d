// `node tests/bench/onnx_models/run.mjs [TEXT]`: times ONNX models with tenure/ort and onnxruntime-web, those whose names contain
// the text, from arrays to arrays.
//   --browser     in Chromium; otherwise in Node
//   --threads N   of each engine; default 1
//   --rounds N    turns of each engine; default 5
//   --budget MS   time of each turn; default 400
//   --report      also writes the table into docs/performance.md
// Prints milliseconds, the median of all rounds, and the ratios of Tenure's to onnxruntime-web's: of a run; of the time to load the
// engine and the model and to run it once; and, in Node, of the process's peak memory. "off" is the greatest difference of an
// output relative to its greatest value. The engines take turns in being first. Tenure uses relaxed
// SIMD where there is any; onnxruntime-web's wasm does not.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, useToolchain } from '../../../cpp/toolchain/use.mjs';
import { prepareModels } from '../../onnx/prepare.mjs';
import { bundlePackages } from '../bundle_peer.mjs';
import { preparePeers } from '../prepare.mjs';
import { writeModels } from '../report.mjs';
import { formatTime, Table } from '../table.mjs';
import { median } from '../timing.mjs';
import { WorkerProcess } from '../worker_process.mjs';
import { kModelNames, makeModel } from './models.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    budget: { type: 'string', default: '400' },
    report: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const threads = Number(options.threads);
if (options.report && positionals.length > 0) throw new Error('--report writes all models: leave TEXT out');
const kEngines = ['tenure', 'ort'];
const kHeads = ['model', ...kEngines, 'ratio', 'first', 'peak', 'off'];
const installed = (name) => path.join(root, 'tests/bench/node_modules', name);

preparePeers();
prepareModels();
const host = options.browser ? await openPages() : openProcesses();
try {
  const table = new Table(kHeads, [36, 9, 9, 6, 6, 6, 8]);
  const rows = [];
  const names = kModelNames.filter((one) => one.includes(positionals[0] ?? ''));
  for (const [i, name] of names.entries()) {
    try {
      rows.push([name, ...formatCells(await measure(name, i))]);
      table.print(rows.at(-1));
    } catch (error) {
      table.print([name, '', '', '', '', '', error.message.split('\n', 1)[0]]);
      process.exitCode = 1;
    }
  }
  if (options.report && rows.length === names.length) writeReport(rows);
} finally {
  await host.close();
}

/** Returns what opens an engine in a process of its own. Models are written to a file, so that making one is not in the peak. */
function openProcesses() {
  const child = path.join(import.meta.dirname, 'child.mjs');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-bench-'));
  const read = (file) => new Uint8Array(readFileSync(path.join(root, 'tests/onnx/node_modules', file)));
  return {
    async prepare(name) {
      const { bytes, feeds } = await makeModel(name, read);
      const file = path.join(folder, 'model.onnx');
      writeFileSync(file, bytes);
      return { file, feeds };
    },
    async open(engine) {
      const worker = new WorkerProcess(engine, { threads, child });
      await worker.ready;
      return worker;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns what opens an engine in a page of its own. */
async function openPages() {
  useToolchain('browser');
  const { openBrowser } = await import('../../browser/chrome.mjs');
  const { serve } = await import('../../browser/server.mjs');
  const { PageWorker } = await import('../page_worker.mjs');
  const bundles = mkdtempSync(path.join(os.tmpdir(), 'onnx-bench-'));
  // A bundler would make one file of it, as onnxruntime-web's file has it inside.
  await bundlePackages(path.join(bundles, 'common.js'), ['onnxruntime-common'], root);
  const folders = {
    '/': path.join(import.meta.dirname, 'page'),
    '/tests/': path.join(root, 'tests'),
    '/tenure/': path.join(root, 'dist'),
    '/ort/': installed('onnxruntime-web/dist'),
    '/bundles/': bundles,
    '/models/': path.join(root, 'tests/onnx/node_modules'),
  };
  const policy =
    "default-src 'self' 'unsafe-eval' 'unsafe-inline' blob:; connect-src 'self' blob: data:; worker-src 'self' blob:";
  const server = await serve(folders, { policy, isolated: threads > 1 });
  const browser = await openBrowser();
  return {
    prepare: (name) => name,
    async open(engine) {
      const worker = new PageWorker(engine, browser, server.url, { backend: 'wasm', gpuOnly: false, threads });
      await worker.start();
      return worker;
    },
    async close() {
      await browser.close();
      server.close();
      rmSync(bundles, { recursive: true });
    },
  };
}

/** Writes all columns but the difference of outputs, and the peak of memory only where it is known. */
function writeReport(rows) {
  const columns = options.browser ? -2 : -1;
  writeModels(options.browser ? 'onnx in a page' : 'onnx in node', options.browser ? 'Chromium' : 'Node', {
    heads: ['model', 'Tenure', 'onnxruntime-web', ...kHeads.slice(3, columns)],
    rows: rows.map((row) => row.slice(0, columns)),
    threads,
    rounds: `medians of ${options.rounds}`,
  });
}

/** Returns the list, reversed in odd turns. */
function alternate(list, turn) {
  return turn % 2 === 0 ? list : list.toReversed();
}

/**
 * Returns the figures of a model by engine. New processes or pages, so that no model inherits another's memory. `turn` decides
 * which engine loads it first.
 */
async function measure(name, turn) {
  const workers = [];
  try {
    const model = await host.prepare(name);
    const results = {};
    for (const engine of alternate(kEngines, turn)) {
      const worker = await host.open(engine);
      workers.push(worker);
      results[engine] = { ...(await worker.ask('prepare', model)), times: [] };
    }
    for (const worker of workers) await worker.ask('warmUp');
    for (let round = 0; round < Number(options.rounds); ++round) {
      for (const worker of alternate(workers, round)) {
        results[worker.name].times.push(await worker.ask('sample', Number(options.budget)));
      }
    }
    for (const worker of workers) {
      results[worker.name].peak = await worker.ask('peak');
      await worker.ask('end');
    }
    return results;
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

function formatCells(results) {
  const [own, peer] = kEngines.map((engine) => results[engine]);
  const times = [own, peer].map((result) => median(result.times));
  const ratio = (a, b) => (a !== undefined && b ? (a / b).toFixed(2) : '-');
  return [
    ...times.map(formatTime),
    ratio(...times),
    ratio(own.first, peer.first),
    ratio(own.peak, peer.peak),
    Math.max(...peer.outputs.map((values, i) => difference(own.outputs[i], values, i))).toExponential(1),
  ];
}

/** Returns the greatest difference of two lists of values of output `index` relative to the greatest value. */
function difference(got, want, index) {
  if (got.length !== want.length) throw new Error(`output ${index} has ${got.length} values, expected ${want.length}`);
  const greatest = want.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return want.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0) / (greatest || 1);
}
