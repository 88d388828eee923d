// The text after file:// is a literal path, as in tfjs-node.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assert, tf } from '../expect.mjs';

const weights = new Float32Array([1, 2]);
const artifacts = {
  modelTopology: { class_name: 'Sequential', config: { name: 'line', layers: [] } },
  format: 'layers-model',
  weightSpecs: [{ name: 'w', shape: [2], dtype: 'float32' }],
  weightData: weights.buffer,
};
const save = (url) => tf.io.getSaveHandlers(url)[0].save(artifacts);
const load = (url) => tf.io.getLoadHandlers(url)[0].load();

const withFolder = (name, body) =>
  test(name, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-paths-'));
    try {
      await body(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

withFolder('a folder may have any letter in its name', async (folder) => {
  const names = ['run#1', 'what?', '100%', 'a%20b', 'a b', 'ü', '%2e%2e', 'a&b=c'];
  for (const name of names) await save(`file://${folder}/${name}`);
  assert.deepEqual(readdirSync(folder).sort(), [...names].sort());
  for (const name of names) {
    const { weightData } = await load(`file://${folder}/${name}/model.json`);
    assert.deepEqual(new Float32Array(weightData), weights, name);
  }
});

withFolder('a URL of a file that exists is read, too', async (folder) => {
  const run = path.join(folder, 'my run #1');
  await save(`file://${run}`);
  const { href } = pathToFileURL(path.join(run, 'model.json'));
  assert.match(href, /my%20run%20%231/);
  assert.deepEqual(new Float32Array((await load(href)).weightData), weights);
  // A file with the literal name takes precedence.
  mkdirSync(path.join(folder, 'my%20run%20%231'));
  writeFileSync(path.join(folder, 'my%20run%20%231', 'model.json'), '{"modelTopology":{"letters":true}}');
  assert.deepEqual((await load(href)).modelTopology, { letters: true });
});

withFolder('a file of data may have any letter in its name', async (folder) => {
  for (const name of ['a#1.csv', 'b?.csv', '100%.csv']) {
    writeFileSync(path.join(folder, name), 'x\n3\n');
    assert.deepEqual(await tf.data.csv(`file://${folder}/${name}`).toArray(), [{ x: 3 }], name);
  }
  const { href } = pathToFileURL(path.join(folder, 'a#1.csv'));
  assert.deepEqual(await tf.data.csv(href).toArray(), [{ x: 3 }]);
});
