import { mismatches, ratioToBest } from './compare.mjs';
import { median } from './timing.mjs';

/** Runs an action for one engine; a failure becomes a line of the row, and the other engines continue. */
export async function attempt(row, worker, action) {
  try {
    await action();
  } catch (error) {
    row.failed.push(worker.name);
    row.problems.push(`FAILED ${row.work}: ${worker.name}: ${error.message.split('\n', 1)}`);
  }
}

export const emptyRow = (work) => ({ work, rounds: {}, median: {}, failed: [], mismatched: [], problems: [] });

/** Prepares every engine, compares their results, and then times them in turns. */
export async function measure(work, workers, { rounds, budgetMs }) {
  const row = emptyRow(work.name);
  const able = await prepare(row, work, workers);
  const timed = able.filter(({ name }) => !row.mismatched.includes(name));
  for (const worker of timed) await attempt(row, worker, () => worker.ask('warmUp'));
  for (let round = 0; round < rounds; ++round) {
    for (const worker of timed.filter(({ name }) => !row.failed.includes(name))) {
      await attempt(row, worker, async () => {
        (row.rounds[worker.name] ??= []).push(await worker.ask('sample', budgetMs));
      });
    }
  }
  for (const worker of able) await attempt(row, worker, () => worker.ask('end'));
  for (const name of row.failed) delete row.rounds[name];
  for (const [name, times] of Object.entries(row.rounds)) row.median[name] = median(times);
  row.best = ratioToBest(row);
  return row;
}

/** Returns the engines that support the workload, after adding to the row those whose results differ. */
async function prepare(row, work, workers) {
  const results = {};
  const able = [];
  for (const worker of workers.filter(
    ({ name, tinyOnly }) => (work.tiny || !tinyOnly) && !work.without?.includes(name),
  )) {
    await attempt(row, worker, async () => {
      const result = await worker.ask('prepare', work.name);
      if (!result) return;
      results[worker.name] = result;
      able.push(worker);
    });
  }
  for (const { name, reference, by } of mismatches(results)) {
    row.mismatched.push(name);
    row.problems.push(
      `MISMATCH ${work.name}: ${name} differs from ${reference} by ${by.toExponential(1)} of its values`,
    );
  }
  return able;
}
