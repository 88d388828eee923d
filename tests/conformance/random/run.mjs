// `node tests/conformance/random/run.mjs [--seed S] [--count N] [--from I] [--only I] [--most M] [--met] [--browser] [--backend
// wasm|webgl|webgpu]`: makes random calls on Tenure and on TensorFlow.js, in Node or in Chromium. Prints each call whose outcomes
// differ without a rule of differences.mjs that allows it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { at, showPage } from '../page.mjs';
import { table } from './differences.mjs';
import { bundlePeer, loadPeer } from './peer.mjs';
import { playAll } from './session.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    most: { type: 'string', default: '50' },
    table: { type: 'boolean', default: false },
    met: { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    backend: { type: 'string', default: 'webgl' },
  },
});
const [seed, count, most] = [options.seed, options.count, options.most].map(Number);

const file = new URL('../../../docs/differences.md', import.meta.url);
if (options.table) {
  writeFileSync(file, table());
  process.exit();
}

const first = Number(options.only ?? options.from);
const end = first + (options.only === undefined ? count : 1);
const { found, thrown, met } = options.browser ? await inBrowser() : await inNode();
for (const { place, words, call } of found.slice(0, most))
  console.log(`--seed ${seed} --only ${place}  ${words}\n    ${call}`);
console.log(`${end - first} calls, ${thrown} thrown by both, ${found.length} differ`);
if (options.met) for (const [rule, times] of met) console.log(`${String(times).padStart(6)}  ${rule}`);
process.exitCode = found.length > 0 ? 1 : 0;

async function inNode() {
  const tf = await import('../../../dist/index.js');
  console.warn = () => {};
  await tf.ready();
  return playAll(tf, await loadPeer(), 'wasm', seed, first, end);
}

async function inBrowser() {
  const folders = { '/random': at('random'), '/peer': path.dirname(await bundlePeer('browser')) };
  const query = new URLSearchParams({ backend: options.backend, seed, first, end });
  const shown = await showPage(`random.html?${query}`, folders, { webgpu: options.backend === 'webgpu' });
  if (shown.error) throw new Error(shown.error);
  return shown;
}
