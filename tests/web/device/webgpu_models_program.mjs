// Loads models on the npm package 'webgpu', whose folder is the argument, and prints what was compiled when: the program of
// webgpu_models.test.mjs.
import { createRequire } from 'node:module';
import { onnxModel } from '../../bench/onnx.mjs';
import { oneNode, int8 } from '../../tflite/writer.mjs';
import { held } from '../common.mjs';
import { tf } from '../expect.mjs';
import { restartDevice } from './webgpu_device.mjs';
import { graph, node, placeholder } from '../models/graphs.mjs';

let immediates = 0;
const { setImmediate } = globalThis;
// Dawn asks in each turn of the event loop, by setImmediate(), whether something has ended.
globalThis.setImmediate = (...args) => (++immediates, setImmediate(...args));
const { create } = createRequire(import.meta.url)(process.argv[2]);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
tf.env().set('WEBGL_CPU_FORWARD', false);

const kFeatures = 8;
const values = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i));
const weights = { values: values(kFeatures * kFeatures), shape: [kFeatures, kFeatures] };

/** Returns a loader of a layers model, whose artifacts are made on the CPU. */
async function layers() {
  const model = tf.sequential({
    layers: [
      tf.layers.conv2d({ filters: 4, kernelSize: 3, activation: 'relu', inputShape: [8, 8, 3] }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 5, activation: 'softmax' }),
    ],
  });
  let artifacts;
  await model.save(tf.io.withSaveHandler(async (given) => ((artifacts = given), {})));
  model.dispose();
  return () => tf.loadLayersModel(tf.io.fromMemory(artifacts));
}

function artifacts(shape) {
  const product = node('product', 'MatMul', ['x', 'w']);
  return graph([placeholder('x', shape), product, node('y', 'Tanh', ['product'])], { weights: { w: weights } });
}

const graphModel = (shape) => () => tf.loadGraphModel({ load: async () => artifacts(shape) });

function onnx() {
  const file = onnxModel({
    nodes: [
      { op: 'MatMul', inputs: ['x', 'w'], outputs: ['product'] },
      { op: 'Sigmoid', inputs: ['product'], outputs: ['y'] },
    ],
    constants: { w: weights },
    input: { name: 'x', shape: [1, kFeatures] },
    output: { name: 'y' },
  });
  return () => tf.loadOnnxModel(file);
}

function tflite() {
  const constant = (shape) => ({ shape, values: [...values(shape.reduce((a, b) => a * b))], isConstant: true });
  const file = oneNode({
    code: 9,
    inputs: [{ shape: [1, kFeatures] }, { ...constant([3, kFeatures]), name: 'w' }, { ...constant([3]), name: 'b' }],
    outputs: [{ shape: [1, 3], name: 'y' }],
    type: 8,
    options: [int8(1), int8(0)],
  });
  return () => tf.loadTFLiteModel(file);
}

/** Starts another device. Returns a function that takes the numbers of pipelines it has compiled since the last call. */
async function startDevice() {
  const device = await restartDevice();
  let counts;
  const take = () => {
    const taken = counts;
    counts = { sync: 0, async: 0 };
    return taken;
  };
  take();
  for (const [method, kind] of [
    ['createComputePipeline', 'sync'],
    ['createComputePipelineAsync', 'async'],
  ]) {
    const own = device[method];
    device[method] = (options) => (++counts[kind], own.call(device, options));
  }
  return take;
}

/** Predicts on the CPU and, after a load on a fresh device, on the GPU. */
async function compare(load, shape) {
  const makeInput = () => tf.tensor(values(shape.reduce((a, b) => a * b)), shape);
  await tf.setBackend('wasm');
  const onCpu = await load();
  const expected = tf.tidy(() => onCpu.predict(makeInput()).dataSync());
  onCpu.dispose();
  const take = await startDevice();
  const before = held(tf);
  const start = { immediates, ms: performance.now() };
  const model = await load();
  const loop = { immediates: immediates - start.immediates, ms: performance.now() - start.ms };
  const atLoad = take();
  const y = tf.tidy(() => model.predict(makeInput()));
  const atFirst = take();
  const got = await y.data();
  tf.dispose([y, model]);
  const difference = Math.max(...got.map((value, i) => Math.abs(value - expected[i])));
  return { atLoad, atFirst, loop, difference, before, after: held(tf) };
}

/** Returns the first value that a model predicts. */
async function predictOne(model) {
  const y = tf.tidy(() => model.predict(tf.ones(shape)));
  const [value] = await y.data();
  y.dispose();
  return value;
}

const shape = [1, kFeatures];
const loadGraph = graphModel([-1, kFeatures]);

/** Loads a model while compilations ahead fail, or while the device is lost. Returns what follows. */
async function disturb(disturbance) {
  const take = await startDevice();
  disturbance(tf.backend().device);
  const model = await loadGraph();
  const atLoad = take();
  const value = await predictOne(model);
  model.dispose();
  return { atLoad, value };
}

