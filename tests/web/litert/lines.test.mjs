// In the debug build, a model that was not deleted is named with the line that loaded it.
import { test } from 'node:test';
import { Tensor, loadAndCompile, loadLiteRt, unloadLiteRt } from '../../../dist/debug/litert/index.js';
import { oneNode } from '../../tflite/writer.mjs';
import { runBundled } from '../debug/bundled.mjs';
import { assert, placesIn, tf } from '../debug/expect.mjs';

const place = placesIn(import.meta.url);
/** A file with a weight: y = x + w. */
const file = oneNode({
  code: 0,
  inputs: [{ shape: [2] }, { shape: [2], values: [1, 2], isConstant: true, name: 'w' }],
  outputs: [{ shape: [2], name: 'y' }],
  type: 11,
  options: [],
});

const sites = () => tf.debug.groups({ by: 'site' }).map(({ key }) => key);

test('the report names the line that loaded a model, and events the line that ran it', async () => {
  await loadLiteRt();
  const model = await loadAndCompile(file);
  assert.deepEqual(
    sites().map((site) => site.replace(/^\w+ at /, '')),
    [place('await loadAndCompile(file);')],
  );
  await model.run(new Tensor(Float32Array.of(1, 2)));
  const made = tf.debug.events().filter(({ kind }) => kind === 'allocate');
  assert.equal(made.at(-1).site, place('run(new Tensor'));
  unloadLiteRt();
  assert.deepEqual(sites(), []);
});

test('the line is found in a bundle, which has the code of tenure/litert in the file of the program', async () => {
  const program = `import * as tf from 'tenure';
import { loadAndCompile, loadLiteRt } from '@litertjs/core';
await loadLiteRt();
const load = async () => {
  const model = await loadAndCompile(Uint8Array.of(${file}));
  return model;
};
await load();
console.log(tf.debug.groups({ by: 'site' })[0].key);
`;
  const stdout = await runBundled(program, {
    tenure: 'dist/debug/inlined.js',
    '@litertjs/core': 'dist/debug/litert/inlined.js',
  });
  assert.match(stdout, / at program\.mjs:5:\d+\n$/);
});
