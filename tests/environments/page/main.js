import { program } from './program.mjs';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
program().then(async (own) => {
  const text = await inWorker;
  document.body.id = 'result';
  document.body.textContent = JSON.stringify([own, text]);
});
