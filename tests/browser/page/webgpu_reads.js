// Reads at once in a page and in workers, with canvases as they are and with altered ones.
import * as tf from '/tenure/dist/index.js';
import { show } from './show.js';
import { alterCanvases, readAtOnce } from './webgpu_read_checks.js';

const inWorker = (isAltered) => {
  const worker = new Worker('./webgpu_reads_worker.js', { type: 'module' });
  worker.postMessage(isAltered);
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
};

const found = { page: await readAtOnce(tf), worker: await inWorker(false), alteredWorker: await inWorker(true) };
alterCanvases();
// An engine that has not read from canvases before.
const other = await import('/tenure/dist/index.js?altered');
show({ ...found, alteredPage: await readAtOnce(other) });
