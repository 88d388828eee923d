// How the package loads its engine: each test in a process or a module of its own, because it is loaded once.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import vm from 'node:vm';
import { root } from '../../../cpp/toolchain/use.mjs';
import { fileOf, kParts, needsOf } from '../../../web/part_list.mjs';
import { onnxModel } from '../../bench/onnx.mjs';

const dist = (name) => path.join(root, 'dist', name);
const wasm = readFileSync(dist('tenure.wasm'));
const whole = readFileSync(dist('tenure.whole.wasm'));
const parts = Object.keys(kParts)
  .filter((part) => !kParts[part].isOptional)
  .map(fileOf)
  .sort();
let copies = 0;

/** Returns a new instance of the build that waits for ready(), not loaded yet. */
const fresh = () => import(`${dist('no_await.js')}?${++copies}`);

/** Serves each path with a function of the response. */
async function serving(answers, use) {
  const asked = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    (answers[url] ?? ((to) => to.writeHead(404).end()))(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`, asked);
  } finally {
    server.close();
  }
}
const gives = (bytes, type) => (response) => response.writeHead(200, { 'Content-Type': type }).end(bytes);
/** Returns handlers that serve the engine and its lazy modules from a folder. */
const files = (folder) =>
  Object.fromEntries(
    ['tenure.wasm', ...parts].map((name) => [`${folder}${name}`, gives(readFileSync(dist(name)), 'application/wasm')]),
  );
const works = (tf) => assert.deepEqual(tf.add([1, 2], 3).arraySync(), [4, 5]);

test('ops before ready() throw with advice, and asynchronous ones await it', async () => {
  const tf = await fresh();
  for (const use of [() => tf.ones([2]), () => tf.memory(), () => tf.tidy(() => 1), () => tf.scope()]) {
    assert.throws(use, { name: 'LoadError', message: /`await tf\.ready\(\)` before the first op/ });
  }
  tf.env().set('WEBGL_CPU_FORWARD', false);
  assert.equal(await tf.setBackend('wasm'), true);
  works(tf);
});

test('a failed load names address, status and remedy, can be caught, and retried', async () => {
  const tf = await fresh();
  await serving(files('/there/'), async (url) => {
    tf.setWasmPaths(`${url}/gone/`);
    const error = await tf.ready().catch((thrown) => thrown);
    assert.equal(error.name, 'LoadError');
    assert.ok(
      error.message.startsWith(`Cannot load ${url}/gone/tenure.wasm: HTTP 404 Not Found. Serve tenure.wasm`),
      error.message,
    );
    assert.match(
      error.message,
      /tf\.setWasmPaths\(\) or tf\.init\(\{ locateFile \}\).*wasmBinary.*await tf\.ready\(\)/,
    );
    assert.throws(() => tf.ones([1]), error);
    tf.setWasmPaths(`${url}/there/`);
    await tf.ready();
    works(tf);
  });
});

test('errors of a web page in place of the file, an unreachable server, and truncated bytes', async () => {
  const tf = await fresh();
  const answers = {
    '/page': gives('<!doctype html>', 'text/html'),
    '/cut': gives(wasm.subarray(0, 1000), 'application/wasm'),
    '/untyped': gives(wasm, 'application/octet-stream'),
  };
  let last;
  await serving(answers, async (url, asked) => {
    tf.setWasmPath(`${url}/page`);
    await assert.rejects(tf.ready(), /\/page: it begins with "<!do", so it is not WebAssembly/);
    tf.setWasmPath(`${url}/cut`);
    await assert.rejects(tf.ready(), /Cannot compile http.*\/cut: /);
    await tf
      .init({ locateFile: (name, folder) => `${url}/untyped?${name}&${folder.startsWith('file:')}` })
      .catch(() => {});
    assert.equal(asked.at(-1), '/untyped?tenure.wasm&true');
    last = url;
  });
  tf.setWasmPaths(`${last}/`);
  await assert.rejects(tf.ready(), { name: 'LoadError', message: /Cannot load http.*tenure\.wasm: fetch failed/ });
  await tf.init({ wasmBinary: whole });
  works(tf);
});

test('errors of empty, short, aborted and mislabelled responses', async () => {
  const tf = await fresh();
  const breakOff = (type) => (response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': wasm.length }).write(wasm.subarray(0, 200_000));
    setTimeout(() => response.destroy(), 20);
  };
  const answers = {
    '/empty': gives('', 'text/plain'),
    '/short': gives('\0as', 'application/octet-stream'),
    '/page': gives('<!doctype html>', 'application/wasm'),
    '/cut': gives(wasm.subarray(0, wasm.length >> 1), 'application/wasm'),
    '/broken': breakOff('application/wasm'),
    '/broken-untyped': breakOff('text/plain'),
  };
  await serving(answers, async (url) => {
    for (const [name, words] of Object.entries({
      empty: /\/empty: it is empty, so it is not WebAssembly\. Serve tenure\.wasm/,
      short: /\/short: it begins with "\\u0000as", so it is not WebAssembly\. Serve tenure\.wasm/,
      page: /\/page: (it begins with "<!do", so it is not WebAssembly\. Serve tenure\.wasm|.*magic word)/s,
      cut: /\/cut: .*\. It is not WebAssembly, is incomplete, or needs SIMD/s,
      broken: /\/broken: terminated\. /,
      'broken-untyped': /^Cannot load \S+\/broken-untyped: terminated\. Serve tenure\.wasm/,
    })) {
      tf.setWasmPath(`${url}/${name}`);
      await assert.rejects(tf.ready(), { name: 'LoadError', message: words });
    }
  });
  tf.setWasmPath('file:///nowhere/tenure.wasm');
  await assert.rejects(tf.ready(), {
    name: 'LoadError',
    message: /^Cannot load file:\/\/\/nowhere\/tenure\.wasm: ENOENT.*Serve/,
  });
});

test('invalid bytes and addresses are named', async () => {
  const tf = await fresh();
  for (const [given, name] of [
    ['text', 'string'],
    [Promise.resolve(wasm), 'Promise'],
    [new Response(''), 'Response'],
    [[0], 'Array'],
    [5, 'number'],
  ]) {
    const message = `tf.init() expected wasmBinary to be an ArrayBuffer, a view of one, or a WebAssembly.Module, got ${name}`;
    await assert.rejects(tf.init({ wasmBinary: given }), { name: 'LoadError', message });
  }
  await assert.rejects(
    tf.init({ wasmBinary: new Uint8Array(2) }),
    /the wasmBinary given to tf\.init\(\): it begins with "\\u0000\\u0000", so it is not WebAssembly/,
  );
  assert.throws(() => tf.init({ locateFile: '/assets/' }), {
    message: /^tf\.init\(\) expected locateFile to be a function, got string$/,
  });
  await assert.rejects(tf.init({ locateFile: () => 5 }), {
    name: 'LoadError',
    message: /^locateFile returned number for tenure\.wasm, expected a URL/,
  });
  await tf.init({ locateFile: (name) => new URL(`file://${dist(name)}`) });
  works(tf);
});

