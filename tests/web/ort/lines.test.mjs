// In the debug build, a session that was not released is named with the line that created it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';
import { InferenceSession, Tensor } from '../../../dist/debug/ort/index.js';
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

test('the line is found in a bundle, which has the code of onnxruntime-common in the file of the program', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ort-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = `import * as tf from 'tenure';
import { InferenceSession } from 'onnxruntime-web';
const load = async () => {
  const session = await InferenceSession.create(Uint8Array.of(${file}));
  return session;
};
await load();
console.log(tf.debug.groups({ by: 'site' })[0].key);
`;
  writeFileSync(path.join(folder, 'program.mjs'), program);
  const outfile = path.join(folder, 'bundle.mjs');
  await build({
    entryPoints: [path.join(folder, 'program.mjs')],
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    sourcemap: true,
    alias: {
      tenure: path.join(root, 'dist/debug/inlined.js'),
      'onnxruntime-web': path.join(root, 'dist/debug/ort/inlined.js'),
      'onnxruntime-common': path.join(root, 'node_modules/onnxruntime-common/dist/esm/index.js'),
    },
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8', cwd: folder });
  assert.equal(stdout, 'create at program.mjs:4:19\n', stderr);
});
