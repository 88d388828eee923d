// One engine in a page of its own: answers the questions that page_player.mjs asks.
import { eagerEngine } from '/bench/eager.mjs';
import { timeCalls } from '/bench/timing.mjs';
import { pageWorks } from './works.js';

const kWarmUpMs = 300;
const kMostValues = 4096;
const tenureOn = async (backend) => {
  const tf = await import('/tenure/index.js');
  if (!(await tf.setBackend(backend))) throw new Error(`there is no ${backend}`);
  return tf;
};
const kStart = {
  'tenure': () => tenureOn('webgl'),
  'tenure wasm': () => tenureOn('wasm'),
  'tfjs webgl': async () => {
    const tf = await import('/peers/tfjs.js');
    tf.enableProdMode();
    await tf.setBackend('webgl');
    await tf.ready();
    return tf;
  },
};

const asked = new URLSearchParams(location.search);
const tf = await kStart[asked.get('engine')]();
if (asked.get('gpuOnly') === 'true') tf.env().set('WEBGL_CPU_FORWARD', false);
const engine = eagerEngine(tf, { readsFirst: true });
let work;
let current;

const answers = {
  /** Some values of the work's result, for the comparison. */
  async prepare(name) {
    work = pageWorks.find((candidate) => candidate.name === name);
    const model = work.read && (await work.read());
    current = await engine.prepare(model ? { ...work, model: () => model } : work);
    const values = await current.result();
    if (work.train) return values;
    const step = Math.ceil(values.length / kMostValues);
    return Array.from(values.filter((_, i) => i % step === 0));
  },
  warmUp: () => timeCalls(current.call, kWarmUpMs),
  sample: (budgetMs) => timeCalls(current.call, budgetMs),
  async end() {
    await current?.end();
    current = undefined;
  },
  /** Milliseconds of a model's first prediction, its shaders included. */
  async first(name) {
    const model = await pageWorks.find((candidate) => candidate.name === name).read();
    const prepared = await engine.prepare({ model: () => model });
    const start = performance.now();
    await prepared.call();
    const time = performance.now() - start;
    prepared.end();
    return time;
  },
};

globalThis.ask = (question, argument) => answers[question](argument);
