// Makes random calls in a page, and shows those that differ.
import { playAll } from '/random/session.mjs';

const show = (result) => (document.querySelector('#result').textContent = JSON.stringify(result));

async function run() {
  const { backend, seed, first, end } = Object.fromEntries(new URLSearchParams(location.search));
  const [ours, theirs] = await Promise.all([import('/tenure/index.js'), import('/peer/peer.mjs')]);
  await Promise.all([ours.ready(), theirs.setBackend('cpu')]);
  if (!(await ours.setBackend(backend))) throw new Error(`there is no backend ${backend} here`);
  if (backend !== 'wasm') ours.env().set('WEBGL_CPU_FORWARD', false);
  return playAll(ours, theirs, backend, Number(seed), Number(first), Number(end));
}

console.warn = () => {};
run().then(show, (error) => show({ error: error.stack }));
