// Compares the default number of threads with one thread: `node tests/bench/threads.mjs [--rounds 6] [--ms 60] [--busy] [--only
// TEXT]`.
// Workloads alternate between the two engines, each in a process of its own, so that a drift of the machine's speed affects
// both. A workload is repeated back to back, and with pauses in which only JavaScript runs, so that workers fall asleep. --busy
// loads the other cores. Prints the ratio of medians, below 1 if threads are faster.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './timing.mjs';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    ms: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    busy: { type: 'boolean', default: false },
    child: { type: 'boolean', default: false },
    burn: { type: 'boolean', default: false },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist/node.js', import.meta.url)) },
  },
});

/** Each makes its inputs and returns the function to time, which takes no arguments. */
const workloads = {};
for (const kilobytes of [256, 512, 1024, 2048, 4096, 16384]) {
  // Larger results of mul would be deferred until they are read.
  const op = kilobytes < 2048 ? 'mul' : 'sqrt';
  workloads[`upload and ${op} ${kilobytes} KB`] = (tf) => {
    const values = new Float32Array(kilobytes * 256).fill(1);
    return () => tf.tidy(() => void tf.tensor(values)[op](2));
  };
}
const onOne = (name, shape, call) => {
  workloads[name] = (tf) => {
    const x = tf.randomUniform(shape);
    return () => call(tf, x).dispose();
  };
};
for (const size of [1 << 16, 1 << 17, 1 << 18, 1 << 20]) {
  onOne(`sqrt ${size / 1024}K`, [size], (tf, x) => tf.tidy(() => tf.sqrt(x)));
  onOne(`sigmoid ${size / 1024}K`, [size], (tf, x) => tf.sigmoid(x));
  onOne(`sum ${size / 1024}K`, [size / 256, 256], (tf, x) => tf.sum(x, 1));
  onOne(`transpose ${size / 1024}K`, [size / 256, 256], (tf, x) => tf.transpose(x));
  onOne(`add a row ${size / 1024}K`, [size / 256, 256], (tf, x) => tf.tidy(() => tf.add(x, tf.ones([256]))));
}
for (const size of [64, 128, 256]) onOne(`matMul ${size}`, [size, size], (tf, x) => tf.matMul(x, x));
onOne('conv2d 28x28x32', [1, 28, 28, 32], (tf, x) => tf.tidy(() => tf.conv2d(x, tf.ones([3, 3, 32, 32]), 1, 'same')));
onOne('softmax 128x1000', [128, 1000], (tf, x) => tf.softmax(x));

const kPausesUs = [0, 30, 100, 1000];

if (flags.burn) for (;;);
if (flags.child) await answer();
else await compare();

/** Answers requests: [work, pause] in, microseconds out. */
async function answer() {
  const tf = await import(pathToFileURL(flags.dist).href);
  await tf.ready();
  await tf.startThreads();
  const calls = {};
  process.on('message', ([name, pause, ms]) => {
    const call = (calls[name] ??= workloads[name](tf));
    const times = [];
    for (const end = performance.now() + ms; performance.now() < end || times.length < 5; ) {
      for (const until = performance.now() + pause / 1e3; performance.now() < until; );
      const start = performance.now();
      call();
      times.push((performance.now() - start) * 1e3);
    }
    process.send(median(times));
  });
  process.send('ready');
}

function start(threads) {
  const env = { ...process.env, TENURE_THREADS: threads };
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--child', '--dist', flags.dist], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = () => new Promise((resolve) => child.once('message', resolve));
  return { child, next };
}

async function compare() {
  const burners = flags.busy
    ? Array.from({ length: availableParallelism() - 1 }, () =>
        spawn(process.execPath, [fileURLToPath(import.meta.url), '--burn']),
      )
    : [];
  const [one, all] = [start('1'), start('')];
  await Promise.all([one.next(), all.next()]);
  const ask = async ({ child, next }, work, pause) => {
    child.send([work, pause, Number(flags.ms)]);
    return next();
  };
  let slower = 0;
  console.log(
    `${'work'.padEnd(28)} ${kPausesUs.map((pause) => `pause ${pause} µs: one thread, ratio`.padEnd(34)).join('')}`,
  );
  for (const work of Object.keys(workloads).filter((name) => name.includes(flags.only))) {
    const cells = [];
    for (const pause of kPausesUs) {
      const [alone, shared] = [[], []];
      for (let round = 0; round < Number(flags.rounds); round++) {
        alone.push(await ask(one, work, pause));
        shared.push(await ask(all, work, pause));
      }
      const ratio = median(shared) / median(alone);
      if (ratio > 1.05) slower++;
      cells.push(
        `${median(alone).toFixed(0).padStart(8)} µs ${ratio.toFixed(2)}${ratio > 1.05 ? ' <' : ''}`.padEnd(34),
      );
    }
    console.log(`${work.padEnd(28)} ${cells.join('')}`);
  }
  console.log(`${slower} cells are slower by more than 5 % with the default threads`);
  for (const child of [one.child, all.child, ...burners]) child.kill();
}
