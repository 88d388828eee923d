// `node tests/bench/ceiling.mjs`: how many multiply-adds a core makes in WebAssembly at most, in registers alone, and how near
// to that products and convolutions come; in Chromium, on one thread, the best of several rounds in turns.
import path from 'node:path';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';
import { serve } from '../browser/server.mjs';

const kChains = 12;
const kLanes = 4;
const kLoops = 4e6;
const kRounds = 9;
const kWorks = ['matmul 256', 'matmul 512', 'matmul 1024', 'conv 1x1 28x28x256->256', 'conv 3x3 s2 224x224x3->32'];

useToolchain('browser');
const { openBrowser } = await import('../browser/chrome.mjs');
const server = await serve({ '/': path.join(root, 'dist'), '/bench/': path.join(root, 'tests/bench') });
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  await page.goto(`${server.url}/provenance.json`);
  const about = { module: [...chainsOf(kChains)], loops: kLoops, names: kWorks, rounds: kRounds };
  const { ceiling, works } = await page.evaluate(timeAll, about);
  const most = rateOf(kChains * kLanes * kLoops, ceiling);
  console.log(`${kChains} chains of multiply-adds of ${kLanes} lanes: ${most.toFixed(1)} GFLOP/s`);
  for (const { name, count, time } of works) {
    const rate = rateOf(count, time);
    console.log(`${name.padEnd(26)} ${rate.toFixed(1).padStart(5)} GFLOP/s, ${(rate / most).toFixed(2)} of that`);
  }
} finally {
  await browser.close();
  server.close();
}

/** Operations a nanosecond, of so many multiply-adds in so many milliseconds. */
function rateOf(count, ms) {
  return (2 * count) / ms / 1e6;
}

/** In the page: the least milliseconds of each, and how many multiply-adds a work makes. */
async function timeAll({ module, loops, names, rounds }) {
  const tf = await import('/index.js');
  const { opWorks } = await import('/bench/op_works.mjs');
  const { timeCalls } = await import('/bench/timing.mjs');
  tf.setThreadsCount(1);
  await tf.setBackend('wasm');
  const { instance } = await WebAssembly.instantiate(new Uint8Array(module));
  const chains = { call: () => instance.exports.run(loops), time: Infinity };
  const works = names.map((name) => {
    const { inputs, call } = opWorks.find((work) => work.name === name);
    const tensors = inputs.map((shape) => tf.randomUniform(shape, -1, 1));
    const result = call(tf, ...tensors);
    // Each element of the result is a sum over all but the last dimension of a matrix or filter.
    const count = (result.size * tensors[1].size) / tensors[1].shape.at(-1);
    result.dispose();
    return { name, count, call: () => call(tf, ...tensors).dispose(), time: Infinity };
  });
  const kMs = 100;
  for (let round = 0; round <= rounds; round++) {
    for (const work of [chains, ...works]) {
      const time = await timeCalls(work.call, kMs);
      // The first round is for compilers.
      if (round > 0) work.time = Math.min(work.time, time);
    }
  }
  return { ceiling: chains.time, works: works.map(({ name, count, time }) => ({ name, count, time })) };
}

/** A module whose run(n) makes n multiply-adds in each of so many chains, none of which waits for another. */
function chainsOf(chains) {
  const kI32 = 0x7f;
  const kF32 = 0x7d;
  const kV128 = 0x7b;
  const vector = (...code) => [0xfd, ...code];
  const [splat, firstLane, add, relaxedMadd] = [vector(0x13), vector(0x1f, 0), vector(0xe4, 0x01), vector(0x85, 0x02)];
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  // The number of loops, the factors, and the sums behind them.
  const [loops, x, y] = [0, 1, 2];
  const sums = Array.from({ length: chains }, (_, i) => 3 + i);
  const one = [0x43, 0, 0, 0x80, 0x3f, ...splat];
  const code = [
    ...[1, 2 + chains, kV128],
    ...one, ...set(x), ...one, ...set(y),
    ...[0x03, 0x40],
    ...sums.flatMap((sum) => [...get(x), ...get(y), ...get(sum), ...relaxedMadd, ...set(sum)]),
    ...get(loops), ...[0x41, 1, 0x6b, 0x22, loops, 0x0d, 0, 0x0b],
    ...sums.flatMap((sum, i) => [...get(sum), ...(i > 0 ? add : [])]), ...firstLane, 0x0b,
  ];
  const number = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);
  const section = (id, ...content) => [id, ...number(content.length), ...content];
  const name = [...Buffer.from('run')];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 1, kI32, 1, kF32),
    ...section(3, 1, 0),
    ...section(7, 1, name.length, ...name, 0, 0),
    ...section(10, 1, ...number(code.length), ...code),
  ]);
}
