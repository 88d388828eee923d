import path from 'node:path';
import { eagerEngine } from './eager.mjs';
import { ortEngine } from './ort.mjs';

async function tensorflow(backend, threads) {
  const core = await import('@tensorflow/tfjs-core');
  const layers = await import('@tensorflow/tfjs-layers');
  const converter = await import('@tensorflow/tfjs-converter');
  core.enableProdMode();
  if (backend === 'wasm') {
    const { setThreadsCount } = await import('@tensorflow/tfjs-backend-wasm');
    setThreadsCount(threads);
  } else {
    await import('@tensorflow/tfjs-backend-cpu');
  }
  await core.setBackend(backend);
  await core.ready();
  return eagerEngine({ ...core, ...layers, ...converter });
}

/** Name of another build of Tenure among the engines, and of the variable with its dist/ folder. */
export const kBaseline = 'tenure baseline';
export const kBaselineFolder = 'TENURE_BASELINE';

async function tenure(threads, folder = new URL('../../dist', import.meta.url).pathname) {
  const tf = await import(path.resolve(folder, 'index.js'));
  tf.setThreadsCount(threads);
  await tf.ready();
  return eagerEngine(tf, { readsFirst: 'large' });
}

/** Starts an engine by its name. */
export const startEngine = (name, threads) =>
  name === kBaseline ? tenure(threads, process.env[kBaselineFolder]) : engines[name].start(threads);

/**
 * The engines, each with `threads` threads if it has any. `tinyOnly`: TensorFlow.js users get its plain JavaScript backend for
 * small workloads only.
 */
export const engines = {
  tenure: { start: (threads) => tenure(threads) },
  'tfjs wasm': { start: (threads) => tensorflow('wasm', threads) },
  'tfjs cpu': { start: () => tensorflow('cpu'), tinyOnly: true },
  'ort wasm': { start: (threads) => ortEngine(threads) },
};
