// Computes in a page whose workers are terminated from outside, of which a page gets no notice.
import { show } from './show.js';

const workers = [];
const Whole = globalThis.Worker;
globalThis.Worker = class extends Whole {
  constructor(...given) {
    super(...given);
    workers.push(this);
  }
};
const warnings = [];
console.warn = (text) => warnings.push(text);

const tf = await import('/tenure/dist/index.js');
await tf.setBackend('wasm');
tf.setThreadsCount(3);
const sum = () =>
  tf.tidy(() => {
    // Small integers, whose sums of products are exact with and without relaxed SIMD.
    const x = tf.range(0, 250_000).mod(5).sub(2).reshape([500, 500]);
    return tf.matMul(x, x).sum().dataSync()[0];
  });
const expected = sum();
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const threads = [await tf.startThreads()];
const lost = '[matMul] a thread of the engine failed, and what it computed is lost';
const said = [];
const compute = () => {
  try {
    if (sum() !== expected) said.push('another sum');
  } catch (error) {
    if (error.message !== lost) said.push(error.message);
  }
};
for (let round = 0; round < 2; round++) {
  for (const worker of workers.splice(0)) worker.terminate();
  // Browsers terminate them after a while, in the middle of their work.
  for (const end = performance.now() + 4000; performance.now() < end; ) {
    compute();
    await turn();
  }
  threads.push(await tf.startThreads());
  compute();
}
const { numTensors } = tf.memory();
for (const worker of workers.splice(0)) worker.terminate();
tf.setThreadsCount(1);
compute();
show({ threads, said, warnings: warnings.length, numTensors });
