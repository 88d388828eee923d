// Programs that import onnxruntime-web by its names.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import test from 'node:test';
import { root } from '../../../cpp/toolchain/use.mjs';
import { identityModel, productModel } from './models.mjs';

const require = createRequire(import.meta.url);

/** Runs a program with the hooks of tenure/ort, and returns what it prints. */
function runRegistered(code, type = 'module') {
  const options = ['--import', './dist/ort/register.js', `--input-type=${type}`, '-e', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

const use = `const session = await ort.InferenceSession.create(Uint8Array.of(${identityModel('float32')}));
  const { y } = await session.run({ x: new Tensor('float32', [1, 2]) });
  console.log(y instanceof Tensor, y.data);`;
const used = 'true Float32Array(2) [ 1, 2 ]';

for (const name of ['onnxruntime-web', 'onnxruntime-web/wasm', 'onnxruntime-web/webgpu', 'onnxruntime-node']) {
  test(`import of ${name} is that of tenure/ort, with the classes of onnxruntime-common`, () => {
    const imports = `import * as ort from '${name}'; import { Tensor } from 'onnxruntime-common';`;
    assert.equal(runRegistered(`${imports} ${use}`), used);
    assert.equal(
      runRegistered(`${imports} const { default: it } = await import('${name}'); console.log(it.Tensor === Tensor)`),
      'true',
    );
  });

  test(`require() of ${name} is that of tenure/ort, with the classes of onnxruntime-common`, () => {
    const code = `const ort = require('${name}'); const { Tensor } = require('onnxruntime-common'); (async () => { ${use} })()`;
    assert.equal(runRegistered(code, 'commonjs'), used);
  });
}

test('other packages, and files of onnxruntime-web, are not replaced', () => {
  const code = `import('onnxruntime-web/ort.wasm').catch(({ code }) => console.log(code, typeof require('typescript').version))`;
  assert.equal(runRegistered(code, 'commonjs'), 'ERR_MODULE_NOT_FOUND string');
});

test('all of the subpaths of tenure/ort are one module', async () => {
  for (const of of ['', '/all', '/jspi', '/wasm', '/webgl', '/webgpu'])
    assert.equal(require.resolve(`tenure/ort${of}`), require.resolve('tenure/ort'), of);
});

test('env.wasm.numThreads is the number of threads if it is a positive integer', () => {
  const count = (threads) =>
    runRegistered(`import * as ort from 'onnxruntime-web'; import * as tf from 'tenure';
      ort.env.wasm.numThreads = ${threads};
      ${use.split('\n', 1)[0]}
      console.log(tf.getThreadsCount());`);
  assert.equal(count(3), '3');
  assert.equal(count(1), '1');
  for (const other of [0, -1, 2.5]) assert.equal(count(other), count(undefined));
});

test('the engine is that of tenure, for import and for require()', () => {
  const code = `import * as tf from 'tenure'; import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const counts = [];
    for (const ort of [await import('tenure/ort'), require('tenure/ort')]) {
      const session = await ort.InferenceSession.create(Uint8Array.of(${productModel()}));
      counts.push(tf.memory().numTensors);
      await session.release();
      counts.push(tf.memory().numTensors);
    }
    console.log(counts.join());`;
  assert.equal(runRegistered(code), '1,0,1,0');
});

test('onnxruntime-web beside it is an error that says so', () => {
  const code = `import { registerBackend } from 'onnxruntime-common';
    registerBackend('wasm', { init() {}, createInferenceSessionHandler() {} }, 10);
    await import('tenure/ort').catch(({ message }) => console.log(message));`;
  assert.match(runRegistered(code), /Import only one of tenure\/ort and onnxruntime-web/);
});
