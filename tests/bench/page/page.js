// One engine in a page of its own: answers the requests of page_worker.mjs.
import { eagerEngine } from '/bench/eager.mjs';
import { lowerBoundEngine } from '/bench/lower_bound.mjs';
import { timeCalls } from '/bench/timing.mjs';
import { pageWorkloads } from './workloads.js';

const kWarmUpMs = 300;
const kMaxValues = 4096;
const asked = new URLSearchParams(location.search);
const gpuOnly = asked.get('gpuOnly') === 'true';
const threads = Number(asked.get('threads'));

async function tensorflow(backend) {
  const tf = await import(`/peers/tfjs_${backend}.js`);
  tf.enableProdMode();
  if (backend === 'wasm') {
    tf.setWasmPaths('/tfjs_wasm/');
    tf.setThreadsCount(threads);
  }
  await tf.setBackend(backend);
  await tf.ready();
  return tf;
}

async function tenure(backend) {
  const tf = await import('/tenure/index.js');
  tf.setThreadsCount(threads);
  if (!(await tf.setBackend(backend))) throw new Error(`there is no ${backend}`);
  if (gpuOnly) tf.env().set('WEBGL_CPU_FORWARD', false);
  return tf;
}

const kOnWebgpu = { readsFirst: 'all', awaits: true };
const kStart = {
  'tenure on webgl': async () => eagerEngine(await tenure('webgl'), { readsFirst: 'all' }),
  'tenure wasm on webgl': async () => eagerEngine(await tenure('wasm'), { readsFirst: 'all' }),
  'tfjs webgl on webgl': async () => eagerEngine(await tensorflow('webgl'), { readsFirst: 'all' }),
  'tenure on webgpu': async () => eagerEngine(await tenure('webgpu'), kOnWebgpu),
  'tfjs webgpu on webgpu': async () => eagerEngine(await tensorflow('webgpu'), kOnWebgpu),
  'tenure on wasm': async () => eagerEngine(await tenure('wasm'), { readsFirst: 'large' }),
  'tfjs wasm on wasm': async () => eagerEngine(await tensorflow('wasm')),
  'ort wasm on wasm': async () =>
    (await import('/bench/ort.mjs')).ortEngine(threads, await import('/ort/ort.wasm.bundle.min.mjs')),
  'ort webgpu on webgpu': async () =>
    (await import('/bench/ort.mjs')).ortEngine(threads, await import('/ort/ort.webgpu.bundle.min.mjs'), 'webgpu'),
  'lower bound on wasm': async () => lowerBoundEngine(),
  'litert on wasm': async () =>
    (await import('/bench/litert.mjs')).litertEngine(threads, await import('/peers/litert.js'), '/litert_wasm/'),
  'litert webgpu on webgpu': async () =>
    (await import('/bench/litert.mjs')).litertGpuEngine(await import('/peers/litert.js'), '/litert_wasm/'),
  'jax webgpu on webgpu': async () => (await import('/bench/jax.mjs')).jaxEngine(await import('/peers/jax.js')),
};

const engine = await kStart[`${asked.get('engine')} on ${asked.get('backend')}`]();
let work;
let current;

const answers = {
  /** Returns some values of the workload's result, for the comparison. */
  async prepare(name) {
    work = pageWorkloads.find((candidate) => candidate.name === name);
    const model = work.read && (await work.read());
    current = await engine.prepare(model ? { ...work, model: () => model } : work);
    if (!current) return undefined;
    const values = await current.result();
    if (work.train) return values;
    const step = Math.ceil(values.length / kMaxValues);
    return Array.from(values.filter((_, i) => i % step === 0));
  },
  warmUp: () => timeCalls(current.call, kWarmUpMs),
  async sample(budgetMs) {
    const { parts = [current.call] } = current;
    let time = 0;
    for (const part of parts) time += await timeCalls(part, budgetMs / parts.length);
    return time / (work.calls ?? 1);
  },
  async end() {
    await current?.end();
    current = undefined;
  },
  /** Returns the milliseconds of a model's first prediction, including shader compilation; undefined if it cannot run. */
  async first(name) {
    const model = await pageWorkloads.find((candidate) => candidate.name === name).read();
    const prepared = await engine.prepare({ model: () => model });
    if (!prepared) return undefined;
    const start = performance.now();
    await prepared.call();
    const time = performance.now() - start;
    prepared.end();
    return time;
  },
};

globalThis.ask = (question, argument) => answers[question](argument);
