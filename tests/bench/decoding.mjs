// `node tests/bench/decoding.mjs [LENGTH...]`: times the tokens of a decoder of 6 layers with 12 heads of 64 behind so many others,
// with one thread: with a cache that stays in the engine, with one that JavaScript gets and gives back, and by onnxruntime-web in
// Node. The three alternate. Prints the milliseconds of a token, the lower quartile, and the largest difference of the logits.
import * as tf from '../../dist/index.js';
import { makePlainDecoder } from '../onnx/plain_decoder.mjs';
import { preparePeers } from './prepare.mjs';
import { randomFloats } from './random.mjs';

const kShape = { layers: 6, heads: 12, size: 64, positions: 4096 };
const kLengths = [100, 500, 2000];
const kTokens = 50;
/** Tokens before the timed ones. */
const kWarmUp = 8;
const kVocabulary = 50;

preparePeers();
const { default: ort } = await import('onnxruntime-web');
tf.setThreadsCount(1);
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const file = makePlainDecoder(kShape);
const model = await tf.loadOnnxModel(file);
const session = await ort.InferenceSession.create(file, {
  executionProviders: ['wasm'],
  graphOptimizationLevel: 'all',
});
const names = session.inputNames.filter((name) => name.startsWith('past'));
const outputs = ['logits', ...names.map((name) => name.replace('past', 'present'))];
const dims = (length) => [1, kShape.heads, length, kShape.size];

/** Returns the results of a run of tenure, as tensors in the order of `outputs`. */
function execute(token, before, caches) {
  const feeds = {
    input_ids: tf.tensor([token], [1, 1], 'int32'),
    attention_mask: tf.ones([1, before + 1], 'int32'),
    ...Object.fromEntries(names.map((name, i) => [name, caches[i]])),
  };
  const results = model.execute(feeds, outputs);
  tf.dispose(feeds);
  return results;
}

/** The engines: each makes caches of arrays, and returns the logits and the caches behind a token. */
const engines = {
  stays: {
    start: (arrays, length) => arrays.map((array) => tf.tensor(array, dims(length))),
    next(token, before, caches) {
      const [logits, ...present] = execute(token, before, caches);
      const data = logits.dataSync();
      logits.dispose();
      return { logits: data, caches: present };
    },
    end: (caches) => tf.dispose(caches),
  },
  crosses: {
    start: (arrays) => arrays,
    next(token, before, caches) {
      const results = execute(
        token,
        before,
        caches.map((array) => tf.tensor(array, dims(before))),
      );
      const [logits, ...present] = results.map((result) => result.dataSync());
      tf.dispose(results);
      return { logits, caches: present };
    },
  },
  ort: {
    start: (arrays, length) => arrays.map((array) => new ort.Tensor('float32', array, dims(length))),
    async next(token, before, caches) {
      const ids = (values) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
      const results = await session.run({
        input_ids: ids([token]),
        attention_mask: ids(Array.from({ length: before + 1 }, () => 1)),
        ...Object.fromEntries(names.map((name, i) => [name, caches[i]])),
      });
      return { logits: results.logits.data, caches: outputs.slice(1).map((name) => results[name]) };
    },
  },
};

const lengths = process.argv.slice(2).map(Number);
for (const length of lengths.length > 0 ? lengths : kLengths) {
  const arrays = names.map((_, i) => randomFloats(kShape.heads * length * kShape.size, i + 1, -1, 1));
  const states = Object.entries(engines).map(([name, engine]) => ({
    name,
    engine,
    caches: engine.start(arrays, length),
    times: [],
  }));
  let off = 0;
  for (let i = 0; i < kWarmUp + kTokens; i++) {
    let expected;
    for (const state of states) {
      const start = performance.now();
      const { logits, caches } = await state.engine.next((i * 7) % kVocabulary, length + i, state.caches);
      if (i >= kWarmUp) state.times.push(performance.now() - start);
      state.caches = caches;
      expected ??= logits;
      off = logits.reduce((most, value, k) => Math.max(most, Math.abs(value - expected[k])), off);
    }
  }
  const quartiles = states.map(({ name, times }) => {
    const sorted = [...times].sort((a, b) => a - b);
    return `${name} ${sorted[sorted.length >> 2].toFixed(2)} ms`;
  });
  console.log(`${String(length).padEnd(6)} ${quartiles.join('  ')}  off ${off.toExponential(1)}`);
  for (const { engine, caches } of states) engine.end?.(caches);
}
model.dispose();
await session.release();
