import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { formatBytes } from './table.mjs';

export const kSoakWorkload = 'predict iris 4-10-3';
const kParts = [
  ['tensors', 'numTensors', String],
  ['bytes', 'numBytes', String],
  ['JS heap', 'heapUsed', formatBytes],
  ['buffers', 'arrayBuffers', formatBytes],
  ['process', 'rss', formatBytes],
];

/** Measures the memory that many predictions in a row leave behind, for a note under the table. */
export async function soak(workers, predictions) {
  const row = { ...emptyRow('memory'), predictions, usage: {} };
  console.log(`\nmemory before -> after ${predictions} predictions of the iris model`);
  for (const worker of workers.filter(({ name }) => !engines[name].tinyOnly)) {
    await attempt(row, worker, async () => {
      await worker.ask('prepare', kSoakWorkload);
      await worker.ask('warmUp');
      const { before, after } = await worker.ask('soak', predictions);
      await worker.ask('end');
      row.usage[worker.name] = { before, after };
      const parts = kParts
        .filter(([, key]) => before[key] !== undefined)
        .map(([name, key, format]) => `${name} ${format(before[key])} -> ${format(after[key])}`);
      console.log(`  ${worker.name.padEnd(9)}  ${parts.join('   ')}`);
    });
  }
  return row;
}
