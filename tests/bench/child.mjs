// One engine in a process of its own: answers the questions that player.mjs asks.
import { existsSync, readFileSync } from 'node:fs';
import { engines } from './engines.mjs';
import { timeCalls } from './timing.mjs';
import { works } from './works.mjs';

const kWarmUpMs = 300;
const ofNode = process.memoryUsage().rss;
const engine = await engines[process.argv[2]].start(Number(process.argv[3]));
let work;
let current;

/** The most bytes that this process has had. On Linux maxRSS begins with what its parent had when it was started. */
function mostMemory() {
  const status = '/proc/self/status';
  const [, kilobytes = process.resourceUsage().maxRSS] = (existsSync(status) && /VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))) || [];
  return kilobytes * 1024;
}

const answers = {
  /** The result of the work, for the comparison; undefined where the engine has no such work. */
  async prepare(name) {
    work = works.find((candidate) => candidate.name === name);
    current = await engine.prepare(work);
    return current?.result();
  },

  async warmUp() {
    await timeCalls(current.call, kWarmUpMs);
  },

  async sample(budgetMs) {
    return (await timeCalls(current.call, budgetMs)) / (work.calls ?? 1);
  },

  /** The most bytes in use at once, up to the end of one more call. */
  peak() {
    // A profile disposes of no tensors, and wants none.
    return engine.peak(async () => void (await current.call()));
  },

  /** Milliseconds of loading a model and of its first prediction, and the most bytes that the process ever had beyond Node's. */
  async fresh({ name, calls }) {
    const candidate = works.find((one) => one.name === name);
    const start = performance.now();
    const prepared = await engine.prepare(candidate);
    const loaded = performance.now();
    await prepared.call();
    const first = performance.now() - loaded;
    for (let i = 0; i < calls; ++i) await prepared.call();
    prepared.end();
    return { load: loaded - start, first, peak: mostMemory() - ofNode };
  },

  async end() {
    await current?.end();
    current = undefined;
  },

  /** Memory before and after so many predictions of the prepared model. */
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
  // Node lets go of array buffers a turn after their views are collected.
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
