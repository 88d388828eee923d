// Weight paths in a model.json must lie in its folder; others are refused.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';

const weights = new Float32Array([1, 2]);
const artifacts = {
  modelTopology: { class_name: 'Sequential', config: { name: 'line', layers: [] } },
  format: 'layers-model',
  weightSpecs: [{ name: 'w', shape: [2], dtype: 'float32' }],
};
const load = (url, options) => tf.io.getLoadHandlers(url, options)[0].load();

function jsonOf(weightsName) {
  const { modelTopology, format, weightSpecs } = artifacts;
  return JSON.stringify({ modelTopology, format, weightsManifest: [{ paths: [weightsName], weights: weightSpecs }] });
}

const withFolder = (name, body) =>
  test(name, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-paths-'));
    try {
      await body(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

function writeModel(folder, name) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'model.json');
  writeFileSync(file, jsonOf(name));
  return file;
}

withFolder('weights outside of the folder of their model are refused, unless they are allowed', async (folder) => {
  const secret = path.join(folder, 'secret.bin');
  writeFileSync(secret, new Uint8Array(weights.buffer));
  const model = path.join(folder, 'model');
  mkdirSync(path.join(model, 'deep'), { recursive: true });
  for (const name of [secret, '../secret.bin', 'deep/../../secret.bin', './/../secret.bin', '../model/../secret.bin']) {
    const file = writeModel(model, name);
    for (const url of [file, `file://${file}`, path.relative('.', file)]) {
      await assert.rejects(tf.loadLayersModel(url), (error) => {
        assert.match(
          error.message,
          /names weights at ".*secret\.bin", outside of its folder .*model: .*allowWeightsOutsideFolder: true/,
        );
        return true;
      });
      await assert.rejects(tf.loadGraphModel(url), /outside of its folder/);
    }
    const { weightData } = await load(`file://${file}`, { allowWeightsOutsideFolder: true });
    assert.deepEqual(new Float32Array(weightData), weights);
    const converted = await load(`file://${file}`, { weightUrlConverter: async (shard) => path.resolve(model, shard) });
    assert.deepEqual(new Float32Array(converted.weightData), weights);
  }
  // On this system these are ordinary file names.
  for (const name of ['..\\secret.bin', '%2e%2e/secret.bin', 'C:\\secret.bin', '..secret.bin', '.../w.bin']) {
    if (path.sep === '\\') continue;
    const file = writeModel(model, name);
    await assert.rejects(load(`file://${file}`), /Cannot read weights of .*ENOENT/);
  }
});

withFolder('a prefix is a folder of its own', async (folder) => {
  const file = writeModel(path.join(folder, 'model'), 'w.bin');
  const elsewhere = path.join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, 'w.bin'), new Uint8Array(weights.buffer));
  for (const weightPathPrefix of [elsewhere, `${elsewhere}/`, `file://${elsewhere}/`]) {
    const { weightData } = await load(`file://${file}`, { weightPathPrefix });
    assert.deepEqual(new Float32Array(weightData), weights);
  }
  writeModel(path.join(folder, 'model'), '../elsewhere/w.bin');
  await assert.rejects(load(`file://${file}`, { weightPathPrefix: elsewhere.slice(0, -1) }), /outside of its folder/);
});

withFolder('a link does not lead out of the folder', async (folder) => {
  const secret = path.join(folder, 'secret.bin');
  writeFileSync(secret, new Uint8Array(weights.buffer));
  const model = path.join(folder, 'model');
  const file = writeModel(model, 'w.bin');
  symlinkSync('../secret.bin', path.join(model, 'w.bin'));
  await assert.rejects(
    load(`file://${file}`),
    /names weights at "w\.bin" \(a link to .*secret\.bin\), outside of its folder/,
  );
  assert.deepEqual(
    new Float32Array((await load(`file://${file}`, { allowWeightsOutsideFolder: true })).weightData),
    weights,
  );
  // A folder that is a symbolic link also leads out.
  writeModel(model, 'up/secret.bin');
  symlinkSync('..', path.join(model, 'up'));
  await assert.rejects(load(`file://${file}`), /outside of its folder/);
});

