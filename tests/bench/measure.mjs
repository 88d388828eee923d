import { mismatches, ratioToBest } from './compare.mjs';
import { median } from './timing.mjs';

/** Runs an action for one engine; a failure becomes a line of the row, and the other engines continue. */
export async function attempt(row, player, action) {
  try {
    await action();
  } catch (error) {
    row.failed.push(player.name);
    row.problems.push(`FAILED ${row.work}: ${player.name}: ${error.message.split('\n', 1)}`);
  }
}

export const emptyRow = (work) => ({ work, rounds: {}, median: {}, failed: [], mismatched: [], problems: [] });

/** Prepares every engine, compares their results, and then times them in turns. */
export async function measure(work, players, { rounds, budgetMs }) {
  const row = emptyRow(work.name);
  const able = await prepare(row, work, players);
  const timed = able.filter(({ name }) => !row.mismatched.includes(name));
  for (const player of timed) await attempt(row, player, () => player.ask('warmUp'));
  for (let round = 0; round < rounds; ++round) {
    for (const player of timed.filter(({ name }) => !row.failed.includes(name))) {
      await attempt(row, player, async () => {
        (row.rounds[player.name] ??= []).push(await player.ask('sample', budgetMs));
      });
    }
  }
  for (const player of able) await attempt(row, player, () => player.ask('end'));
  for (const name of row.failed) delete row.rounds[name];
  for (const [name, times] of Object.entries(row.rounds)) row.median[name] = median(times);
  row.best = ratioToBest(row);
  return row;
}

/** Returns the engines that support the workload, after adding to the row those whose results differ. */
async function prepare(row, work, players) {
  const results = {};
  const able = [];
  for (const player of players.filter(({ name, tinyOnly }) => (work.tiny || !tinyOnly) && !work.without?.includes(name))) {
    await attempt(row, player, async () => {
      const result = await player.ask('prepare', work.name);
      if (!result) return;
      results[player.name] = result;
      able.push(player);
    });
  }
  for (const { name, reference, by } of mismatches(results)) {
    row.mismatched.push(name);
    row.problems.push(`MISMATCH ${work.name}: ${name} differs from ${reference} by ${by.toExponential(1)} of its values`);
  }
  return able;
}
