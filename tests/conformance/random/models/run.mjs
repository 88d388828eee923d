// `node tests/conformance/random/models/run.mjs [--seed S] [--count N] [--only I] [--most M] [--show] [--train]`: compares
// random models in Tenure and in TensorFlow.js. Prints each whose predictions, or with --train whose training, differ without a
// repair that explains it.
import { parseArgs } from 'node:util';
import { loadPeer } from './peer.mjs';
import { Session } from './session.mjs';
import { Training } from './training.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    only: { type: 'string' },
    most: { type: 'string', default: '20' },
    show: { type: 'boolean', default: false },
    train: { type: 'boolean', default: false },
  },
});
const [seed, count, most] = [options.seed, options.count, options.most].map(Number);
const tf = await import(process.env.TENURE_DIST ?? '../../../../dist/index.js');

console.warn = () => {};
await tf.ready();
const peer = await loadPeer({ withMethods: true });
const session = options.train ? new Training(tf, peer) : new Session(tf, peer);
const [first, end] = options.only === undefined ? [0, count] : [Number(options.only), Number(options.only) + 1];
let differ = 0;
for (let place = first; place < end; place++) {
  const found = await session.run(seed, place);
  if (!found) continue;
  differ++;
  if (differ <= most) console.log(`--seed ${seed} --only ${place}  ${found.words}`);
  if (options.show) console.log(JSON.stringify(found.artifacts.modelTopology, null, 1));
}
const told = options.train
  ? `${session.trained} trained, ${session.refused} that TensorFlow.js cannot train, ${session.unsteady} that hang on the last bits`
  : `${session.predictions} predictions, ${session.refused} refused by both, ${session.unreadable} that TensorFlow.js cannot read`;
console.log(`${end - first} models, ${told}, ${differ} differ`);
for (const [rule, times] of options.train ? session.why : session.met)
  console.log(`${String(times).padStart(6)}  ${rule}`);
process.exitCode = differ > 0 ? 1 : 0;