withFolder("links within the folder, to it, and beside the model's own target are read", async (folder) => {
  const model = path.join(folder, 'v3');
  const file = writeModel(model, 'w.bin');
  writeFileSync(path.join(model, 'blob'), new Uint8Array(weights.buffer));
  symlinkSync('blob', path.join(model, 'w.bin'));
  symlinkSync('v3', path.join(folder, 'current'));
  for (const url of [`file://${file}`, `file://${folder}/current/model.json`]) {
    assert.deepEqual(new Float32Array((await load(url)).weightData), weights);
  }
  // The layout in which model hubs store downloads.
  const blobs = path.join(folder, 'blobs');
  const snapshot = path.join(folder, 'snapshots', 'abc');
  for (const each of [blobs, snapshot]) mkdirSync(each, { recursive: true });
  renameSync(file, path.join(blobs, '1'));
  renameSync(path.join(model, 'blob'), path.join(blobs, '2'));
  symlinkSync('../../blobs/1', path.join(snapshot, 'model.json'));
  symlinkSync('../../blobs/2', path.join(snapshot, 'w.bin'));
  assert.deepEqual(new Float32Array((await load(`file://${snapshot}/model.json`)).weightData), weights);
});

withFolder('weights that are named by no text are refused', async (folder) => {
  for (const name of [5, null, {}, ['w.bin']]) {
    const file = writeModel(path.join(folder, 'model'), name);
    await assert.rejects(load(`file://${file}`), /names weights by .*: expected the name of a file/);
  }
});

/** Loads over HTTP with a fetch that answers every address, and returns the address of the weights' request. */
async function addressOf(model, name, options) {
  const asked = [];
  const fetchFunc = async (url) => (asked.push(url), new Response(asked.length === 1 ? jsonOf(name) : weights));
  await tf.io.http(model, { fetchFunc, ...options }).load();
  return asked[1];
}

test('over HTTP, weights are loaded from the folder of their model', async () => {
  const at = 'https://host/models/m/model.json';
  for (const name of [
    'w.bin',
    'deep/w.bin',
    './w.bin',
    'deep/../w.bin',
    '/w.bin',
    'a..b',
    '...',
    'w.bin?v=../1',
    '//evil/w',
    'https://evil/w',
    '@evil',
    '%2fw',
  ]) {
    assert.equal(await addressOf(at, name), `https://host/models/m/${name}`);
  }
  const refused = /names weights at .*outside of its folder .*allowWeightsOutsideFolder: true/;
  for (const name of [
    '../w',
    'deep/../../w',
    '..\\w',
    '%2e%2e/w',
    '.%2E/w',
    '%2E./w',
    '.\t./w',
    '\n../w',
    './/../w',
    '..',
    '..?x',
    '..#',
    ' ../w',
  ]) {
    await assert.rejects(addressOf(at, name), refused, name);
    assert.equal(await addressOf(at, name, { allowWeightsOutsideFolder: true }), `https://host/models/m/${name}`);
    await assert.rejects(addressOf(`${at}?token=1`, name, { streamWeights: false }), refused, name);
  }
  for (const name of [
    'https://evil/w',
    '//evil/w',
    '\\\\evil\\w',
    '/w',
    '\t/w',
    ' //evil/w',
    'h\nttps://evil/w',
    'data:,w',
  ]) {
    await assert.rejects(addressOf('model.json', name), refused, name);
  }
  assert.equal(await addressOf('model.json', 'w.bin'), 'w.bin');
  assert.equal(await addressOf('../m/model.json?a=b', 'w.bin'), '../m/w.bin?a=b');
  await assert.rejects(addressOf('../m/model.json', '../../../m/w.bin'), refused);
  await assert.rejects(addressOf(at, 7), /names weights by 7: expected the name of a file/);
});

test('over HTTP, a prefix names another folder or host, which the model cannot change', async () => {
  const at = 'https://host/models/m/model.json';
  for (const weightPathPrefix of ['https://cdn/a/', 'https://cdn/a/shard-', 'https://cdn/get?file=', '/a/', 'a/']) {
    assert.equal(await addressOf(at, 'w.bin', { weightPathPrefix }), `${weightPathPrefix}w.bin`);
    await assert.rejects(addressOf(at, '../w.bin', { weightPathPrefix }), /outside of its folder/);
  }
  for (const name of ['.evil/w', '@evil/w', ':80@evil/w', ':81/w']) {
    await assert.rejects(
      addressOf(at, name, { weightPathPrefix: 'https://cdn' }),
      /outside of its folder https:\/\/cdn/,
      name,
    );
  }
  await assert.rejects(addressOf(at, '/evil/w', { weightPathPrefix: '/' }), /outside of its folder/);
  assert.equal(
    await addressOf(at, '../w', { weightUrlConverter: async (name) => `https://mine/${name}` }),
    'https://mine/../w',
  );
});

test('streamed weights are confined to the folder too', async () => {
  const json = JSON.stringify({
    modelTopology: {},
    weightsManifest: [{ paths: ['../w'], weights: artifacts.weightSpecs }],
  });
  const { getWeightStream } = await tf.io
    .http('https://host/m/model.json', { streamWeights: true, fetchFunc: async () => new Response(json) })
    .load();
  await assert.rejects(getWeightStream().getReader().read(), /outside of its folder/);
});
