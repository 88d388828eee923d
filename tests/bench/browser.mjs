// `npm run bench -- --browser`: the same workloads in Chromium, in turns: on WebGL2, Tenure's and TensorFlow.js's; with --wasm
// on WebAssembly and with --webgpu on WebGPU, all peers. Training on WebGL2 also compares Tenure on WebAssembly, as TensorFlow.js
// trains all models in a page on WebGL only.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';
import { serve } from '../browser/server.mjs';
import { bundlePackages, bundlePeer } from './bundle_peer.mjs';
import { geometricMean } from './thresholds.mjs';
import { kLowerBound, partOf, ratioToBest } from './compare.mjs';
import { emptyRow, measure } from './measure.mjs';
import { graphWorkloads, missingGraphs } from './graph_workloads.mjs';
import { kGraphs } from './graphs.mjs';
import { missingModels, modelWorkloads } from './model_workloads.mjs';
import { opWorkloads } from './op_workloads.mjs';
import { PageWorker } from './page_worker.mjs';
import { hashBuild, openResults } from './results_file.mjs';
import { formatTime, Table } from './table.mjs';
import { median } from './timing.mjs';

const kPeer = 'tfjs webgl';
const kTrainer = 'tenure wasm';
const kNames = {
  webgl: ['tenure', kPeer],
  wasm: ['tenure', 'tfjs wasm', 'litert', 'ort wasm'],
  webgpu: ['tenure', 'tfjs webgpu', 'litert webgpu', 'ort webgpu', 'jax webgpu'],
};
const kOnWebgl = [
  'matmul 512',
  'matmul 1024',
  'conv 3x3 56x56x64->64',
  'conv 1x1 28x28x256->256',
  'conv 3x3 s2 224x224x3->32',
  'conv 3x3 s2 56x56x64->128',
  'depthwise 3x3 112x112x64',
  'transposed conv 3x3 s2 28x28x64->32',
  'max pool 3x3 s2 112x112x64',
  'softmax 1024x1000',
  'sum axis 0 of 2048x2048',
  'transpose 2048x2048',
  'add 4M',
  'relu 4M',
  'multiply 4M by 2',
  'sigmoid 1M',
  'x * y + x, relu, sub: 1M',
  'upload, add 1 and read 1 MB',
  'predict mobilenet025',
  'predict lstm',
  'predict MobileNetV1 1.0 224',
  'train MNIST CNN, batch 64',
  ...Object.keys(kGraphs).map((name) => `predict ${name}`),
];
const kOnWasm = [
  'one small op',
  'matmul 256',
  ...kOnWebgl.filter((name) => !/^(transposed|upload|train)/.test(name)),
  ...opWorkloads.filter(({ onnx }) => onnx).map(({ name }) => name),
  'predict iris 4-10-3',
];
const kWorkloads = { webgl: kOnWebgl, wasm: kOnWasm, webgpu: kOnWebgl.filter((name) => !name.startsWith('train')) };
const kFirst = 'predict MobileNetV1 1.0 224';

/**
 * Prints a line for each workload, and the geometric mean of the ratios; returns the rows. Rows that `resultsFile` has are not
 * measured again, and those that are measured are added to it, unless an engine failed or results differ. Throws if the rows
 * of the file are of another build or were measured with other settings.
 */
