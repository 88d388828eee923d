// Worker process of one engine: answers the requests of worker_process.mjs.
import { startEngine } from './engines.mjs';
import { getPeakMemory } from './process_memory.mjs';
import { timeCalls } from './timing.mjs';
import { workloads } from './workloads.mjs';

const kWarmUpMs = 300;
const ofNode = process.memoryUsage().rss;
const engine = await startEngine(process.argv[2], Number(process.argv[3]));
let work;
let current;

const answers = {
  /** Prepares a workload and returns its result, for the comparison; undefined if the engine does not support it. */
  async prepare(name) {
    work = workloads.find((candidate) => candidate.name === name);
    current = await engine.prepare(work);
    return current?.result();
  },

  async warmUp() {
    await timeCalls(current.call, kWarmUpMs);
  },

  async sample(budgetMs) {
    return (await timeCalls(current.call, budgetMs)) / (work.calls ?? 1);
  },

  /** Returns the peak of bytes in use, including one more call. */
  peak() {
    // A profile disposes no tensors and must return none.
    return engine.peak(async () => void (await current.call()));
  },

  /**
   * Returns the milliseconds of loading a model and of its first prediction, and the process's peak memory beyond Node's, in
   * bytes.
   */
  async coldStart({ name, calls }) {
    const candidate = workloads.find((one) => one.name === name);
    const start = performance.now();
    const prepared = await engine.prepare(candidate);
    const loaded = performance.now();
    await prepared.call();
    const first = performance.now() - loaded;
    for (let i = 0; i < calls; ++i) await prepared.call();
    prepared.end();
    return { load: loaded - start, first, peak: getPeakMemory() - ofNode };
  },

  async end() {
    await current?.end();
    current = undefined;
  },

  /** Returns the memory before and after `count` predictions of the prepared model. */
  async soak(count) {
    const before = await usage();
    for (let i = 0; i < count; ++i) {
      const pending = current.call();
      if (pending) await pending;
    }
    return { before, after: await usage() };
  },
};

async function usage() {
  globalThis.gc();
  // Node frees array buffers a turn after their views are collected.
  await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { ...engine.memory?.(), heapUsed, arrayBuffers, rss };
}

process.on('message', async ({ question, argument }) => {
  try {
    process.send({ value: await answers[question](argument) });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send({ value: 'ready' });
