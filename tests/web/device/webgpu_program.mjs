// Runs on the npm package 'webgpu', whose folder is the argument, and prints what it found: the program of webgpu.test.mjs, in a
// process of its own, as Vulkan's loader has to be found when a process starts.
import { createRequire } from 'node:module';
import { held, isClose } from '../common.mjs';
import { cases } from '../ops/cases.mjs';
import { tf } from '../expect.mjs';

const kTolerance = 2e-5;
const kLarge = [256, 256];
const { create } = createRequire(import.meta.url)(process.argv[2]);

/** Calls each op, and reads its result. Returns what is wrong, and the ops that would have to wait for the device. */
async function runCases() {
  const wrong = [];
  const waiting = [];
  for (const [name, call, , values] of cases) {
    try {
      const actual = tf.tidy(call);
      const got = await actual.data();
      actual.dispose();
      if (!values.every((value, i) => isClose(got[i], Number(value), kTolerance))) wrong.push(`${name}: ${got}`);
    } catch (error) {
      if (/await tensor\.data\(\)/.test(error.message)) waiting.push(name);
      else wrong.push(`${name}: ${error.stack}`);
    }
  }
  return { wrong, waiting };
}

const messageOf = (body) => {
  try {
    body();
    return 'none';
  } catch ({ message }) {
    return message;
  }
};

const warnings = [];
console.warn = (text) => warnings.push(text);
const without = await tf.setBackend('webgpu');
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
const chosen = await tf.setBackend('webgpu');
const before = held(tf);
const small = await runCases();

const x = tf.fill(kLarge, 2);
const sum = tf.tidy(() => tf.add(x, 1).square());
const onGpu = tf.memory().numBytesInGPU;
const blocking = messageOf(() => sum.dataSync());
const fallback = messageOf(() => tf.tidy(() => tf.unique(sum.flatten())));
const disposed = sum.clone();
const reading = disposed.data();
disposed.dispose();
const [value] = await reading;
const top = tf.tidy(() => tf.topk(sum, 1).values.dataSync()[0]);
tf.dispose([x, sum]);

tf.env().set('WEBGL_CPU_FORWARD', false);
const all = await runCases();
const backend = tf.getBackend();
console.log(
  JSON.stringify({
    ...{ without, warnings, chosen, backend, small, onGpu, blocking, fallback, value, top, all },
    ...{ cases: cases.length, before, after: held(tf) },
  }),
);
