// `node tests/bench/quantized.mjs [TEXT]`: times models with weights in 16, 8 and 4 bits, and their float32 twins, beside
// onnxruntime-web in Node, with one thread: the workloads whose names contain the text. The engines alternate. Prints
// milliseconds, the fastest of all rounds, the resident megabytes of the weights, and the largest difference of the results
// relative to the largest value.
import * as tf from '../../dist/index.js';
import { preparePeers } from './prepare.mjs';
import { makeDecoderStep, makeEncoder, makeProduct } from './quantized_models.mjs';
import { randomFloats, sizeOf } from './random.mjs';

const kRounds = 4;
const kMillisecondsEach = 400;

const kWorkloads = [
  ...[
    [128, 384, 384],
    [128, 384, 1536],
    [1, 2048, 2048],
    [1, 384, 1536],
  ].flatMap(([rows, depth, width]) =>
    [32, 16, 8, 4].map((bits) => ({
      name: `${rows}x${depth}x${width} ${bits} bits`,
      make: () => makeProduct({ rows, depth, width, bits }),
    })),
  ),
  ...[32, 8].map((bits) => ({ name: `encoder 128x384, 6 layers, ${bits} bits`, make: () => makeEncoder({ bits }) })),
  ...[32, 16, 8, 4].map((bits) => ({
    name: `decoder step 768, 6 layers, ${bits} bits`,
    make: () => makeDecoderStep({ bits }),
  })),
];

preparePeers();
const { default: ort } = await import('onnxruntime-web');
tf.setThreadsCount(1);
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

/** Returns the milliseconds of the fastest call of some hundred milliseconds. */
async function fastest(call) {
  let best = Infinity;
  const end = performance.now() + kMillisecondsEach;
  for (let calls = 0; calls < 3 || performance.now() < end; ++calls) {
    const start = performance.now();
    await call();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

for (const { name, make } of kWorkloads.filter((work) => work.name.includes(process.argv[2] ?? ''))) {
  const { bytes, shape, output } = make();
  const values = randomFloats(sizeOf(shape), 1, -1, 1);
  const before = tf.memory().detail.weights;
  const model = await tf.loadOnnxModel(bytes);
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };
  const session = await ort.InferenceSession.create(bytes, options);
  const feed = { x: new ort.Tensor('float32', values, shape) };
  const calls = {
    // From array to array, as onnxruntime's API has it.
    tenure: () => tf.tidy(() => model.predict(tf.tensor(values, shape)).dataSync()),
    ort: () => session.run(feed),
  };
  const times = { tenure: Infinity, ort: Infinity };
  for (let round = 0; round < kRounds; ++round) {
    for (const engine of ['tenure', 'ort']) times[engine] = Math.min(times[engine], await fastest(calls[engine]));
  }
  const got = calls.tenure();
  const want = (await session.run(feed))[output].data;
  const largest = want.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const off = want.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  const megabytes = (tf.memory().detail.weights - before) / 2 ** 20;
  console.log(
    `${name.padEnd(44)} tenure ${times.tenure.toFixed(3)} ms  ort ${times.ort.toFixed(3)} ms  ` +
      `${(times.tenure / times.ort).toFixed(2)}  ${megabytes.toFixed(1)} MB  off ${(off / largest).toExponential(1)}`,
  );
  model.dispose();
  await session.release();
}
