// `node tests/conformance/random/run.mjs [--seed S] [--count N] [--only I] [--most M]`: random calls on Tenure and on
// TensorFlow.js; prints each call whose outcomes differ and that no rule of differences.mjs allows.
import { parseArgs } from 'node:util';
import * as tf from '../../../dist/index.js';
import { loadPeer } from './peer.mjs';
import { Session } from './session.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    only: { type: 'string' },
    most: { type: 'string', default: '50' },
    met: { type: 'boolean', default: false },
  },
});
const [seed, count, most] = [options.seed, options.count, options.most].map(Number);

console.warn = () => {};
await tf.ready();
const session = new Session(tf, await loadPeer());
const [first, end] = options.only === undefined ? [0, count] : [Number(options.only), Number(options.only) + 1];
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
