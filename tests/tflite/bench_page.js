// Times models with builds of Tenure and with LiteRT.js: those of bench.json.
import { loadAndCompile, loadLiteRt, Tensor } from '/litert/litert.js';
import { show } from '/page/show.js';

const kMillisecondsEach = 100;
const kLoads = 20;

const { models, packages, threads, rounds } = await (await fetch('/models/bench.json')).json();

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Returns an engine's model: { run, end }. */
async function loadTenure(tf, bytes, values, shape) {
  const model = await tf.loadTFLiteModel(bytes);
  const run = () => tf.tidy(() => [model.predict(tf.tensor(values, shape))].flat().map((y) => y.dataSync()));
  return { run, end: () => model.dispose() };
}

async function loadPeer(bytes, values, shape) {
  const model = await loadAndCompile(bytes, { accelerator: 'wasm', cpuOptions: { numThreads: threads } });
  const run = async () => {
    const x = new Tensor(values, shape);
    const outputs = await model.run([x]);
    const results = outputs.map((y) => y.toTypedArray().slice());
    for (const tensor of [x, ...outputs]) tensor.delete();
    return results;
  };
  return { run, end: () => model.delete() };
}

/** Returns the milliseconds of the fastest of the calls in some time. */
async function fastest(run) {
  let best = Infinity;
  const end = performance.now() + kMillisecondsEach;
  do {
    const start = performance.now();
    await run();
    best = Math.min(best, performance.now() - start);
  } while (performance.now() < end);
  return best;
}

/** Returns the milliseconds of each engine's loading, of its first prediction, and of both. */
async function timeLoads(loaders) {
  const [load, first, both] = [1, 2, 3].map(() => loaders.map(() => Infinity));
  for (let i = 0; i < kLoads; ++i) {
    for (const [k, loader] of loaders.entries()) {
      const start = performance.now();
      const model = await loader();
      const loaded = performance.now();
      await model.run();
      const end = performance.now();
      model.end();
      load[k] = Math.min(load[k], loaded - start);
      first[k] = Math.min(first[k], end - loaded);
      both[k] = Math.min(both[k], end - start);
    }
  }
  return { load, first, both };
}

/** Times a model; the builds must give the same for an int8 model. */
async function bench(packages, { name, isInt8 }) {
  const bytes = new Uint8Array(await (await fetch(`/models/${name}`)).arrayBuffer());
  const first = await packages[0].loadTFLiteModel(bytes);
  const shape = first.inputs[0].shape.map((extent) => Math.max(extent, 1));
  first.dispose();
  const values = Float32Array.from({ length: sizeOf(shape) }, (_, i) => Math.sin(i * i));
  const loaders = [
    ...packages.map((tf) => () => loadTenure(tf, bytes, values, shape)),
    () => loadPeer(bytes, values, shape),
  ];
  const times = await timeLoads(loaders);
  const runs = loaders.map(() => Infinity);
  const models = [];
  for (const load of loaders) models.push(await load());
  const outputs = [];
  for (const { run } of models) outputs.push((await run())[0]);
  for (const [k, output] of outputs.slice(1, -1).entries()) {
    if (isInt8 && output.some((value, i) => value !== outputs[0][i]))
      throw new Error(`${name}: build ${k + 1} gives [${output}], build 0 gives [${outputs[0]}]`);
  }
  for (let round = 0; round < rounds; ++round) {
    for (const [k, { run }] of models.entries()) runs[k] = Math.min(runs[k], await fastest(run));
  }
  for (const { end } of models) end();
  return { name, engines: [...packages.map((_, i) => `tenure${i || ''}`), 'litert'], times: { run: runs, ...times } };
}

await loadLiteRt('/litert_wasm/', { threads: threads > 1 });
const loaded = [];
for (const folder of packages) {
  const tf = await import(`${folder}index.js`);
  await tf.ready();
  tf.setThreadsCount(threads);
  // The page does not return to its event loop, by which workers start on their own. LiteRT.js starts its own when it loads.
  if (threads > 1) await tf.startThreads();
  loaded.push(tf);
}
const results = [];
for (const model of models) results.push(await bench(loaded, model));
show(results);