test('sessions of tenure/ort that share an error of a missing part leave it as it is', async (t) => {
  const tf = await import(dist('no_await.js'));
  const { InferenceSession } = await import(dist('ort/no_await.js'));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loader-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = ['a.onnx', 'b.onnx'].map((name) => path.join(folder, name));
  for (const file of files) writeFileSync(file, onnxModel({ nodes: [], inputs: [], outputs: [] }));
  await tf.init({ locateFile: (name) => `file://${name === 'tenure.wasm' ? dist(name) : `/nowhere/${name}`}` });
  for (const { reason } of await Promise.allSettled(files.map((file) => InferenceSession.create(file)))) {
    assert.equal(reason.name, 'LoadError');
    assert.match(reason.message, /^Cannot load file:\/\/\/nowhere\/tenure\.\w+\.wasm: ENOENT/);
  }
});

test('bytes in shared memory, and modules of another realm', async () => {
  const shared = new SharedArrayBuffer(wasm.length);
  new Uint8Array(shared).set(wasm);
  for (const wasmBinary of [
    shared,
    new Uint8Array(shared),
    vm.runInNewContext('new WebAssembly.Module(wasm)', { wasm }),
  ]) {
    const tf = await fresh();
    await tf.init({ wasmBinary });
    works(tf);
  }
});

