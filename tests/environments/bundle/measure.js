import * as tf from 'tenure';
import { mobileNet } from './mobilenet.mjs';

const kWaitMs = 1000;
const kCalls = 9;

const values = tf.tidy(() => tf.add(tf.tensor1d([1, 2]), 3).dataSync());
const firstOpMs = performance.now();
const fetched = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd <= firstOpMs);

/** Measures what the program got: files before its first op, its time after navigation, and a model. */
export async function measure() {
  await new Promise((resolve) => setTimeout(resolve, kWaitMs));
  const model = await tf.loadLayersModel({ load: async () => mobileNet() });
  const image = tf.fill([1, 224, 224, 3], 0.5);
  const times = [];
  for (let i = 0; i < kCalls; i++) {
    const start = performance.now();
    const output = model.predict(image);
    output.dataSync();
    times.push(performance.now() - start);
    output.dispose();
    // Workers start between two tasks.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return {
    values: [...values],
    firstOpMs,
    files: fetched.map(({ name }) => name),
    modelMs: times.slice(2).sort((a, b) => a - b)[Math.floor((kCalls - 2) / 2)],
    relaxedSimd: tf.version?.tenure && tf.env().get('WASM_HAS_RELAXED_SIMD_SUPPORT'),
    threads: tf.getThreadsCount?.(),
  };
}
