// Measures cold starts: the first prediction and the peak memory of a new process.
import { ratioToBest } from './compare.mjs';
import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { Player } from './player.mjs';
import { median } from './timing.mjs';

const kCalls = 10;

/**
 * Returns the rows of a workload's first prediction, of its model's loading, and of the process's peak memory beyond Node's
 * own.
 */
export async function measureFresh(work, { rounds, threads }) {
  const titles = { load: 'load', first: 'first', peak: 'peak memory' };
  const rows = Object.fromEntries(Object.entries(titles).map(([key, title]) => [key, emptyRow(`${title}, ${work.name}`)]));
  const names = Object.keys(engines).filter((name) => !work.without?.includes(name));
  for (let round = 0; round < rounds; ++round) {
    for (const name of names) {
      const player = new Player(name, { ...engines[name], threads });
      await attempt(rows.first, player, async () => {
        await player.ready;
        const found = await player.ask('fresh', { name: work.name, calls: kCalls });
        for (const [key, row] of Object.entries(rows)) (row.rounds[name] ??= []).push(found[key]);
      });
      player.stop();
    }
  }
  for (const row of Object.values(rows)) {
    for (const [name, values] of Object.entries(row.rounds)) row.median[name] = median(values);
    row.best = ratioToBest(row);
  }
  return rows;
}
