import { ratioToBest } from './compare.mjs';
import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { Player } from './player.mjs';

/**
 * The most memory that was in use at once over some steps of training, in a process that does nothing else: without what
 * is kept for later, and in TensorFlow.js without all that is no tensor. Its plain JavaScript backend stands for all, as
 * each makes the same tensors.
 */
export async function peakOfTraining(work) {
  const row = emptyRow(`peak memory, ${work.name}`);
  for (const name of ['tenure', 'tfjs cpu']) {
    const player = new Player(name, engines[name]);
    await attempt(row, player, async () => {
      await player.ready;
      await player.ask('prepare', work.name);
      row.median[name] = await player.ask('peak');
    });
    player.stop();
  }
  row.best = ratioToBest(row);
  return row;
}
