// Measures cold starts: the first prediction and the peak memory of a new process.
import { ratioToBest } from './compare.mjs';
import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { WorkerProcess } from './worker_process.mjs';
import { median } from './timing.mjs';

const kCalls = 10;

/**
 * Returns the rows of a workload's first prediction, of its model's loading, and of the process's peak memory beyond Node's
 * own.
 */
export async function measureColdStart(work, { rounds, threads }) {
  const titles = { load: 'load', first: 'first', peak: 'peak memory' };
  const rows = Object.fromEntries(
    Object.entries(titles).map(([key, title]) => [key, emptyRow(`${title}, ${work.name}`)]),
  );
  const names = Object.keys(engines).filter((name) => !work.without?.includes(name));
  for (let round = 0; round < rounds; ++round) {
    for (const name of names) {
      const worker = new WorkerProcess(name, { ...engines[name], threads });
      await attempt(rows.first, worker, async () => {
        await worker.ready;
        const found = await worker.ask('coldStart', { name: work.name, calls: kCalls });
        for (const [key, row] of Object.entries(rows)) (row.rounds[name] ??= []).push(found[key]);
      });
      worker.stop();
    }
  }
  for (const row of Object.values(rows)) {
    for (const [name, values] of Object.entries(row.rounds)) row.median[name] = median(values);
    row.best = ratioToBest(row);
  }
  return rows;
}
