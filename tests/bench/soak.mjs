import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { formatBytes } from './table.mjs';

export const kSoakWork = 'predict iris 4-10-3';
const kParts = [
  ['tensors', 'numTensors', String],
  ['bytes', 'numBytes', String],
  ['JS heap', 'heapUsed', formatBytes],
  ['buffers', 'arrayBuffers', formatBytes],
  ['process', 'rss', formatBytes],
];

/** Measures the memory that many predictions in a row leave behind, for a note under the table. */
export async function soak(players, predictions) {
  const row = { ...emptyRow('memory'), predictions, usage: {} };
  console.log(`\nmemory before -> after ${predictions} predictions of the iris model`);
  for (const player of players.filter(({ name }) => !engines[name].tinyOnly)) {
    await attempt(row, player, async () => {
      await player.ask('prepare', kSoakWork);
      await player.ask('warmUp');
      const { before, after } = await player.ask('soak', predictions);
      await player.ask('end');
      row.usage[player.name] = { before, after };
      const parts = kParts
        .filter(([, key]) => before[key] !== undefined)
        .map(([name, key, format]) => `${name} ${format(before[key])} -> ${format(after[key])}`);
      console.log(`  ${player.name.padEnd(9)}  ${parts.join('   ')}`);
    });
  }
  return row;
}
