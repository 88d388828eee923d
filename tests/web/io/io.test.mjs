import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const weights = (name, shape) => ({ name, shape, dtype: 'float32' });
const layer = (units) => ({
  class_name: 'Dense',
  config: {
    name: 'dense',
    units,
    activation: 'linear',
    use_bias: true,
    batch_input_shape: [null, 2],
    dtype: 'float32',
  },
});
/** y = x * [2, 3] + 1, its weights in two files. */
const model = {
  format: 'layers-model',
  modelTopology: { class_name: 'Sequential', config: { name: 'line', layers: [layer(1)] }, keras_version: '2' },
  weightsManifest: [
    { paths: ['kernel.bin'], weights: [weights('dense/kernel', [2, 1])] },
    { paths: ['bias.bin'], weights: [weights('dense/bias', [1])] },
  ],
};
const kernel = Buffer.from(new Float32Array([2, 3]).buffer);
const bias = Buffer.from(new Float32Array([1]).buffer);

const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-io-'));
const seen = [];
let server;
let address;

before(async () => {
  const files = {
    'model.json': JSON.stringify(model),
    'kernel.bin': kernel,
    'bias.bin': bias,
    'page.json': '<!doctype html><title>Not found</title>',
    'broken.json': '{"modelTopology": ',
    'empty.json': '{}',
    'lost.json': JSON.stringify({ ...model, weightsManifest: [{ paths: ['gone.bin'], weights: [] }] }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  server = createServer(({ url, headers }, response) => {
    seen.push({ url, mine: headers['x-mine'] });
    const content = files[url.replace(/\?.*/, '').slice('/models/'.length)];
    response.statusCode = content === undefined ? 404 : 200;
    response.end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}/models`;
});

after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function assertWorks(source, options) {
  await leavesNothingAsync(async () => {
    const loaded = await tf.loadLayersModel(source, options);
    tf.tidy(() => assert.deepEqual(loaded.predict(tf.tensor2d([[10, 100]])).arraySync(), [[321]]));
    loaded.dispose();
  });
}

test('loads over HTTP, the weights beside model.json', async () => {
  await assertWorks(`${address}/model.json`);
});

test('sends requestInit and the query, and reports progress', async () => {
  seen.length = 0;
  const progress = [];
  await assertWorks(`${address}/model.json?token=1`, {
    requestInit: { headers: { 'x-mine': 'yes' } },
    onProgress: (fraction) => progress.push(fraction),
  });
  assert.deepEqual(seen.map(({ url }) => url).sort(), [
    '/models/bias.bin?token=1',
    '/models/kernel.bin?token=1',
    '/models/model.json?token=1',
  ]);
  assert.ok(seen.every(({ mine }) => mine === 'yes'));
  assert.deepEqual(progress, [0.25, 0.5, 0.75, 1]);
});

test('accepts responses of a custom fetch, also without text()', async () => {
  await assertWorks('https://example.test/model.json', {
    fetchFunc: async (url) => {
      const response = await fetch(url.replace('https://example.test', address));
      return {
        ok: true,
        status: 200,
        headers: response.headers,
        json: () => response.json(),
        arrayBuffer: () => response.arrayBuffer(),
      };
    },
  });
});

test('accepts a custom fetch, weight path prefix and weight URL converter', async () => {
  await assertWorks('https://example.test/model.json', {
    fetchFunc: (url, init) => fetch(url.replace('https://example.test', address), init),
  });
  await assertWorks(`${address}/model.json`, { weightPathPrefix: `${address}/../models/` });
  await assertWorks(`${address}/model.json`, { weightUrlConverter: async (name) => `${address}/${name}` });
  await assertWorks(tf.io.http(`${address}/model.json`));
});

test('loads from a path and from a file URL', async () => {
  await assertWorks(path.join(folder, 'model.json'));
  await assertWorks(pathToFileURL(path.join(folder, 'model.json')).href);
  await assertWorks(`file://${path.relative(process.cwd(), path.join(folder, 'model.json'))}`);
});

test('loads from memory and from a handler', async () => {
  const weightSpecs = model.weightsManifest.flatMap((group) => group.weights);
  const { buffer: weightData } = new Float32Array([2, 3, 1]);
  const { modelTopology } = model;
  await assertWorks(tf.io.fromMemory({ modelTopology, weightSpecs, weightData }));
  await assertWorks(tf.io.fromMemory(modelTopology, weightSpecs, weightData));
  await assertWorks({ load: async () => ({ modelTopology, weightSpecs, weightData }) });
  await assertWorks(
    tf.io.fromMemory({ modelTopology, weightSpecs, weightData: [weightData.slice(0, 4), weightData.slice(4)] }),
  );
});

test('an error names the address that failed, and how', async () => {
  const rejects = (source, message) =>
    leavesNothingAsync(() => assert.rejects(tf.loadLayersModel(source), { message }));
  await rejects(
    `${address}/none.json`,
    `Request to ${address}/none.json failed with status code 404. ` +
      'Please verify this URL points to the model JSON of the model to load.',
  );
  await rejects(
    `${address}/page.json`,
    /Failed to parse model JSON of response from .*page\.json\. It begins like a page of HTML/,
  );
  await rejects(`${address}/broken.json`, /Failed to parse model JSON of response from .*broken\.json/);
  await rejects(`${address}/empty.json`, /empty\.json contains neither model topology or manifest for weights/);
  await rejects(
    `${address}/lost.json`,
    /Request to .*gone\.bin failed with status code 404: it should hold weights of/,
  );
  await rejects(path.join(folder, 'none.json'), /Cannot read the model JSON .*none\.json: ENOENT/);
  await rejects(path.join(folder, 'lost.json'), /Cannot read weights of .*lost\.json: ENOENT.*gone\.bin/);
  await rejects('indexeddb://mine', "Cannot find any load handlers for URL 'indexeddb://mine'");
  await rejects({}, /IOHandler provided does not have the `load` method implemented/);
  await rejects(null, /must be given/);
  await rejects({ load: async () => ({}) }, /The model from the IO handler has no modelTopology/);
});

test('requestInit may have no body', () => {
  assert.throws(() => tf.io.http('http://example.test', { requestInit: { body: 'x' } }), {
    message: 'requestInit is expected to have no pre-existing body, but has one.',
  });
});
