// The lines of creation sites, wherever code comes from.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { oneNode } from '../../tflite/writer.mjs';
import { productModel } from '../ort/models.mjs';
import { assert, placesIn, tf } from './expect.mjs';

const place = placesIn(import.meta.url);
const kPackage = new URL('../../../dist/debug/index.js', import.meta.url).href;

/** Returns a tensor's creation site, and disposes the tensor. */
function siteOf(x) {
  const { site } = tf.debug.snapshot().tensors.find(({ id }) => id === x.id);
  x.dispose();
  return site;
}

test('code of eval() and Function has the site of its call, each its own', () => {
  const sites = [
    siteOf((0, eval)('tf => tf.scalar(1)')(tf)), // first
    siteOf((0, eval)('tf => tf.scalar(1)')(tf)), // second
    siteOf(new Function('tf', 'return tf.scalar(1)')(tf)), // third
    siteOf(new Function('tf', 'return tf.scalar(1)')(tf)), // fourth
    siteOf((0, eval)('tf => (0, eval)("tf => tf.scalar(6)")(tf)')(tf)), // nested
  ];
  const lineOf = (text) => place(text).split(':').at(-2);
  assert.deepEqual(
    sites.map((site) => site.split(':').at(-2)),
    ['first', 'second', 'third', 'fourth', 'nested'].map((name) => lineOf(`, // ${name}`)),
  );
});

test('scripts of the same name are distinguished by their lines', () => {
  const run = (code, options) => siteOf(vm.runInThisContext(code, options)(tf));
  assert.equal(run('tf => tf.scalar(1)', { filename: '/x/b.js', lineOffset: 100 }), '/x/b.js:101:10');
  assert.equal(run('tf => tf.scalar(1)', { filename: '/x/b.js', lineOffset: 200 }), '/x/b.js:201:10');
  assert.equal(run('\n\ntf =>      tf.scalar(1)', { filename: '/x/b.js' }), '/x/b.js:3:15');
  const named = (lines) => siteOf((0, eval)(`${'\n'.repeat(lines)}(tf) => tf.scalar(1)\n//# sourceURL=named.js`)(tf));
  assert.deepEqual([named(0), named(4)], ['named.js:1:12', 'named.js:5:12']);
  assert.equal(siteOf(vm.runInContext('\ntf.scalar(1)', vm.createContext({ tf }), { filename: 'c.js' })), 'c.js:2:4');
});