test('bytes given during another load are used if that one fails', async () => {
  const tf = await fresh();
  await serving({}, async (url) => {
    tf.setWasmPaths(`${url}/gone/`);
    const first = tf.ready();
    const second = tf.init({ wasmBinary: whole });
    await assert.rejects(first, /404/);
    await second;
    works(tf);
  });
});

test('the classic script runs as text without an address', async () => {
  vm.runInThisContext(readFileSync(dist('tenure.min.js'), 'utf8'));
  const { tf } = globalThis;
  await assert.rejects(tf.ready(), {
    name: 'LoadError',
    message: /^The URL of this script is unknown\. Serve tenure\.wasm/,
  });
  await tf.init({ wasmBinary: whole });
  works(tf);
});

test('a tensor of another copy of the package is recognized', async () => {
  const [tf, other] = await Promise.all([fresh(), fresh()]);
  await Promise.all([tf.ready(), other.ready()]);
  const x = other.ones([2]);
  assert.throws(
    () => tf.add(1, x),
    /Argument 'b' passed to 'add' must be a Tensor or TensorLike, but got a Tensor of another copy of the package/,
  );
  assert.throws(() => tf.relu(Object.create(null)), /must be a Tensor or TensorLike, but got 'object'/);
  x.dispose();
});

test('concurrent calls load the engine once', async () => {
  const tf = await fresh();
  await serving({ '/tenure.wasm': gives(wasm, 'application/octet-stream') }, async (url, asked) => {
    tf.setWasmPaths({ 'tenure.wasm': `${url}/tenure.wasm` });
    await Promise.all([tf.ready(), tf.init(), tf.ready()]);
    await tf.init({ wasmBinary: new Uint8Array(4) });
    assert.deepEqual(asked, ['/tenure.wasm']);
    works(tf);
  });
});

test('a compiled module is accepted', async () => {
  for (const bytes of [wasm, whole]) {
    const tf = await fresh();
    await tf.init({ wasmBinary: await WebAssembly.compile(bytes) });
    works(tf);
  }
});

/** Counts the modules that are linked while `use` runs. */
async function countingParts(use) {
  const { Instance } = WebAssembly;
  let count = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(module, imports) {
      super(module, imports);
      if ('engine' in imports) count++;
    }
  };
  try {
    await use(() => count);
  } finally {
    WebAssembly.Instance = Instance;
  }
}