const loadLayers = await layers();
await startDevice();
const start = held(tf);
const found = {
  layers: await compare(loadLayers, [1, 8, 8, 3]),
  batch: await compare(loadLayers, [3, 8, 8, 3]),
  graph: await compare(graphModel([-1, kFeatures]), [1, kFeatures]),
  unknown: await compare(graphModel([-1, -1]), [2, kFeatures]),
  onnx: await compare(onnx(), [1, kFeatures]),
  tflite: await compare(tflite(), [1, kFeatures]),
};
found.undisturbed = await disturb(() => {});
found.failing = await disturb((device) => {
  device.createComputePipelineAsync = () => Promise.reject(new Error('no'));
});
found.lost = await disturb((device) => {
  const own = device.createComputePipelineAsync;
  device.createComputePipelineAsync = (options) => {
    const pending = own.call(device, options);
    device.destroy();
    return pending;
  };
});
/** Predicts with a model while the pipelines that it needs are compiled for another, which is being loaded. */
async function interrupt() {
  const take = await startDevice();
  const { device } = tf.backend();
  const own = device.createComputePipelineAsync;
  const waiting = [];
  device.createComputePipelineAsync = (options) =>
    new Promise((resolve) => waiting.push(() => resolve(own.call(device, options))));
  const loading = loadGraph();
  let isReady = false;
  while (waiting.length === 0) await tf.nextFrame();
  const ready = tf.ready().then(() => (isReady = true));
  take();
  const other = tf.loadGraphModelSync(artifacts([-1, kFeatures]));
  const predicting = predictOne(other);
  await tf.nextFrame();
  const counts = take();
  const wasReady = isReady;
  for (const compile of waiting) compile();
  const value = await predicting;
  const model = await loading;
  await ready;
  const again = await predictOne(model);
  tf.dispose([model, other]);
  return { ...counts, value, again, wasReady };
}
found.pending = await interrupt();

/** Runs `body` on the CPU and, on a fresh device, on the GPU. Returns how the results differ and what was compiled. */
async function compareRuns(body) {
  await tf.setBackend('wasm');
  const expected = await body();
  const take = await startDevice();
  const before = held(tf);
  const values = await body();
  const difference = Math.max(...values.map((value, i) => Math.abs(value - expected[i])));
  return { ...take(), difference, before, after: held(tf) };
}

/** Returns a model that is built in code. */
function build() {
  const initializers = { kernelInitializer: 'ones', biasInitializer: 'ones' };
  const hidden = tf.layers.dense({ units: 16, activation: 'tanh', inputShape: [kFeatures], ...initializers });
  return tf.sequential({ layers: [hidden, tf.layers.dense({ units: 3, activation: 'softmax', ...initializers })] });
}

const makeSamples = (columns) => tf.tensor(values(64 * columns), [64, columns]);

found.predict = await compareRuns(async () => {
  const model = build();
  const y = tf.tidy(() => model.predict(makeSamples(kFeatures)));
  const predicted = await y.data();
  tf.dispose([y, model]);
  return [...predicted];
});
found.loop = await compareRuns(async () => {
  let x = tf.tensor([1, 2, 3]);
  for (let i = 0; i < 5000; i++) {
    const y = tf.mul(x, 1.0001);
    x.dispose();
    x = y;
  }
  const read = await x.data();
  x.dispose();
  return [...read];
});
found.fit = await compareRuns(async () => {
  const model = build();
  model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
  const [xs, ys] = [makeSamples(kFeatures), makeSamples(3)];
  const { history } = await model.fit(xs, ys, { epochs: 3, shuffle: false, verbose: 0, validationSplit: 0.25 });
  tf.dispose([xs, ys, model]);
  return [...history.loss, ...history.val_loss];
});
found.async = await compareRuns(async () => {
  const model = tf.loadGraphModelSync(artifacts([-1, -1]));
  const x = makeSamples(kFeatures);
  const predicting = model.predictAsync(x);
  x.dispose();
  const y = await predicting;
  const predicted = await y.data();
  tf.dispose([y, model]);
  return [...predicted];
});
// Uploads, results of several ops and freed memory, in the order of the calls, behind dispatches that wait.
found.ops = await compareRuns(async () => {
  let sum = tf.zeros([100, 100]);
  const freed = [];
  for (let i = 0; i < 4; i++) {
    const added = tf.tidy(() => tf.cumsum(tf.tensor(values(10000), [100, 100]).mul(i + 1)).add(sum));
    freed.push(sum.data());
    sum.dispose();
    tf.trim();
    sum = added;
  }
  const results = [...(await Promise.all(freed)), await sum.data()];
  sum.dispose();
  return results.flatMap((result) => [...result]);
});

/** Reads the result of an op in a buffer of the program while the op's pipeline is being compiled. */
async function share() {
  await startDevice();
  const { device } = tf.backend();
  device.createComputePipelineAsync = () => new Promise(() => {});
  const x = tf.tensor(values(16));
  const negative = x.neg();
  const { tensorRef, buffer } = negative.dataToGPU();
  const read = device.createBuffer({ size: 64, usage: 9 });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, read, 0, 64);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(1);
  const got = [...new Float32Array(read.getMappedRange())];
  read.destroy();
  tf.dispose([x, negative, tensorRef]);
  return got;
}
found.shared = { got: await share(), expected: [...values(16)].map((value) => -value) };
await startDevice();
console.log(JSON.stringify({ ...found, start, end: held(tf) }));
