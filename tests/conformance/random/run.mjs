// `node tests/conformance/random/run.mjs [--seed S] [--count N] [--from I] [--only I] [--most M] [--met]`: random calls on Tenure and on
// TensorFlow.js; prints each call whose outcomes differ and that no rule of differences.mjs allows.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as tf from '../../../dist/index.js';
import { table } from './differences.mjs';
import { loadPeer } from './peer.mjs';
import { Session } from './session.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    most: { type: 'string', default: '50' },
    table: { type: 'boolean', default: false },
    met: { type: 'boolean', default: false },
  },
});
const [seed, count, most] = [options.seed, options.count, options.most].map(Number);

const file = new URL('../../../docs/differences.md', import.meta.url);
if (options.table) {
  writeFileSync(file, table());
  process.exit();
}

console.warn = () => {};
await tf.ready();
const session = new Session(tf, await loadPeer());
const first = Number(options.only ?? options.from);
const end = first + (options.only === undefined ? count : 1);
let differ = 0;
for (let place = first; place < end; place++) {
  const found = await session.run(seed, place);
  if (!found) continue;
  differ++;
  if (differ <= most) console.log(`--seed ${seed} --only ${place}  ${found.words}\n    ${found.call}`);
}
console.log(`${end - first} calls, ${session.thrown} thrown by both, ${differ} differ`);
if (options.met) for (const [rule, times] of session.met) console.log(`${String(times).padStart(6)}  ${rule}`);
process.exitCode = differ > 0 ? 1 : 0;