test('lazy modules are loaded by the first call that needs them, and their exceptions propagate', async () => {
  await countingParts(async (count) => {
    const tf = await fresh();
    await tf.ready();
    works(tf);
    const x = tf.tensor2d([
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(tf.softmax(x.matMul(x).relu()).sum(1).arraySync(), [1, 1]);
    await x.data();
    assert.equal(count(), 0);
    assert.deepEqual(
      tf
        .grad((y) => y.square().sum())(x)
        .arraySync(),
      [
        [2, 4],
        [6, 8],
      ],
    );
    assert.equal(count(), 1);
    assert.deepEqual(tf.grad((y) => y.exp().sum())(x).shape, [2, 2]);
    assert.equal(count(), 1);
    assert.throws(() => tf.layers.dense({ units: -4 }).apply(x), /field "units" must be a positive integer, got -4/);
    assert.equal(count(), 2);
    await assert.rejects(
      tf.loadGraphModel(tf.io.fromMemory({ modelTopology: {} })),
      /the model's topology has no nodes/,
    );
    assert.equal(count(), 3);
  });
});

test('a lazy module that reads the data of another loads that one first, at once', async () => {
  await countingParts(async (count) => {
    const tf = await fresh();
    await tf.ready();
    // The module of ops on strings reads strings of the module of gradients.
    assert.throws(
      () => tf.equal(['a', 'b'], ['a', 'c', 'd']),
      /could not be broadcast together with shapes \[2\] and \[3\]/,
    );
    assert.equal(count(), 2);
    assert.deepEqual(tf.equal(['a', 'b'], ['a', 'c']).arraySync(), [1, 0]);
    assert.equal(count(), 2);
  });
});

test('a lazy module that reads the data of another waits until that one is fetched', async () => {
  await countingParts(async (count) => {
    const tf = await fresh();
    const answers = files('/');
    const late = '/tenure.extra.wasm';
    const answered = new Promise((resolve) => {
      const answer = answers[late];
      answers[late] = (response) => resolve(() => answer(response));
    });
    await serving(answers, async (url) => {
      tf.setWasmPath(`${url}/tenure.wasm`);
      const ready = tf.ready();
      const answer = await answered;
      const others = Object.keys(kParts).filter((part) => !kParts[part].isOptional && part !== 'extra');
      const independent = others.filter((part) => !needsOf(part).includes('extra'));
      while (count() < independent.length) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(count(), independent.length);
      answer();
      await ready;
      assert.equal(count(), others.length + 1);
    });
  });
});

test('lazy modules are loaded from the location of the engine, whatever is set later', async () => {
  await countingParts(async (count) => {
    const tf = await fresh();
    await tf.ready();
    tf.setWasmPaths('https://nowhere.invalid/tfjs-backend-wasm/');
    assert.deepEqual(
      tf
        .grad((x) => x.sum())(tf.ones([2]))
        .arraySync(),
      [1, 1],
    );
    assert.equal(count(), 1);
  });
});

test('without synchronous fetches, ready() waits for the lazy modules too', async () => {
  const tf = await fresh();
  await serving(files('/'), async (url, asked) => {
    tf.setWasmPath(`${url}/tenure.wasm`);
    await Promise.all([tf.ready(), tf.ready()]);
    assert.equal(asked[0], '/tenure.wasm');
    assert.deepEqual(
      asked.slice(1).sort(),
      parts.map((name) => `/${name}`),
    );
  });
  assert.equal(tf.layers.dense({ units: 3 }).apply(tf.ones([2, 2])).shape[1], 3);
});

test('a lazy module that is missing or of another build is named, and retried', async () => {
  const tf = await fresh();
  const answers = files('/');
  delete answers['/tenure.extra.wasm'];
  await serving(answers, async (url) => {
    tf.setWasmPaths(`${url}/`);
    await assert.rejects(tf.ready(), {
      name: 'LoadError',
      message: /Cannot load http.*\/tenure\.extra\.wasm: HTTP 404 .*Serve tenure\.extra\.wasm/,
    });
    works(tf);
    assert.throws(() => tf.grad((x) => x.sum())(tf.ones([2])), {
      name: 'LoadError',
      message: /tenure\.extra\.wasm is not loaded yet/,
    });
    answers['/tenure.extra.wasm'] = gives(readFileSync(dist('debug/tenure.wasm')), 'application/wasm');
    await assert.rejects(
      tf.ready(),
      /tenure\.extra\.wasm is of build [0-9a-f]{8}, but the script is of build [0-9a-f]{8}: take both/,
    );
    Object.assign(answers, files('/'));
    await tf.ready();
    assert.deepEqual(
      tf
        .grad((x) => x.sum())(tf.ones([2]))
        .arraySync(),
      [1, 1],
    );
  });
});

test('wasm of another build is refused, and the error names it', async () => {
  const tf = await fresh();
  const other = readFileSync(dist('debug/tenure.wasm'));
  await assert.rejects(
    tf.init({ wasmBinary: other }),
    /The wasm is of build [0-9a-f]{8}, but the script is of build [0-9a-f]{8}: take both/,
  );
  const none = await WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await assert.rejects(tf.init({ wasmBinary: none }), {
    name: 'LoadError',
    message: /not part of the package/,
  });
  await tf.ready();
  works(tf);
});

test('an uncaught error prints a few lines, not the package', () => {
  for (const [type, load] of [
    ['module', "import * as tf from 'tenure';"],
    ['commonjs', "const tf = require('tenure');"],
  ]) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [`--input-type=${type}`, '-e', `${load} tf.ones([2]).reshape([3])`],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 1);
    assert.match(stderr, /reshape/);
    assert.ok(stderr.length < 2500, stderr);
  }
});

