// In the pack: measures the npm package on WebGPU in Node, by Dawn's module for Node. Prints a JSON object a line, in the form of
// tenure_gpu_bench. `node node_bench.mjs [--quick]`; Vulkan's loader must be on the path of libraries.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, globals } from './webgpu/index.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const tf = createRequire(import.meta.url)('./tenure/node.cjs');
const quick = process.argv.includes('--quick');
/** Milliseconds that a measurement takes. */
const kEffort = quick ? 5 : 250;
const kLargest = quick ? 256 : 4096;
/** Largest number of ops in flight: more would only fill queues. */
const kMaxRuns = 256;

const print = (row) => console.log(JSON.stringify(row));
const read = (name) => readFileSync(path.join(here, 'models', name));
const readJson = (name) => JSON.parse(read(name).toString());

/** Waits for the device by reading an element of a tensor. */
const finish = (tensor) => tf.tidy(() => tf.slice(tf.reshape(tensor, [-1]), [0], [1])).data();

/** Returns the milliseconds of `count` runs, and of the wait for the last result. */
async function time(run, count) {
  const start = performance.now();
  let last;
  for (let i = 0; i < count; ++i) {
    last?.dispose();
    last = run();
  }
  await finish(last);
  last.dispose();
  return performance.now() - start;
}

/** Returns the milliseconds of a run: the difference to twice as many runs, so that the wait does not count. */
async function measure(run) {
  await time(run, 1);
  let count = 1;
  while (count < kMaxRuns && (await time(run, count)) < kEffort / 4) count *= 2;
  let [some, more] = [Infinity, Infinity];
  for (let i = 0; i < 5; ++i) {
    some = Math.min(some, await time(run, count));
    more = Math.min(more, await time(run, 2 * count));
  }
  return more > some ? (more - some) / count : more / (2 * count);
}

async function measureOp({ name, shapes, flops, run }) {
  const inputs = shapes.map((shape) => tf.randomUniform(shape, -1, 1));
  const result = run(...inputs);
  const bytes = [...inputs, result].reduce((sum, { size }) => sum + 4 * size, 0);
  result.dispose();
  const ms = await measure(() => tf.tidy(() => run(...inputs)));
  tf.dispose(inputs);
  print({ kind: 'op', name, device_ms: ms, bytes, ...(flops && { flops }) });
}

const matmul = (n) => ({
  name: `matmul ${n}x${n}x${n}`,
  shapes: [
    [n, n],
    [n, n],
  ],
  flops: 2 * n ** 3,
  run: (a, b) => tf.matMul(a, b),
});

const kOps = [
  ...[256, 1024, 4096].filter((n) => n <= kLargest).map(matmul),
  {
    name: 'conv 3x3 56x56x64->64',
    shapes: [
      [1, 56, 56, 64],
      [3, 3, 64, 64],
    ],
    flops: 2 * 56 * 56 * 64 * 9 * 64,
    run: (x, filter) => tf.conv2d(x, filter, 1, 'same'),
  },
  {
    name: 'depthwise 3x3 112x112x32',
    shapes: [
      [1, 112, 112, 32],
      [3, 3, 32, 1],
    ],
    flops: 2 * 112 * 112 * 32 * 9,
    run: (x, filter) => tf.depthwiseConv2d(x, filter, 1, 'same'),
  },
  {
    name: 'add 4M',
    shapes: [
      [4096, 1024],
      [4096, 1024],
    ],
    run: (a, b) => tf.add(a, b),
  },
  { name: 'sum rows 2048x2048', shapes: [[2048, 2048]], run: (x) => tf.sum(x, 1) },
  { name: 'transpose 2048x2048', shapes: [[2048, 2048]], run: (x) => tf.transpose(x) },
  { name: 'softmax 1024x1000', shapes: [[1024, 1000]], run: (x) => tf.softmax(x) },
];

/** Measures a prediction from a tensor on the device to the values of the first output on the CPU, and its first run. */
async function measurePrediction(name, model) {
  const x = tf.randomUniform(model.inputs[0].shape.map((extent) => (extent > 0 ? extent : 1)));
  const predict = async () => {
    const outputs = [model.predict(x)].flat();
    await outputs[0].data();
    tf.dispose(outputs);
  };
  await report(name, predict);
  x.dispose();
  model.dispose();
}

async function measureTraining(name, model, { input, classes }) {
  model.compile({ optimizer: 'sgd', loss: 'categoricalCrossentropy' });
  const x = tf.randomUniform(input);
  const y = tf.tidy(() =>
    tf.oneHot(tf.range(0, input[0], 1, 'int32').mod(tf.scalar(classes, 'int32')), classes).toFloat(),
  );
  await report(name, () => model.trainOnBatch(x, y));
  tf.dispose([x, y]);
  model.dispose();
}

/** Prints the milliseconds of the first call of an asynchronous function, and of later ones. */
async function report(name, run) {
  const start = performance.now();
  await run();
  const first = performance.now() - start;
  const rounds = [];
  const end = performance.now() + 4 * kEffort;
  do {
    const from = performance.now();
    await run();
    rounds.push(performance.now() - from);
  } while (performance.now() < end && rounds.length < 200);
  rounds.sort((a, b) => a - b);
  print({ kind: 'model', name, device_ms: rounds[rounds.length >> 1], device_first_ms: first });
}

const fromTopology = (name) => tf.models.modelFromJSON({ modelTopology: readJson(`${name}.json`) });

function loadBlazeface() {
  const [modelTopology, weightSpecs] = [readJson('blazeface.json'), readJson('blazeface.weights.json')];
  const weightData = new Uint8Array(read('blazeface.bin')).buffer;
  return tf.loadGraphModel(tf.io.fromMemory({ modelTopology, weightSpecs, weightData }));
}

Object.assign(globalThis, globals);
await tf.init({ gpu: create([]) });
if (!(await tf.setBackend('webgpu'))) throw new Error('WebGPU has no adapter in Node');
const info = tf.backend().device.adapterInfo ?? {};
print({ kind: 'device', renderer: info.description || info.device || info.vendor || 'unknown', node: process.version });
// Otherwise elementwise ops on many floats would be deferred until their results are read, and those of all runs but the last be
// dropped without being computed.
const kLazySize = 'WASM_LAZY_SIZE_THRESHOLD';
const lazySize = tf.env().get(kLazySize);
tf.env().set(kLazySize, Infinity);
for (const op of kOps) await measureOp(op);
tf.env().set(kLazySize, lazySize);
if (!quick) await measurePrediction('MobileNetV1 1.0 224', await fromTopology('mobilenet_100_224'));
await measurePrediction('MobileNetV1 0.25 128', await fromTopology('mobilenet_025_128'));
const { missing } = readJson('../version.json');
if (!missing.includes('blazeface')) await measurePrediction('blazeface', await loadBlazeface());
await measurePrediction('LSTM', await fromTopology('lstm'));
await measureTraining('train MLP, batch 64', await fromTopology('mlp'), { input: [64, 784], classes: 10 });
if (!quick)
  await measureTraining('train CNN, batch 64', await fromTopology('cnn'), { input: [64, 28, 28, 1], classes: 10 });
