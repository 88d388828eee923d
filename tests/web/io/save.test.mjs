import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';

const artifacts = {
  modelTopology: { class_name: 'Sequential', config: { name: 'line', layers: [] } },
  format: 'layers-model',
  generatedBy: 'a test',
  convertedBy: null,
  weightSpecs: [{ name: 'w', shape: [2], dtype: 'float32' }],
  weightData: new Float32Array([1, 2]).buffer,
  userDefinedMetadata: { mine: [1] },
};
const handlerFor = (url) => tf.io.getSaveHandlers(url)[0];

test('a model saved to a folder loads again', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-save-'));
  try {
    const url = `file://${folder}/deep/model`;
    const { modelArtifactsInfo } = await handlerFor(url).save(artifacts);
    assert.equal(modelArtifactsInfo.weightDataBytes, 8);
    const [loader] = tf.io.getLoadHandlers(`${url}/model.json`);
    const loaded = await loader.load();
    assert.deepEqual(new Float32Array(loaded.weightData), new Float32Array([1, 2]));
    assert.deepEqual(loaded.userDefinedMetadata, { mine: [1] });
    writeFileSync(`${folder}/file`, '');
    await assert.rejects(handlerFor(`file://${folder}/file`).save(artifacts), /exists as a file/);
    const binary = { ...artifacts, modelTopology: new ArrayBuffer(1) };
    await assert.rejects(handlerFor(url).save(binary), /binary formats/);
    const copied = await tf.io.copyModel(`${url}/model.json`, `file://${folder}/copy`);
    assert.equal(copied.weightDataBytes, 8);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a model is saved over HTTP as a form of two files', async () => {
  const seen = [];
  const server = createServer(async (request, response) => {
    const { headers, method } = request;
    const body = Buffer.concat(await all(request));
    seen.push({ method, mine: headers['x-mine'], form: await new Response(body, { headers }).formData() });
    response.statusCode = request.url === '/refused' ? 500 : 200;
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    const requestInit = { method: 'PUT', headers: { 'x-mine': 'yes' } };
    const { responses } = await tf.io.http(`${address}/save`, { requestInit }).save(artifacts);
    assert.equal(responses[0].status, 200);
    assert.equal(seen[0].method, 'PUT');
    assert.equal(seen[0].mine, 'yes');
    const model = JSON.parse(await seen[0].form.get('model.json').text());
    assert.deepEqual(model.weightsManifest, [{ paths: ['./model.weights.bin'], weights: artifacts.weightSpecs }]);
    assert.equal(seen[0].form.get('model.weights.bin').size, 8);
    await assert.rejects(handlerFor(`${address}/refused`).save(artifacts), /HTTP response status 500/);
  } finally {
    server.close();
  }
});

async function all(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test('weights are streamed on request', async () => {
  const weightsManifest = [{ paths: ['a', 'b'], weights: artifacts.weightSpecs }];
  const bytes = {
    'http://x/model.json': JSON.stringify({ modelTopology: {}, weightsManifest }),
    'http://x/a': new Uint8Array([0, 0, 128]),
    'http://x/b': new Uint8Array([63, 0, 0, 0, 64]),
  };
  const progress = [];
  const handler = tf.io.http('http://x/model.json', {
    streamWeights: true,
    onProgress: (fraction) => progress.push(fraction),
    fetchFunc: async (url) => new Response(bytes[url]),
  });
  const loaded = await handler.load();
  assert.equal(loaded.weightData, undefined);
  const tensors = await tf.io.decodeWeightsStream(loaded.getWeightStream(), loaded.weightSpecs);
  assert.deepEqual(tensors.w.arraySync(), [1, 2]);
  assert.equal(progress[0], 0);
  tf.dispose(tensors);
});

test('registered routers are consulted', async () => {
  const mine = tf.io.fromMemory(artifacts);
  const saver = tf.io.withSaveHandler(async () => ({ modelArtifactsInfo: { modelTopologyType: 'JSON' } }));
  tf.io.registerLoadRouter((url) => (String(url).startsWith('mine://') ? mine : null));
  tf.io.registerSaveRouter((url) => (String(url).startsWith('mine://') ? saver : null));
  assert.deepEqual(tf.io.getLoadHandlers('mine://x'), [mine]);
  assert.deepEqual(tf.io.getLoadHandlers('other://x'), []);
  assert.equal((await tf.io.copyModel('mine://a', 'mine://b')).modelTopologyType, 'JSON');
  await assert.rejects(tf.io.copyModel('mine://a', 'mine://a'), /Old path and new path are the same/);
  await assert.rejects(tf.io.copyModel('other://a', 'mine://a'), /no load handler is found for source URL other:\/\/a/);
  await assert.rejects(tf.io.removeModel('model'), /does not contain a scheme/);
  await assert.rejects(tf.io.moveModel('mine://a', 'mine://b'), /Cannot find model manager for scheme 'mine'/);
  assert.deepEqual(await tf.io.listModels(), {});
});
