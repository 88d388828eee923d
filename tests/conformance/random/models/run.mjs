// `node tests/conformance/random/models/run.mjs [--seed S] [--count N] [--only I] [--most M] [--show]`: random models in
// Tenure and in TensorFlow.js; prints each whose predictions differ and that no repair explains.
import { parseArgs } from 'node:util';
import { loadPeer } from './peer.mjs';
import { Session } from './session.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    only: { type: 'string' },
    most: { type: 'string', default: '20' },
    show: { type: 'boolean', default: false },
  },
});
const [seed, count, most] = [options.seed, options.count, options.most].map(Number);
const tf = await import(process.env.TENURE_DIST ?? '../../../../dist/index.js');

console.warn = () => {};
await tf.ready();
const session = new Session(tf, await loadPeer());
const [first, end] = options.only === undefined ? [0, count] : [Number(options.only), Number(options.only) + 1];
let differ = 0;
for (let place = first; place < end; place++) {
  const found = await session.run(seed, place);
  if (!found) continue;
  differ++;
  if (differ <= most) console.log(`--seed ${seed} --only ${place}  ${found.words}`);
  if (options.show) console.log(JSON.stringify(found.artifacts.modelTopology, null, 1));
}
console.log(`${end - first} models, ${session.predictions} predictions, ${session.refused} refused by both, ${session.unreadable} that TensorFlow.js cannot read, ${differ} differ`);
for (const [rule, times] of session.met) console.log(`${String(times).padStart(6)}  ${rule}`);
process.exitCode = differ > 0 ? 1 : 0;
