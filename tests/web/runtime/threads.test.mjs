// The engine that is loaded, and how threads start, compute and end: each test in a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../../cpp/toolchain/use.mjs';
import { isQuick } from '../../builds/quick.mjs';
import { hasRelaxedSimd } from '../../builds/relaxed_simd.mjs';

const dist = (name) => path.join(root, 'dist', name);

/** Runs a program, in which `tf` is the build that waits for ready(), and returns its output as JSON. */
async function inNode(code, { env = {}, flags = [], build = 'no_await.js' } = {}) {
  const program = `
    import process from 'node:process';
    let started = 0;
    process.on('worker', () => started++);
    const tf = await import(${JSON.stringify(dist(build))});
    const show = (value) => console.log(JSON.stringify(value));
    const large = () => tf.tidy(() => tf.matMul(tf.linspace(-1, 1, 250_000).reshape([500, 500]), tf.linspace(2, -1, 250_000).reshape([500, 500])));
    const busy = (ms = 200) => {
      for (const end = performance.now() + ms; performance.now() < end; ) large().dispose();
    };
    const threads = async (count) => {
      const found = await tf.startThreads();
      if (found !== count) throw new Error(found + ' threads instead of ' + count);
    };
    ${code}`;
  const args = [...flags, '--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, TENURE_THREADS: '', ...env } });
  let [out, error] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (error += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0, error);
  return out && JSON.parse(out);
}

test('workers start after large ops have computed for a while, not after a single one or small ones', async () => {
  const found = await inNode(`
    await tf.init({ threads: 3 });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
    tf.tidy(() => void tf.ones([200, 200]).matMul(tf.ones([200, 200])));
    for (const end = performance.now() + 200; performance.now() < end; ) tf.add([1, 2], 3).dispose();
    await turn();
    const before = [started, tf.getThreadsCount()];
    busy();
    await turn();
    show({ before, after: [started, tf.getThreadsCount()] });
  `);
  assert.deepEqual(found, { before: [0, 3], after: [2, 3] });
});

test('several threads compute bit-identical results', async () => {
  const found = await inNode(`
    await tf.init({ threads: 3 });
    const alone = large();
    await threads(3);
    const [shared, again] = [large(), large()];
    const differ = tf.tidy(() => tf.notEqual(alone, shared).any().dataSync()[0] + tf.notEqual(alone, again).any().dataSync()[0]);
    tf.dispose([alone, shared, again]);
    show({ threads: [started, tf.getThreadsCount()], differ, left: tf.memory().numTensors, bytes: tf.memory().detail.tensorBytes });
  `);
  assert.deepEqual(found, { threads: [2, 3], differ: 0, left: 0, bytes: 0 });
});

test('requesting one thread loads the single-threaded engine', async () => {
  const ask = `await new Promise((resolve) => setTimeout(resolve, 10)); show([tf.getThreadsCount(), tf.env().get('WASM_HAS_MULTITHREAD_SUPPORT'), started]);`;
  assert.deepEqual(await inNode(`await tf.init({ threads: 1 }); busy(); ${ask}`), [1, false, 0]);
  assert.deepEqual(await inNode(`await tf.ready(); busy(); ${ask}`, { env: { TENURE_THREADS: '1' } }), [1, false, 0]);
  assert.deepEqual(await inNode(`tf.setThreadsCount(1); await tf.ready(); busy(); ${ask}`), [1, false, 0]);
  assert.deepEqual(await inNode(`busy(); ${ask}`, { env: { TENURE_THREADS: '2' }, build: 'node.js' }), [2, true, 1]);
});

test('builds with inlined wasm have threads too', async () => {
  const program = 'busy(); await threads(2); show([tf.getThreadsCount(), started])';
  assert.deepEqual(await inNode(program, { env: { TENURE_THREADS: '2' }, build: 'inlined.js' }), [2, 1]);
});

test('the number of threads can change at run time, and one thread terminates the workers', async () => {
  const found = await inNode(`
    await tf.init({ threads: 2 });
    const sums = [];
    for (const count of [2, 4, 1, 3, 3]) {
      tf.setThreadsCount(count);
      large().dispose();
      await threads(count);
      sums.push(tf.tidy(() => large().sum().dataSync()[0]));
    }
    show({ same: new Set(sums).size, threads: tf.getThreadsCount() });
  `);
  assert.deepEqual(found, { same: 1, threads: 3 });
});

test('an invalid number of threads is refused', async () => {
  const found = await inNode(`
    const said = [];
    for (const count of [0, -1, 1.5, NaN, '2', undefined]) {
      try { tf.setThreadsCount(count); } catch (error) { said.push(error.message); }
    }
    tf.setThreadsCount(1000);
    show({ said, most: tf.getThreadsCount() });
  `);
  assert.equal(found.said.length, 6);
  assert.equal(found.said[0], '[setThreadsCount] expected 1 or more threads, got 0');
  assert.equal(found.most, 16);
});

test('a program ends while workers wait, compute, or are about to start', async () => {
  await inNode(`await tf.init({ threads: 3 }); busy();`);
  await inNode(`await tf.init({ threads: 3 }); busy(); await threads(3); busy();`);
  await inNode(`await tf.init({ threads: 3 }); busy(); await threads(3); busy(); process.exit(0);`);
  // Workers are requested after 70 ms, and start 50 ms later in the midst of ops.
  await inNode(`await tf.init({ threads: 3 }); busy(100);`);
  await inNode(`await tf.init({ threads: 3 }); busy(100); process.exit(0);`);
});

/** A time limit may interrupt the start of a worker: in Node's part of it, or between that and the engine's. */
for (const cut of ['unref', 'postMessage']) {
  test(`a program ends after the start of a worker was interrupted in ${cut}()`, async () => {
    const found = await inNode(`
      const { Worker } = process.getBuiltinModule('node:worker_threads');
      await tf.init({ threads: 2 });
      const whole = Worker.prototype.${cut};
      Worker.prototype.${cut} = () => { throw new Error('cut'); };
      busy(400);
      Worker.prototype.${cut} = whole;
      const [alone, computing] = [large(), await tf.startThreads()];
      const shared = large();
      show({ computing, differ: tf.tidy(() => tf.notEqual(alone, shared).any().dataSync()[0]) });
    `);
    assert.deepEqual(found, { computing: 2, differ: 0 });
  });
}

test('workers receive lazy modules that are loaded after their start', async () => {
  const found = await inNode(`
    await tf.init({ threads: 3 });
    large().dispose();
    await threads(3);
    const x = tf.linspace(-1, 1, 40_000).reshape([1, 50, 50, 16]);
    const filter = tf.linspace(-1, 1, 3 * 3 * 16 * 16).reshape([3, 3, 16, 16]);
    const gradient = () => tf.tidy(() => tf.grad((f) => tf.conv2d(x, f, 1, 'same').square().sum())(filter).sum().dataSync()[0]);
    const first = gradient();
    await threads(3);
    show({ same: gradient() === first, finite: Number.isFinite(first) });
  `);
  assert.deepEqual(found, { same: true, finite: true });
});

test('a program in a worker thread of Node has threads of its own', async () => {
  const found = await inNode(`
    const { Worker } = await import('node:worker_threads');
    const code = \`const { parentPort } = require('node:worker_threads');
      import(\${JSON.stringify(${JSON.stringify(dist('node.js'))})}).then((tf) => {
        tf.setThreadsCount(2);
        parentPort.postMessage(tf.tidy(() => tf.ones([400, 400]).matMul(tf.ones([400, 400])).sum().dataSync()[0]));
      });\`;
    const sum = await new Promise((resolve, reject) => new Worker(code, { eval: true, execArgv: [] }).on('message', resolve).on('error', reject));
    show(sum);
  `);
  assert.equal(found, 400 ** 3);
});

test('the engine survives a time limit that interrupts an op on several threads', async () => {
  const found = await inNode(`
    const vm = await import('node:vm');
    await tf.init({ threads: 2 });
    const expected = tf.tidy(() => large().sum().dataSync()[0]);
    await threads(2);
    const { numTensors } = tf.memory();
    let cut = 0;
    for (let i = 0; i < 5; i++) {
      try {
        vm.runInNewContext('for (;;) work()', { work: () => large().dispose() }, { timeout: 20 });
      } catch {
        cut++;
      }
    }
    const sum = tf.tidy(() => large().sum().dataSync()[0]);
    show({ cut, same: sum === expected });
  `);
  assert.deepEqual(found, { cut: 5, same: true });
});

test('a time limit that interrupts the first op of a process leaves an engine that is right, or refuses calls', async () => {
  const found = await Promise.all(
    Array.from({ length: 5 }, () =>
      inNode(`
    const vm = await import('node:vm');
    await tf.init({ threads: 2 });
    const attempt = (use) => {
      try {
        return use();
      } catch (error) {
        return error.code ?? error.name;
      }
    };
    const said = [];
    for (let i = 0; i < 3; i++)
      said.push(attempt(() => vm.runInNewContext('for (;;) work()', { work: () => large().dispose() }, { timeout: 1 })));
    const sum = () => tf.tidy(() => tf.ones([200, 200]).matMul(tf.ones([200, 200])).sum().dataSync()[0]);
    show({ said, sum: attempt(sum) });
  `),
    ),
  );
  // A limit that strikes inside malloc() leaves its lists in two states: further calls are refused.
  const cut = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  const refused = 'InterruptedError';
  for (const { said, sum } of found) {
    for (const each of said) assert.ok(each === cut || each === refused, each);
    assert.equal(sum, said.includes(refused) || sum === refused ? refused : 200 ** 3);
  }
  assert.ok(
    found.some(({ sum }) => sum === 200 ** 3),
    'all five engines refuse calls',
  );
});

/** Preamble of a program that terminates workers from outside. */
const kEnding = `
    let workers = [];
    process.on('worker', (worker) => workers.push(worker));
    const warnings = [];
    console.warn = (text) => warnings.push(text);
    const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
    const sum = () => tf.tidy(() => large().sum().dataSync()[0]);
    await tf.init({ threads: 3 });
    const expected = sum();
    await threads(3);`;

test('a late worker is awaited, though the main thread has not yet got its message', async () => {
  const found = await inNode(`
    await tf.init({ threads: 3 });
    void tf.startThreads();
    for (const end = performance.now() + 1500; performance.now() < end; );
    // Each range takes some 50 ms, and where there are more threads than cores one of them is done last.
    const sums = [1, 2, 3].map(() => tf.tidy(() => tf.ones([1, 2500]).matMul(tf.matMul(tf.ones([2500, 2500]), tf.ones([2500, 2500]))).dataSync()[0]));
    show(sums);
    process.exit();
  `);
  assert.deepEqual(found, [2500 ** 2, 2500 ** 2, 2500 ** 2]);
});

test('the engine continues without workers that were terminated from outside, and warns once', async () => {
  const found = await inNode(`${kEnding}
    const sums = [];
    for (let i = 0; i < 3; i++) {
      await workers.pop().terminate();
      sums.push(sum() === expected);
      await turn();
      sums.push(sum() === expected);
      await threads(3);
      sums.push(sum() === expected);
    }
    show({ same: sums.every(Boolean), started, warnings });
  `);
  assert.equal(found.same, true);
  assert.equal(found.started, 5);
  assert.equal(found.warnings.length, 1);
  assert.match(found.warnings[0], /^Tenure: a worker thread ended unexpectedly \(threads left: 2\)\. /);
});

test('nothing waits for workers that were just terminated', async () => {
  const found = await inNode(`${kEnding}
    const lost = '[matMul] a thread of the engine failed, and what it computed is lost';
    const said = new Set();
    for (let i = 0; i < 10; i++) {
      for (const worker of workers) void worker.terminate();
      workers = [];
      if (i % 3 === 0) tf.setThreadsCount(3);
      if (i % 3 === 1) {
        try {
          if (sum() !== expected) said.add('another sum');
        } catch (error) {
          said.add(error.message);
        }
      }
      await threads(3);
      if (sum() !== expected) said.add('another sum later');
    }
    said.delete(lost);
    show({ said: [...said], left: tf.memory().numTensors });
  `);
  assert.deepEqual(found, { said: [], left: 0 });
});

test('an op whose worker is terminated throws, and the next one computes without it', async () => {
  const found = await inNode(`${kEnding}
    const { Worker } = await import('node:worker_threads');
    globalThis.endWorkers = () => {
      for (const worker of workers) void worker.terminate();
      workers = [];
    };
    // It interrupts this thread as a debugger does.
    const debuggers = new Worker(\`
      const { Session } = require('node:inspector');
      const session = new Session();
      session.connectToMainThread();
      require('node:worker_threads').parentPort.on('message', () => {
        setTimeout(() => session.post('Runtime.evaluate', { expression: 'endWorkers()' }), 5);
      });\`, { eval: true, execArgv: [] });
    await new Promise((resolve) => debuggers.once('online', resolve));
    workers = workers.filter((worker) => worker !== debuggers);
    const said = {};
    for (let i = 0; i < 5; i++) {
      debuggers.postMessage(0);
      for (const end = performance.now() + 30_000; workers.length > 0 && performance.now() < end; ) {
        try {
          if (sum() !== expected) said.wrong = true;
        } catch (error) {
          said[error.message] = true;
        }
      }
      if (workers.length > 0) said.late = true;
      if (sum() !== expected) said.wrongThen = true;
      await threads(3);
      if (sum() !== expected) said.wrongLater = true;
    }
    await debuggers.terminate();
    show({ said: Object.keys(said), left: tf.memory().numTensors });
  `);
  const lost = '[matMul] a thread of the engine failed, and what it computed is lost';
  assert.deepEqual(
    found.said.filter((text) => text !== lost),
    [],
  );
  assert.equal(found.left, 0);
});

test('strings and values are read from shared memory', async () => {
  const found = await inNode(`
    await tf.init({ threads: 2 });
    const long = 'ä'.repeat(5000);
    const strings = tf.tensor1d([long, 'b']);
    const values = await tf.tensor1d([1, 2, 3]).data();
    let message = '';
    try { tf.ones([2]).reshape([3]); } catch (error) { message = error.message; }
    show({ same: strings.dataSync()[0] === long, shared: values.buffer instanceof SharedArrayBuffer, message });
  `);
  assert.equal(found.same, true);
  assert.equal(found.shared, false);
  assert.match(found.message, /reshape/);
});

test('shared memory grows', async () => {
  const found = await inNode(`
    await tf.init({ threads: 2 });
    const before = tf.memory().detail.heapCommitted;
    const x = tf.ones([20_000_000]);
    const sum = tf.tidy(() => x.add(1).sum().dataSync()[0]);
    const one = x.slice([19_999_999], [1]).dataSync()[0];
    show({ grew: tf.memory().detail.heapCommitted > before + 80e6, sum, one });
  `);
  assert.deepEqual(found, { grew: true, sum: 40_000_000, one: 1 });
});

const skip = isQuick && 'the quick build has no kernels with relaxed SIMD';

test('kernels with relaxed SIMD are loaded if supported, unless the program forbids it', { skip }, async () => {
  // Node 20 has it behind a flag, Node 22 without.
  const flags = hasRelaxedSimd() ? [] : ['--experimental-wasm-relaxed-simd'];
  const ask = `show([tf.env().get('WASM_HAS_RELAXED_SIMD_SUPPORT'), tf.tidy(() => large().sum().dataSync()[0] !== 0)]);`;
  assert.deepEqual(await inNode(`await tf.ready(); ${ask}`, { flags }), [true, true]);
  assert.deepEqual(await inNode(`await tf.init({ relaxedSimd: false }); ${ask}`, { flags }), [false, true]);
  assert.deepEqual(await inNode(ask, { flags, build: 'node.js' }), [true, true]);
});

test('a worker that traps makes its op throw, and the engine continues without it', async () => {
  const found = await inNode(`
    const { Worker } = await import('node:worker_threads');
    const { postMessage } = Worker.prototype;
    // With this stack it has none: what it pushes there lies behind the end of memory.
    Worker.prototype.postMessage = function (orders) { return postMessage.call(this, { ...orders, stack: 0 }); };
    await tf.init({ threads: 2 });
    await threads(2);
    const said = [];
    for (let i = 0; i < 3; i++) {
      try {
        large().dispose();
      } catch (error) {
        said.push(error.message);
      }
    }
    Worker.prototype.postMessage = postMessage;
    const { numTensors } = tf.memory();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await threads(2);
    large().dispose();
    show({ said, numTensors, left: tf.memory().numTensors });
  `);
  assert.deepEqual(found, {
    said: ['[matMul] a thread of the engine failed, and what it computed is lost'],
    numTensors: 0,
    left: 0,
  });
});
