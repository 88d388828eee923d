// The contents of the tarball: everything that exports name, no paths of the build machine, and nothing superfluous.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';
import { hasRelaxedSimd } from '../builds/relaxed_simd.mjs';
import { projectOf } from './packed.mjs';

const kMaxBytes = 20.7e6;
const folder = path.join(projectOf({}), 'node_modules/tenure');
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => statSync(path.join(folder, name)).isFile());
const description = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

const pathsIn = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(pathsIn));

test('every file that package.json names exists', () => {
  const { exports, main, module, types, typesVersions, jsdelivr, unpkg } = description;
  for (const name of pathsIn({ exports, main, module, types, typesVersions, jsdelivr, unpkg })) {
    assert.ok(files.includes(path.normalize(name)), name);
  }
});

test('contains only published files', () => {
  const allowed =
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/LICENSE\.(jpeg-js|onnxruntime-common)|dist\/[^/]+\.(c?js|wasm|json)|dist\/(litert|ort|tfjs)\/[^/]+\.c?js|dist\/modules\/.+\.js|dist\/debug\/((chosen|litert|ort|text|tfjs)\/)?[^/]+\.(c?js|wasm)|dist\/text\/[^/]+\.js|dist\/(debug\/)?text\/package\.json|dist\/types(_cjs)?\/.+\.d\.ts|dist\/types_cjs\/package\.json)$/;
  assert.deepEqual(
    files.filter((name) => !allowed.test(name)),
    [],
  );
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) assert.ok(files.includes(name), name);
  const bytes = files.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
  assert.ok(bytes < kMaxBytes, `${bytes} bytes`);
});

test('the engine has all its files, and only one has relaxed SIMD', () => {
  const module = (name) => new WebAssembly.Module(readFileSync(path.join(folder, `dist/tenure.${name}wasm`)));
  const hasOwnMemory = (name) => WebAssembly.Module.imports(module(name)).every(({ kind }) => kind !== 'memory');
  assert.ok(hasOwnMemory('whole.'));
  for (const name of ['', 'graph.', 'models.', 'extra.', 'webgl.']) assert.ok(!hasOwnMemory(name), name);
  assert.ok(files.includes('dist/tenure.relaxed.wasm'));
  // Node 20 compiles no relaxed SIMD.
  if (!hasRelaxedSimd()) assert.throws(() => module('relaxed.'), WebAssembly.CompileError);
  assert.ok(files.includes('dist/tenure.worker.js'));
});

test('contains no path of the build machine', () => {
  const homes = [root.replace(/\/$/, ''), os.homedir(), os.tmpdir()].filter((place) => place.length > 1);
  for (const name of files) {
    const text = readFileSync(path.join(folder, name), 'latin1');
    for (const home of homes) assert.ok(!text.includes(`${home}/`), `${name} has ${home}`);
  }
});

test('has no dependencies and no install scripts', () => {
  assert.deepEqual(description.dependencies ?? {}, {});
  assert.deepEqual(
    Object.keys(description.scripts).filter((name) => /install/.test(name)),
    [],
  );
});

test('the version is in the changelog, and the provenance matches the files', () => {
  const { version } = description;
  assert.ok(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8').includes(`## ${version}`));
  const provenance = JSON.parse(readFileSync(path.join(folder, 'dist/provenance.json'), 'utf8'));
  assert.equal(provenance.version, version);
  for (const { file, bytes, link } of provenance.builds) {
    assert.equal(statSync(path.join(folder, file)).size, bytes);
    assert.match(link.join(), /-sDYNAMIC_EXECUTION=0/);
  }
});
