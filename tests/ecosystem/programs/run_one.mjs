// Runs one program on one library, in a process of its own: `node run_one.mjs tenure|tfjs NAME SIZE`. Prints a line of JSON.
import { createRequire } from 'node:module';
import { makeKit } from './kit.mjs';
import { programs } from './programs.mjs';

const kLibraries = { tenure: '../../../dist/node.cjs', tfjs: '../../../build/ecosystem/programs_tfjs.cjs' };
const [library, name, size] = process.argv.slice(2);
const { log } = console;
// TensorFlow.js greets, and warns of what is slow in Node.
for (const method of ['log', 'warn', 'info']) console[method] = () => {};
const tf = createRequire(import.meta.url)(kLibraries[library]);
await tf.setBackend(library === 'tfjs' ? 'cpu' : 'wasm');
await tf.ready();
const rssAtStart = process.memoryUsage.rss();
const tensorsAtStart = tf.memory().numTensors;
const start = process.cpuUsage();
const results = await programs[name].run(tf, makeKit(tf, Number(size)));
const { user, system } = process.cpuUsage(start);
log(
  JSON.stringify({
    results,
    // The processor's time, so that other processes of the machine do not count.
    seconds: (user + system) / 1e6,
    megabytes: (process.resourceUsage().maxRSS * 1024 - rssAtStart) / 1e6,
    tensors: tf.memory().numTensors - tensorsAtStart,
  }),
);
