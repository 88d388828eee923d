// `node tests/bench/peak_flops.mjs`: measures the peak rate of multiply-adds of a core in WebAssembly, in registers alone, and
// the fraction of it that matrix products and convolutions reach. Runs in Chromium on one thread; takes the best of several
// rounds in turns.
import path from 'node:path';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';
import { serve } from '../browser/server.mjs';
import { chainsModule, kChains, kLanes } from './lower_bound.mjs';

const kLoops = 4e6;
const kRounds = 9;
const kWorkloads = ['matmul 256', 'matmul 512', 'matmul 1024', 'conv 1x1 28x28x256->256', 'conv 3x3 s2 224x224x3->32'];

useToolchain('browser');
const { openBrowser } = await import('../browser/chrome.mjs');
const server = await serve({ '/': path.join(root, 'dist'), '/bench/': path.join(root, 'tests/bench') });
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  await page.goto(`${server.url}/provenance.json`);
  const about = { module: [...chainsModule()], loops: kLoops, names: kWorkloads, rounds: kRounds };
  const { peak, workloads } = await page.evaluate(timeAll, about);
  const peakRate = rateOf(kChains * kLanes * kLoops, peak);
  console.log(`${kChains} chains of multiply-adds of ${kLanes} lanes: ${peakRate.toFixed(1)} GFLOP/s`);
  for (const { name, count, time } of workloads) {
    const rate = rateOf(count, time);
    console.log(`${name.padEnd(26)} ${rate.toFixed(1).padStart(5)} GFLOP/s, ${(rate / peakRate).toFixed(2)} of that`);
  }
} finally {
  await browser.close();
  server.close();
}

/** Returns GFLOP/s, given a number of multiply-adds and their milliseconds. */
function rateOf(count, ms) {
  return (2 * count) / ms / 1e6;
}

/** Runs in the page: returns the minimum milliseconds of each workload, and its number of multiply-adds. */
async function timeAll({ module, loops, names, rounds }) {
  const tf = await import('/index.js');
  const { opWorkloads } = await import('/bench/op_workloads.mjs');
  const { timeCalls } = await import('/bench/timing.mjs');
  tf.setThreadsCount(1);
  await tf.setBackend('wasm');
  const { instance } = await WebAssembly.instantiate(new Uint8Array(module));
  const chains = { call: () => instance.exports.run(loops), time: Infinity };
  const workloads = names.map((name) => {
    const { inputs, call, multiplyAdds } = opWorkloads.find((work) => work.name === name);
    const tensors = inputs.map((shape) => tf.randomUniform(shape, -1, 1));
    return { name, count: multiplyAdds, call: () => call(tf, ...tensors).dispose(), time: Infinity };
  });
  const kMs = 100;
  for (let round = 0; round <= rounds; round++) {
    for (const work of [chains, ...workloads]) {
      const time = await timeCalls(work.call, kMs);
      // The first round warms up the compilers.
      if (round > 0) work.time = Math.min(work.time, time);
    }
  }
  return { peak: chains.time, workloads: workloads.map(({ name, count, time }) => ({ name, count, time })) };
}
