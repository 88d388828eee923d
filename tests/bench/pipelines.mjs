// Measures the cost of data pipelines: `node tests/bench/pipelines.mjs`, after `npm run build`. Ratios are medians of rounds in
// turns, so that other load on the machine affects both sides.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as tf from '../../dist/index.js';
import { loadDataPeer } from '../conformance/data_peer.mjs';

const kRounds = Number(process.argv[2] ?? 7);
const kElements = 50_000;
const numbers = (count) => Array.from({ length: count }, (_, i) => i);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const busyModule = new URL('../web/data/workers/maps.mjs', import.meta.url);

/** Returns the milliseconds of each function: CPU time, or with `wall` wall-clock time. The first round is not counted. */
async function measured(functions, { rounds = kRounds, wall = false } = {}) {
  const times = functions.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, work] of functions.entries()) {
      const start = wall ? performance.now() : process.cpuUsage();
      await work();
      const cpu = wall ? undefined : process.cpuUsage(start);
      if (round > 0) times[i].push(wall ? performance.now() - start : (cpu.user + cpu.system) / 1000);
    }
  }
  return times.map(median);
}

const say = (name, text) => console.log(`${name.padEnd(36)} ${text}`);
const drain = (dataset) => dataset.forEachAsync(() => {});

const items = numbers(kElements);
const source = () => tf.data.array(items);
const stages = {
  map: (d) => d.map((x) => x),
  filter: (d) => d.filter(() => true),
  take: (d) => d.take(kElements),
  skip: (d) => d.skip(1),
  shard: (d) => d.shard(1, 0),
  takeWhile: (d) => d.takeWhile(() => true),
  concatenate: (d) => d.concatenate(tf.data.array([])),
  repeat: (d) => d.repeat(1),
  shuffle: (d) => d.shuffle(16, '1'),
  prefetch: (d) => d.prefetch(8),
  cache: (d) => d.cache(),
  zip: (d) => tf.data.zip({ d }),
  mapAsync: (d) => d.mapAsync(async (x) => x),
  'mapAsync, parallel 8': (d) => d.mapAsync(async (x) => x, { parallel: 8 }),
};
for (const [name, add] of Object.entries(stages)) {
  const [without, withIt] = await measured([() => drain(source()), () => drain(add(source()))]);
  say(
    `stage ${name}`,
    `${(((withIt - without) * 1000) / kElements).toFixed(2)} us an element over ${((without * 1000) / kElements).toFixed(2)} us`,
  );
}

const peer = await loadDataPeer();
const rows = numbers(10_000).map((i) => numbers(100).map((j) => i + j));
for (const [name, elements] of [
  ['arrays', rows],
  ['Float32Array', rows.map((row) => Float32Array.from(row))],
]) {
  const [mine, theirs] = await measured([tf, peer].map((t) => () => drain(t.data.array(elements).batch(100))));
  say(
    `batch 10,000 ${name} of 100`,
    `${mine.toFixed(0)} ms, tfjs-data ${theirs.toFixed(0)} ms: ${(mine / theirs).toFixed(3)} of it`,
  );
}

const tasks = numbers(60);
const pools = [1, 2].map((workers) => tf.data.workers(busyModule, { workers, name: 'sums' }));
const bare = [bareThread(), bareThread()];
const [one, two, bareOne, bareTwo] = await measured(
  [
    ...pools.map((pool) => () => drain(tf.data.array(tasks).mapAsync(pool))),
    () => shareOut(tasks, bare.slice(0, 1)),
    () => shareOut(tasks, bare),
  ],
  { wall: true },
);
say('two workers', `${two.toFixed(0)} ms, one ${one.toFixed(0)} ms: ${(one / two).toFixed(2)} x`);
say(
  'two threads without a pipeline',
  `${bareTwo.toFixed(0)} ms, one ${bareOne.toFixed(0)} ms: ${(bareOne / bareTwo).toFixed(2)} x, which is what the machine has to give`,
);
await Promise.all([...pools.map((pool) => pool.close()), ...bare.map((thread) => thread.terminate())]);

const slow = () => tf.data.array(numbers(60)).mapAsync(async (x) => (await wait(5), x));
const consume = (dataset) => dataset.forEachAsync(() => wait(5));
const [plain, ahead] = await measured([() => consume(slow()), () => consume(slow().prefetch(2))], {
  rounds: 3,
  wall: true,
});
say(
  'prefetch, consumer of equal cost',
  `${ahead.toFixed(0)} ms, without ${plain.toFixed(0)} ms: ${(plain / ahead).toFixed(2)} x`,
);

/** A thread that does the same work as the pool's threads, without the pipeline. */
function bareThread() {
  const code = `import { parentPort } from 'node:worker_threads';
    import { sums } from '${busyModule}';
    parentPort.on('message', (x) => parentPort.postMessage(sums(x)));`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
}

/** Distributes tasks: each thread gets the next task when it has finished one. */
async function shareOut(tasks, threads) {
  const left = tasks.values();
  await Promise.all(
    threads.map(async (thread) => {
      for (const task of left) {
        thread.postMessage(task);
        await once(thread, 'message');
      }
    }),
  );
}
