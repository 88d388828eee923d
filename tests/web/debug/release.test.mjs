import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assert } from './expect.mjs';
// Not index.js, for which the tests may substitute a debug build.
import * as release from '../../../dist/inlined.js';

const kDebugWords = [
  'made by',
  'was disposed by',
  'collected without dispose',
  'NaN or infinite value',
  'prepareStackTrace',
  'no-scope',
  'displayTimeUnit',
  '<svg',
  'tn_ledger',
  'tn_count_not_finite',
  'use scopeAsync',
];

test('the release build contains no code of the ledger', () => {
  const dist = new URL('../../../dist/', import.meta.url);
  const read = (name) => readFileSync(new URL(name, dist), 'latin1');
  for (const name of ['index.js', 'tenure.wasm']) {
    for (const word of kDebugWords) assert.ok(!read(name).includes(word), `dist/${name} has '${word}'`);
  }
  const debugFiles = readdirSync(new URL('debug', dist))
    .filter((name) => /^(?:shared-.*\.js|tenure\.wasm)$/.test(name))
    .map((name) => read(`debug/${name}`));
  for (const word of kDebugWords)
    assert.ok(
      debugFiles.some((code) => code.includes(word)),
      `no debug build has '${word}' any more`,
    );
});

test('tf.debug exists and is empty in a release build', () => {
  const x = release.ones([2]);
  const { debug } = release;
  assert.equal(debug.enabled, false);
  debug.setSampling(1);
  assert.deepEqual(debug.diff(debug.snapshot(), debug.snapshot()).added, []);
  assert.deepEqual(
    [debug.groups({ by: 'op' }), debug.report({ by: 'site' }), debug.events(), debug.toHTML()],
    [[], '', [], ''],
  );
  assert.deepEqual(JSON.parse(debug.toChromeTrace()).traceEvents, []);
  x.dispose();
});

test('the debug wasm names its functions, and has no debug information', () => {
  const wasm = readFileSync(new URL('../../../dist/debug/tenure.wasm', import.meta.url));
  assert.ok(wasm.length < 3.3e6, `${wasm.length} bytes`);
  const sections = WebAssembly.Module.customSections.bind(null, new WebAssembly.Module(wasm));
  assert.equal(sections('name').length, 1);
  assert.equal(sections('.debug_info').length, 0);
});
