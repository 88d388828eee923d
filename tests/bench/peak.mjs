import { ratioToBest } from './compare.mjs';
import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { Player } from './player.mjs';

/**
 * Measures the peak memory in use over some training steps, in a process that does nothing else. Pools are excluded, and in
 * TensorFlow.js everything but tensors. Its plain JavaScript backend represents all its backends, which make the same tensors.
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
