import { ratioToBest } from './compare.mjs';
import { engines } from './engines.mjs';
import { attempt, emptyRow } from './measure.mjs';
import { WorkerProcess } from './worker_process.mjs';

/**
 * Measures the peak memory in use over some training steps, in a process that does nothing else. Pools are excluded, and in
 * TensorFlow.js everything but tensors. Its plain JavaScript backend represents all its backends, which make the same tensors.
 */
export async function peakOfTraining(work) {
  const row = emptyRow(`peak memory, ${work.name}`);
  for (const name of ['tenure', 'tfjs cpu']) {
    const worker = new WorkerProcess(name, engines[name]);
    await attempt(row, worker, async () => {
      await worker.ready;
      await worker.ask('prepare', work.name);
      row.median[name] = await worker.ask('peak');
    });
    worker.stop();
  }
  row.best = ratioToBest(row);
  return row;
}
