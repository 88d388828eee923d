// `node tests/conformance/human.mjs [--detections N]`: the Human library, with Tenure in the place of its TensorFlow.js. It
// must find in pictures what it finds with TensorFlow.js, and leave as many tensors after each detection as after the first.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import jpeg from 'jpeg-js';
import { root } from '../../cpp/toolchain/use.mjs';
import { modelsFolder } from '../golden_models.mjs';
import { usePeers } from './specs.mjs';

const { values: options } = parseArgs({ options: { detections: { type: 'string', default: '20' } } });
const kDetections = Number(options.detections);
const kPictures = ['portrait.jpg', 'three_people.jpg'];
const kSettings = {
  'defaults': {},
  'deallocate: true': { deallocate: true },
  'async: false, return: true, rotation: true': { async: false, face: { detector: { return: true, rotation: true } } },
};
const kModels = { antispoof: 'antispoof', emotion: 'emotion', iris: 'eye-iris', liveness: 'liveness', mesh: 'facemesh' };
const kPeerWasm = path.join(root, 'tests/conformance/node_modules/@tensorflow/tfjs-backend-wasm/dist/');
const images = path.join(modelsFolder, '../images');
const missing = [modelsFolder, ...kPictures.map((name) => path.join(images, name))].find((file) => !existsSync(file));

if (missing) console.log(`skipped: there is no ${missing}`);
else await main();

async function main() {
  usePeers();
  // TensorFlow.js reads no files.
  globalThis.fetch = async (url) => {
    const type = url.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    return new Response(readFileSync(path.join(modelsFolder, new URL(url).pathname)), { headers: { 'Content-Type': type } });
  };
  const Theirs = await humanOn('tfjs');
  const Ours = await humanOn('tenure');
  for (const [name, settings] of Object.entries(kSettings)) {
    const expected = await detect(new Theirs(configOf('http://models/', settings)), 1);
    const found = await detect(new Ours(configOf(`file://${modelsFolder}/`, settings)), kDetections);
    for (const [i, picture] of kPictures.entries()) {
      const { faces, tensors } = found[i];
      assert.equal(new Set(tensors).size, 1, `${name}, ${picture}: tensors after each detection: ${tensors}`);
      compare(faces, expected[i].faces, `${name}, ${picture}`);
      console.log(`${name}, ${picture}: ${faces.face.length} faces, ${tensors.length} detections, ${tensors[0]} tensors after each`);
    }
  }
}

/** The class Human, bundled with what it imports. */
async function humanOn(engine) {
  const outfile = path.join(root, `build/conformance/human_${engine}.cjs`);
  const tenure = path.join(root, 'dist/node.cjs');
  const instead = {
    name: 'instead',
    setup({ onResolve }) {
      onResolve({ filter: /^@tensorflow\/tfjs/ }, () => ({ path: tenure, external: true }));
    },
  };
  await build({
    entryPoints: [path.join(root, 'tests/conformance/node_modules/@vladmandic/human/dist/human.node-wasm.js')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
    plugins: engine === 'tenure' ? [instead] : [],
  });
  return createRequire(import.meta.url)(outfile).Human;
}

function configOf(modelBasePath, { face, ...settings }) {
  const parts = Object.entries(kModels).map(([part, folder]) => [part, { enabled: true, modelPath: `${folder}/model.json` }]);
  const off = { enabled: false };
  return {
    debug: false,
    backend: 'wasm',
    wasmPath: kPeerWasm,
    modelBasePath,
    // Each detection looks at the whole picture.
    cacheSensitivity: 0,
    filter: off,
    face: {
      ...Object.fromEntries(parts),
      description: off,
      detector: { modelPath: 'blazeface/model.json', maxDetected: 5, ...face?.detector },
    },
    gesture: { enabled: true },
    body: off,
    hand: off,
    object: off,
    ...settings,
  };
}

/** Of each picture what the first detection found, and how many tensors there were after each of them. */
async function detect(human, detections) {
  const found = [];
  await human.load();
  assert.deepEqual(human.models.validate(), []);
  assert.deepEqual(human.models.loaded().sort(), ['antispoof', 'blazeface', 'emotion', 'facemesh', 'iris', 'liveness']);
  for (const picture of kPictures) {
    const { width, height, data } = jpeg.decode(readFileSync(path.join(images, picture)), { useTArray: true, formatAsRGBA: false });
    const input = human.tf.tensor3d(data, [height, width, 3], 'int32');
    const tensors = [];
    let first;
    for (let i = 0; i < detections; i++) {
      const { face, gesture, error } = await human.detect(input);
      assert.equal(error, null);
      first ??= { face: face.map(({ tensor, ...rest }) => ({ ...rest, crop: tensor?.shape })), gesture };
      // They belong to the caller.
      human.tf.dispose(face.map(({ tensor }) => tensor));
      tensors.push(human.tf.engine().memory().numTensors);
    }
    input.dispose();
    found.push({ faces: JSON.parse(JSON.stringify(first)), tensors });
  }
  return found;
}

/** Numbers differ by at most a thousandth, everything else not at all. */
function compare(ours, theirs, name) {
  if (typeof theirs === 'number') {
    assert.ok(Math.abs(ours - theirs) <= 1e-3 * Math.max(1, Math.abs(theirs)), `${name} is ${ours}, not ${theirs}`);
  } else if (theirs === null || typeof theirs !== 'object') {
    assert.equal(ours, theirs, name);
  } else {
    assert.deepEqual(Object.keys(ours ?? {}), Object.keys(theirs), name);
    for (const key of Object.keys(theirs)) compare(ours[key], theirs[key], `${name}, ${key}`);
  }
}
