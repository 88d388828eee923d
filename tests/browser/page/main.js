import * as tf from 'tenure';
import { irises } from './irises.js';
import { ops } from './ops.js';
import { show } from './show.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
// Old browsers need this; elsewhere ops run at once.
if (location.search === '?ready') await tf.ready();
show({ page: { ops: await ops(tf), irises: await irises(tf) }, worker: await inWorker });