export async function benchBrowser({ only, rounds, budgetMs, gpuOnly, backend, threads, resultsFile }) {
  const resultStore =
    resultsFile && openResults(resultsFile, { backend, threads, gpuOnly, rounds, budgetMs, build: hashBuild() });
  useToolchain('browser');
  const { openBrowser } = await import('../browser/chrome.mjs');
  const peers = mkdtempSync(path.join(os.tmpdir(), 'tenure-peers-'));
  const models = path.join(process.env.TENURE_SHARED ?? path.join(root, '../shared'), 'models');
  const installed = (name) => path.join(root, 'tests/bench/node_modules', name);
  await bundlePeer(path.join(peers, `tfjs_${backend}.js`), ['core', 'layers', 'converter', `backend-${backend}`]);
  if (backend !== 'webgl') await bundlePackages(path.join(peers, 'litert.js'), ['@litertjs/core']);
  if (backend === 'webgpu') await bundlePackages(path.join(peers, 'jax.js'), ['@jax-js/jax']);
  const folders = {
    '/': path.join(root, 'tests/bench/page'),
    '/bench/': path.join(root, 'tests/bench'),
    '/tenure/': path.join(root, 'dist'),
    '/peers/': peers,
    '/models/': models,
    '/iris/': path.join(root, 'examples/iris'),
    '/tfjs_wasm/': installed('@tensorflow/tfjs-backend-wasm/dist'),
    '/litert_wasm/': installed('@litertjs/core/wasm'),
    '/ort/': installed('onnxruntime-web/dist'),
  };
  const server = await serve(folders, {
    policy: "default-src 'self' 'unsafe-eval' blob:; connect-src 'self' blob: data:; worker-src 'self' blob:",
    isolated: threads > 1,
  });
  const browser = await openBrowser({ [backend === 'wasm' ? 'webgl' : backend]: true });
  try {
    const open = (name) => new PageWorker(name, browser, server.url, { backend, gpuOnly, threads });
    const names = backend === 'wasm' && threads === 1 ? [...kNames.wasm, kLowerBound] : kNames[backend];
    return await measureAll(open, { names, workloads: kWorkloads[backend], only, rounds, budgetMs, resultStore });
  } finally {
    await browser.close();
    server.close();
    rmSync(peers, { recursive: true });
  }
}

async function measureAll(open, { names, workloads, only, rounds, budgetMs, resultStore }) {
  // For training, Tenure on WebAssembly is compared with TensorFlow.js on WebGL.
  const trains = workloads.some((name) => name.startsWith('train '));
  const trainers = trains ? [...names, kTrainer] : names;
  const table = new Table(['work', ...trainers, 'time'], [36, ...trainers.map(() => 11), 24]);
  const rows = [];
  const recall = (name) => resultStore?.get(name);
  const show = (row) => {
    rows.push(row);
    if (row.problems.length === 0 && !recall(row.work)) resultStore?.add(row);
    const share = row.best
      ? `${(1 / row.best.ratio).toFixed(2)} of ${row.best.peer}`
      : [...row.mismatched, ...row.failed].join();
    const onWasm = partOf(row, kPeer, kTrainer);
    table.print([
      row.work,
      ...trainers.map((name) => formatTime(row.median[name])),
      onWasm ? `${share}, on wasm ${onWasm.toFixed(3)}` : share,
    ]);
  };
  const missing = [...missingModels, ...missingGraphs].map((name) => `predict ${name}`);
  for (const name of workloads.filter((work) => work.includes(only) && !missing.includes(work))) {
    if (recall(name)) {
      show(recall(name));
      continue;
    }
    // New pages for each workload, so that none inherits another's memory or garbage.
    const isTraining = name.startsWith('train ');
    const without =
      [...graphWorkloads, ...modelWorkloads, ...opWorkloads].find((work) => work.name === name)?.without ?? [];
    const workers = (isTraining ? trainers : names).filter((engine) => !without.includes(engine)).map(open);
    for (const worker of workers) await worker.start();
    const row = await measure({ name }, workers, { rounds, budgetMs });
    show(row);
    for (const worker of workers) await worker.stop();
  }
  const first = `first ${kFirst}`;
  if (first.includes(only)) show(recall(first) ?? (await measureFirst(names, open, rounds)));
  const skipped = missing.filter((work) => work.includes(only));
  if (skipped.length > 0) console.log(`skipped, not in TENURE_SHARED: ${skipped.join(', ')}`);
  const mean = geometricMean(rows);
  if (mean !== undefined) console.log(`geometric mean of our time over theirs, without the first: ${mean.toFixed(2)}`);
  return rows;
}

/** Measures the first prediction, in a new page each time. */
async function measureFirst(names, open, rounds) {
  const row = emptyRow(`first ${kFirst}`);
  for (let round = 0; round < rounds; ++round) {
    for (const worker of names.filter((name) => name !== kLowerBound).map(open)) {
      await worker.start();
      const time = await worker.ask('first', kFirst);
      if (time !== undefined) (row.rounds[worker.name] ??= []).push(time);
      await worker.stop();
    }
  }
  for (const [name, times] of Object.entries(row.rounds)) row.median[name] = median(times);
  row.best = ratioToBest(row);
  return row;
}
