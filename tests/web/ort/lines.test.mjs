// In the debug build, a session that was not released is named with the line that created it.
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../../../cpp/toolchain/use.mjs';
import { InferenceSession, Tensor } from '../../../dist/debug/ort/index.js';
import { runBundled } from '../debug/bundled.mjs';
import { assert, placesIn, tf } from '../debug/expect.mjs';
import { productModel } from './models.mjs';

const place = placesIn(import.meta.url);
const file = productModel();

/** Creates a session, as a pipeline does for its caller. */
async function loadPipeline() {
  const session = await InferenceSession.create(file);
  return session;
}

test('the report names the line that created a session, and events the line that ran it', async () => {
  const own = await InferenceSession.create(productModel());
  const pipeline = await loadPipeline();
  const x = new Tensor('float32', [1, 2], [1, 2]);
  await own.run({ x });
  const sites = () => tf.debug.groups({ by: 'site' }).map(({ key }) => key);
  assert.deepEqual(
    sites().sort(),
    [
      `create at ${place('await InferenceSession.create(productModel()')}`,
      `create at ${place('await InferenceSession.create(file)')}`,
    ].sort(),
  );
  const made = tf.debug.events().filter(({ kind }) => kind === 'allocate');
  assert.equal(made.at(-1).site, place('run({ x })'));
  await own.release();
  await pipeline.release();
  assert.deepEqual(sites(), []);
});

test('the line is found in a bundle, which has the code of onnxruntime-common in the file of the program', async () => {
  const program = `import * as tf from 'tenure';
import { InferenceSession } from 'onnxruntime-web';
const load = async () => {
  const session = await InferenceSession.create(Uint8Array.of(${file}));
  return session;
};
await load();
console.log(tf.debug.groups({ by: 'site' })[0].key);
`;
  const stdout = await runBundled(program, {
    tenure: 'dist/debug/inlined.js',
    'onnxruntime-web': 'dist/debug/ort/inlined.js',
    'onnxruntime-common': 'node_modules/onnxruntime-common/dist/esm/index.js',
  });
  assert.equal(stdout, 'create at program.mjs:4:19\n');
});

test('the line of an output that stays is found where the engine is CommonJS and tenure/ort is a module', () => {
  const program = `import * as tf from 'tenure';
import { InferenceSession, Tensor } from 'tenure/ort';
const session = await InferenceSession.create(Uint8Array.of(${file}), { preferredOutputLocation: 'gpu-buffer' });
const forget = async () => {
  await session.run({ x: new Tensor('float32', [1, 2], [1, 2]) }, ['y']);
};
await forget();
console.log(tf.debug.groups({ by: 'site' }).map(({ key }) => key).sort().join('\\n'));
`;
  const options = ['--conditions=development', '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
  assert.deepEqual(stdout.match(/:\d+:\d+$/gm), [':3:17', ':5:17'], stdout + stderr);
});