test('the memory for source names is bounded', () => {
  const work = (from, to) => {
    for (let i = from; i < to; i++) (0, eval)(`(tf) => tf.scalar(1)\n//# sourceURL=chunk-${i}.js`)(tf).dispose();
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const full = work(0, 20_000); // by now whatever is bounded is full
  const grown = work(20_000, 40_000) - full;
  assert.ok(grown < 4e6, `${grown} bytes`);
  assert.ok(tf.debug.events().some(({ site }) => site === 'chunk-39999.js:1:12'));
});

test('the weights of a model have the line of the call that loads it, also where then() gets its promise', async () => {
  const layers = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
  let artifacts;
  await layers.save(tf.io.withSaveHandler((saved) => Promise.resolve((artifacts = saved) && {})));
  layers.dispose();
  const node = (name, op, input = []) => ({
    name,
    op,
    input,
    attr: { dtype: { type: 'DT_FLOAT' }, T: { type: 'DT_FLOAT' } },
  });
  const modelTopology = { node: [node('x', 'Placeholder'), node('w', 'Const'), node('y', 'Add', ['x', 'w'])] };
  const weightSpecs = [{ name: 'w', shape: [1], dtype: 'float32' }];
  const graph = { load: () => Promise.resolve({ modelTopology, weightSpecs, weightData: new ArrayBuffer(4) }) };
  const onnx = productModel();
  const tflite = oneNode({
    code: 0,
    inputs: [{ shape: [1] }, { shape: [1], values: [1], isConstant: true, name: 'w' }],
    outputs: [{ shape: [1] }],
    type: 11,
    options: [],
  });
  const loads = [
    [
      (use) => tf.loadLayersModel(tf.io.fromMemory(artifacts)).then(use),
      'loadLayersModel(tf.io.fromMemory(artifacts)).then(use)',
    ],
    [(use) => tf.loadGraphModel(graph).then(use), 'loadGraphModel(graph).then(use)'],
    [(use) => tf.loadOnnxModel(onnx).then(use), 'loadOnnxModel(onnx).then(use)'],
    [(use) => tf.loadTFLiteModel(tflite).then(use), 'loadTFLiteModel(tflite).then(use)'],
  ];
  for (const [load, text] of loads) {
    const before = tf.debug.snapshot();
    const model = await new Promise(load);
    const { added } = tf.debug.diff(before, tf.debug.snapshot());
    const lines = added.map(({ site }) => site.replace(/:\d+$/, ''));
    assert.ok(lines.length > 0, text);
    assert.deepEqual([...new Set(lines)], [place(`(use) => tf.${text}`).replace(/:\d+$/, '')]);
    model.dispose();
  }
});

test('batches of a dataset have the line that reads them', async () => {
  const numbers = tf.data.array([1, 2, 3, 4]);
  const iterator = await numbers.batch(2).iterator();
  const third = numbers.batch(3);
  const batches = [
    [(await iterator.next()).value, 'next()).value, '],
    [(await numbers.batch(4).toArray())[0], 'toArray())[0], '],
    [await new Promise((use) => third.toArray().then(([x]) => use(x))), 'toArray().then(([x])'],
  ];
  await iterator.close();
  for (const [batch, text] of batches) assert.equal(siteOf(batch), place(text));
});

test('the debug build works with frozen intrinsics', () => {
  const program = `
    const tf = await import(${JSON.stringify(kPackage)});
    const x = tf.tensor([3, 4]).square();
    tf.tidy(() => void x.add(1));
    console.log(JSON.stringify(tf.debug.snapshot().tensors.map(({ op, site }) => [op, site.replace(/.*:(\\d+:\\d+)$/, '$1')])));`;
  const output = execFileSync('node', ['--frozen-intrinsics', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.deepEqual(JSON.parse(output), [
    ['tensor', '3:18'],
    ['square', '3:33'],
  ]);
});

/** Runs `use` with a TypeScript program whose tensors are made in known lines, in a temporary folder. */
async function withProgram(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenure-'));
  const source = path.join(folder, 'src.ts');
  writeFileSync(
    source,
    `import * as tf from ${JSON.stringify(kPackage)};
interface Shape { readonly size: number }

function make({ size }: Shape) {
  return tf.ones([size]);
}
make({ size: 2 });
console.log(tf.debug.snapshot().tensors.map(({ site }: { site: string }) => site).join());
`,
  );
  try {
    return await use(folder, source);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const kMade = /src\.ts:5:13$/;

test('lines are mapped through a source map, inline or in a file', async () => {
  for (const sourcemap of ['inline', 'linked']) {
    await withProgram(async (folder, source) => {
      const outfile = path.join(folder, 'out', 'bundle.mjs');
      await build({
        entryPoints: [source],
        outfile,
        bundle: true,
        minify: true,
        format: 'esm',
        sourcemap,
        external: [kPackage],
      });
      const output = execFileSync('node', [outfile], { encoding: 'utf8' }).trim();
      assert.match(output, kMade, sourcemap);
      assert.match(execFileSync('node', ['--enable-source-maps', outfile], { encoding: 'utf8' }).trim(), kMade);
    });
  }
});

test('sites are right with the package and the program minified into one function and line', async () => {
  await withProgram(async (folder, source) => {
    const outfile = path.join(folder, 'bundle.cjs');
    const alias = { [kPackage]: fileURLToPath(new URL('inlined.js', kPackage)) };
    const plugin = {
      name: 'alias',
      setup: ({ onResolve }) => onResolve({ filter: /^file:/ }, (args) => ({ path: alias[args.path] })),
    };
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      minify: true,
      format: 'iife',
      sourcemap: 'linked',
      plugins: [plugin],
      logLevel: 'error',
    });
    assert.match(execFileSync('node', [outfile], { encoding: 'utf8' }).trim(), kMade);
  });
});

test('a broken or missing source map leaves the line unmapped', async () => {
  const broken = [
    'data:application/json,{',
    'data:application/json,{"mappings":"!!"}',
    'nowhere.map',
    'data:application/json,null',
    'http://[',
    'data:application/json,{"mappings":"AAAA"}',
  ];
  for (const link of broken) {
    await withProgram(async (folder, source) => {
      const outfile = path.join(folder, 'bundle.mjs');
      await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', external: [kPackage] });
      writeFileSync(outfile, `${readFileSync(outfile, 'utf8')}//# sourceMappingURL=${link}\n`);
      assert.match(execFileSync('node', [outfile], { encoding: 'utf8' }).trim(), /bundle\.mjs:\d+:13$/, link);
    });
  }
});

test('stacks that a tool has already mapped are used unchanged', async () => {
  await withProgram(async (folder, source) => {
    const outfile = path.join(folder, 'bundle.mjs');
    await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', external: [kPackage] });
    const tool = `Error.prepareStackTrace = (error, calls) => error + calls.map((call) => '\\n    at ' +
      (String(call).includes('bundle.mjs') ? 'make (tool://mapped/src.ts:' + (call.getLineNumber() + 1000) + ':7)' : call)).join('');`;
    writeFileSync(path.join(folder, 'tool.cjs'), tool);
    const output = execFileSync('node', ['--require', path.join(folder, 'tool.cjs'), outfile], {
      encoding: 'utf8',
    }).trim();
    assert.match(output, /^tool:\/\/mapped\/src\.ts:10\d\d:7$/);
  });
});
