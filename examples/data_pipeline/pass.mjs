// Runs one pass over the pipeline in a process of its own, and sends the measurements to its parent.
import { setTimeout as wait } from 'node:timers/promises';
import * as tf from 'tenure';

const kFloats = 2_500_000;
const kProduce = 1;
const kConsume = 10 * kProduce;
const kBetweenSamples = 20;
const { elements, ahead, parallel, maxBytes } = JSON.parse(process.argv[2]);

// The baseline includes one element's memory, in JavaScript's arrays and in the engine's pools.
const values = new Float32Array(kFloats);
for (let i = 0; i < 3; i++) tf.tidy(() => tf.tensor1d(values).add(1).dataSync());
const baseline = process.memoryUsage.rss();

const dataset = tf.data
  .func(produce())
  .mapAsync(
    async (i) => {
      await wait(kProduce);
      values[0] = i;
      return tf.tensor1d(values);
    },
    { parallel },
  )
  .prefetch(ahead)
  .withOptions({ maxBytes });

const samples = [];
const start = performance.now();
const iterator = await dataset.iterator();
const sample = () => {
  samples.push({ time: performance.now() - start, rss: process.memoryUsage.rss(), ahead: iterator.stats().bytesAhead });
};
sample();
const timer = setInterval(sample, kBetweenSamples);
let expected = 0;
await iterator.forEachAsync(async (x) => {
  if (tf.tidy(() => x.slice(0, 1).dataSync()[0]) !== expected++) throw new Error('an element is out of order');
  await wait(kConsume);
  sample();
});
clearInterval(timer);
sample();
process.send({ baseline, samples, stats: iterator.stats(), left: tf.memory().numTensors });

function produce() {
  let i = 0;
  return () => (i < elements ? { value: i++, done: false } : { value: null, done: true });
}
