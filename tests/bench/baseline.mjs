import { partOf } from './compare.mjs';
import { kBaseline, kBaselineFolder } from './engines.mjs';
import { measure } from './measure.mjs';
import { formatTime, Table } from './table.mjs';
import { median } from './timing.mjs';
import { WorkerProcess } from './worker_process.mjs';
import { workloads } from './workloads.mjs';

/** Measures dist/ and the dist/ of `folder` in turns, and prints the ratio of their times for each workload. */
export async function compareBuilds(folder, { only, rounds, budgetMs, threads }) {
  process.env[kBaselineFolder] = folder;
  const workers = ['tenure', kBaseline].map((name) => new WorkerProcess(name, { threads }));
  const rows = [];
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    const table = new Table(['work', 'dist', 'baseline', 'ratio'], [36, 9, 9, 5]);
    for (const work of workloads.filter(({ name }) => name.includes(only))) {
      const row = await measure(work, workers, { rounds, budgetMs });
      rows.push(row);
      const times = [row.median.tenure, row.median[kBaseline]].map(formatTime);
      table.print([row.work, ...times, partOf(row, kBaseline)?.toFixed(2) ?? '-']);
    }
  } finally {
    for (const worker of workers) worker.stop();
  }
  const ratios = rows.map((row) => partOf(row, kBaseline)).filter((ratio) => ratio !== undefined);
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`geometric mean ${mean.toFixed(3)}, median ${median(ratios).toFixed(3)} of ${ratios.length} workloads`);
  return rows;
}
