import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { loadPeer } from '../../conformance/random/models/peer.mjs';
import { assert, assertClose, leavesNothingAsync, tf } from '../expect.mjs';

const xs = Array.from({ length: 30 }, (_, i) => Math.sin(i));
const ys = Array.from({ length: 20 }, (_, i) => Math.cos(i));

const build = (lib) =>
  lib.sequential({
    layers: [lib.layers.dense({ units: 4, inputShape: [3], activation: 'tanh' }), lib.layers.dense({ units: 2 })],
  });

/** Returns the model's files. */
async function saved(lib, model, config) {
  let files;
  await model.save(
    lib.io.withSaveHandler((artifacts) => ((files = artifacts), { modelArtifactsInfo: {} })),
    config,
  );
  return { ...files, modelTopology: JSON.parse(JSON.stringify(files.modelTopology)) };
}

async function steps(lib, model, count) {
  const x = lib.tensor(xs, [10, 3]);
  const y = lib.tensor(ys, [10, 2]);
  const losses = [];
  for (let i = 0; i < count; i++) losses.push([await model.trainOnBatch(x, y)].flat());
  x.dispose();
  y.dispose();
  return losses.flat();
}

for (const [name, make] of Object.entries({
  adam: (lib) => lib.train.adam(0.05),
  adamax: (lib) => lib.train.adamax(0.05),
  momentum: (lib) => lib.train.momentum(0.05, 0.9),
  rmsprop: (lib) => lib.train.rmsprop(0.01),
})) {
  test(`a model saved with ${name} continues training identically`, async () => {
    await leavesNothingAsync(async () => {
      const model = build(tf);
      const optimizer = make(tf);
      model.compile({ optimizer, loss: 'meanSquaredError', metrics: ['mae', tf.metrics.cosineProximity] });
      await steps(tf, model, 3);
      const files = await saved(tf, model, { includeOptimizer: true });
      const again = await tf.loadLayersModel(tf.io.fromMemory(files));
      assert.deepEqual(again.metricsNames, ['loss', 'mae', 'cosineProximity']);
      assert.equal(again.optimizer.iterations, 3);
      assert.deepEqual(await steps(tf, again, 30), await steps(tf, model, 30));
      again.dispose();
      model.dispose();
      optimizer.dispose();
    });
  });
}

/** Runs `body` with the address of a server that stores uploaded form files, and returns them. */
async function withServer(body) {
  const files = new Map();
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const file = files.get(request.url.slice(1));
      response.writeHead(file ? 200 : 404).end(file);
      return;
    }
    const parts = [];
    for await (const part of request) parts.push(part);
    const form = await new Response(Buffer.concat(parts), { headers: request.headers }).formData();
    for (const [name, file] of form) files.set(name, Buffer.from(await file.arrayBuffer()));
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function withFolder(body) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-trained-'));
  try {
    await body(`file://${folder}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const [name, within, target] of [
  ['a folder', withFolder, (url) => url],
  ['HTTP', withServer, (url) => `${url}/upload`],
]) {
  test(`a model continues training after a round trip through ${name}`, async () => {
    await within(async (url) => {
      await leavesNothingAsync(async () => {
        const model = build(tf);
        model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'] });
        await steps(tf, model, 5);
        await model.save(target(url), { includeOptimizer: true });
        const again = await tf.loadLayersModel(`${url}/model.json`);
        assert.equal(again.optimizer.iterations, 5);
        assert.deepEqual(await steps(tf, again, 20), await steps(tf, model, 20));
        await again.save(target(url), { includeOptimizer: true });
        const third = await tf.loadLayersModel(`${url}/model.json`);
        assert.equal(third.optimizer.iterations, 25);
        assert.deepEqual(await steps(tf, third, 2), await steps(tf, model, 2));
        tf.dispose([model, again, third]);
      });
    });
  });
}

test('files with an optimizer move between TensorFlow.js and Tenure in both directions', async () => {
  const theirs = await loadPeer();
  await leavesNothingAsync(async () => {
    const peer = build(theirs);
    peer.compile({ optimizer: theirs.train.adam(0.05), loss: 'meanSquaredError', metrics: 'accuracy' });
    await steps(theirs, peer, 2);
    const model = await tf.loadLayersModel(tf.io.fromMemory(await saved(theirs, peer, { includeOptimizer: true })));
    assertClose(await steps(tf, model, 2), await steps(theirs, peer, 2), 1e-5);
    const back = await theirs.loadLayersModel(theirs.io.fromMemory(await saved(tf, model, { includeOptimizer: true })));
    assertClose(await steps(tf, model, 2), await steps(theirs, back, 2), 1e-5);
    model.dispose();
    peer.dispose();
    back.dispose();
  });
});

test('a file with an unknown loss or optimizer still predicts', async () => {
  await leavesNothingAsync(async () => {
    const model = build(tf);
    const files = await saved(tf, model);
    model.dispose();
    const warn = console.warn;
    const warnings = [];
    console.warn = (words) => warnings.push(words);
    try {
      const trainingConfig = { loss: 'mse', optimizer_config: { class_name: 'Nobody', config: {} } };
      const loaded = await tf.loadLayersModel(tf.io.fromMemory({ ...files, trainingConfig }));
      tf.tidy(() => void loaded.predict(tf.ones([1, 3])));
      loaded.dispose();
    } finally {
      console.warn = warn;
    }
    assert.match(
      warnings.join(),
      /not compiled with the training configuration of its file: Unknown optimizer: Nobody/,
    );
  });
});