test('who gets the debug build by a condition is told, once, and who asks for a build is not', () => {
  const told = (name, type, condition = []) => {
    const code =
      type === 'module'
        ? `import * as tf from '${name}'; await import('${name}');`
        : `const tf = require('${name}'); require('${name}');`;
    const args = [...condition, `--input-type=${type}`, '-e', `${code} console.log(tf.debug.enabled)`];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    return `${stderr}${stdout}`.trim().split('\n');
  };
  const development = ['--conditions=development'];
  for (const type of ['module', 'commonjs']) {
    for (const name of ['tenure', 'tenure/no-await', 'tenure/inlined']) {
      const [line, enabled, ...more] = told(name, type, development);
      assert.match(line, /^Tenure: this is the debug build, .*'development'.* 10 µs .*tenure\/release.*tenure\/debug/);
      assert.deepEqual([enabled, ...more], ['true']);
      assert.deepEqual(told(name, type), ['false']);
    }
    assert.deepEqual(told('tenure/debug', type), ['true']);
    assert.deepEqual(told('tenure/debug', type, development), ['true']);
    assert.deepEqual(told('tenure/release', type, development), ['false']);
  }
});

const program = 'const x = tf.ones([2]).add(1); console.log(String(x.arraySync()), tf.getBackend())';
for (const build of ['node.cjs', 'inlined.cjs', 'debug/node.cjs', 'debug/inlined.cjs']) {
  test(`require() of ${build}: ops run at once`, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['-e', `const tf = require('./dist/${build}'); ${program}`],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(stdout, '2,2 wasm\n', stderr);
  });
}
for (const build of ['index.js', 'node.js', 'inlined.js', 'debug/index.js', 'debug/node.js', 'debug/inlined.js']) {
  test(`import of ${build}: ops run at once`, () => {
    const code = `import * as tf from './dist/${build}'; ${program}`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(stdout, '2,2 wasm\n', stderr);
  });
}

test('import and require() share one engine in Node, without Node scanning the package for names', async () => {
  const require = createRequire(import.meta.url);
  for (const folder of ['.', 'tfjs', 'debug', 'debug/tfjs', 'debug/chosen']) {
    const [imported, required] = [await import(dist(`${folder}/node.js`)), require(dist(`${folder}/node.cjs`))];
    assert.deepEqual(Object.keys(imported).sort(), Object.keys(required).sort());
    for (const [name, value] of Object.entries(required)) assert.equal(imported[name], value, name);
    const between = Object.keys(await import(dist(`${folder}/node_package.cjs`)));
    assert.deepEqual(
      between.filter((name) => !['default', 'module.exports'].includes(name)),
      ['tf'],
      folder,
    );
  }
});

test("the version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.equal((await import(dist('index.js'))).version.tenure, version);
});

test('every build has the same exports, and those for Node also tf.node', async () => {
  const names = async (build) =>
    Object.keys(await import(dist(build)))
      .filter((name) => !['default', 'module.exports', 'node'].includes(name))
      .sort();
  const expected = await names('index.js');
  for (const build of [
    'node.js',
    'inlined.js',
    'no_await.js',
    ...['index.js', 'node.js', 'chosen/index.js', 'chosen/node.js'].map((name) => `debug/${name}`),
  ]) {
    assert.deepEqual(await names(build), expected, build);
    assert.equal('node' in (await import(dist(build))), /node.js$/.test(build), build);
  }
});
