// `node tests/conformance/human.mjs [--detections N] [--browser] [--backend wasm|webgl|webgpu ...] [--on-gpu N]`: runs the Human
// library with Tenure in place of its TensorFlow.js. It must detect the same in pictures, and leave as many tensors after each
// detection as after the first; with --browser also in Chromium, on wasm and webgl or the given backends.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import jpeg from 'jpeg-js';
import { root } from '../../cpp/toolchain/use.mjs';
import { modelsFolder } from '../golden_models.mjs';
import { configOf, detect, kPictures, kSettings } from './human_cases.mjs';
import { showPage } from './page.mjs';
import { usePeers } from './specs.mjs';

const { values: options } = parseArgs({
  options: {
    detections: { type: 'string', default: '20' },
    'on-gpu': { type: 'string', default: '5' },
    browser: { type: 'boolean', default: false },
    backend: { type: 'string', multiple: true, default: ['wasm', 'webgl'] },
  },
});
const kDetections = Number(options.detections);
/** In pages. A software renderer takes a second for each detection: --on-gpu sets their number. */
const kOnGpu = Number(options['on-gpu']);
const kDetectionsOn = { wasm: kDetections, webgl: kOnGpu, webgpu: kOnGpu };
const kPackage = path.join(root, 'tests/conformance/node_modules');
const kPeerWasm = path.join(kPackage, '@tensorflow/tfjs-backend-wasm/dist/');
/** Tolerance relative to TensorFlow.js's numbers, or absolute below 1: a GPU sums in another order. */
const kTolerance = { wasm: 1e-3, webgl: 2e-2, webgpu: 2e-2 };
const built = path.join(root, 'build/conformance');
const images = path.join(modelsFolder, '../images');
const missing = [modelsFolder, ...kPictures.map((name) => path.join(images, name))].find((file) => !existsSync(file));

if (missing) console.log(`skipped: there is no ${missing}`);
else await main();

async function main() {
  usePeers();
  // TensorFlow.js cannot read files.
  globalThis.fetch = async (url) => {
    const type = url.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    return new Response(readFileSync(path.join(modelsFolder, new URL(url).pathname)), {
      headers: { 'Content-Type': type },
    });
  };
  const pictures = kPictures.map((name) =>
    jpeg.decode(readFileSync(path.join(images, name)), { useTArray: true, formatAsRGBA: false }),
  );
  const Theirs = await humanOn('tfjs');
  const Ours = await humanOn('tenure');
  const expected = {};
  const found = {};
  for (const [name, settings] of Object.entries(kSettings)) {
    const rest = { wasmPath: kPeerWasm };
    expected[name] = await detect(new Theirs(configOf('http://models/', settings, rest)), pictures, 1);
    found[name] = await detect(new Ours(configOf(`file://${modelsFolder}/`, settings, rest)), pictures, kDetections);
  }
  check(found, expected, 'Node', kTolerance.wasm);
  if (!options.browser) return;
  await bundleForPages(pictures);
  for (const backend of options.backend) {
    const asked = new URLSearchParams({ backend, detections: kDetectionsOn[backend] });
    for (const name of kPictures) asked.append('picture', name);
    const folders = { '/models': modelsFolder, '/human': built, '/pictures': built };
    const shown = await showPage(`human.html?${asked}`, folders, { webgpu: backend === 'webgpu' });
    assert.equal(shown.error, undefined);
    check(shown.found, expected, `Chromium, ${backend}`, kTolerance[backend]);
  }
}

function check(found, expected, where, tolerance) {
  for (const [name, results] of Object.entries(found)) {
    for (const [i, picture] of kPictures.entries()) {
      const { faces, tensors } = results[i];
      const what = `${where}: ${name}, ${picture}`;
      assert.equal(new Set(tensors).size, 1, `${what}: tensors after each detection: ${tensors}`);
      compare(faces, expected[name][i].faces, what, tolerance);
      console.log(
        `${what}: ${faces.face.length} faces, ${tensors.length} detections, ${tensors[0]} tensors after each`,
      );
    }
  }
}

/** Makes a bundle import this path in place of TensorFlow.js. */
function insteadOf(path) {
  return {
    name: 'instead',
    setup({ onResolve }) {
      onResolve({ filter: /^@tensorflow\/tfjs/ }, () => ({ path, external: true }));
    },
  };
}

/** Returns the class Human, bundled with its imports. */
async function humanOn(engine) {
  const outfile = path.join(built, `human_${engine}.cjs`);
  await build({
    entryPoints: [path.join(kPackage, '@vladmandic/human/dist/human.node-wasm.js')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
    plugins: engine === 'tenure' ? [insteadOf(path.join(root, 'dist/node.cjs'))] : [],
  });
  return createRequire(import.meta.url)(outfile).Human;
}

/** Bundles Human's build for pages without TensorFlow.js, with the decoded pictures. */
async function bundleForPages(pictures) {
  mkdirSync(built, { recursive: true });
  for (const [i, { width, height, data }] of pictures.entries()) {
    writeFileSync(path.join(built, `${kPictures[i]}.size.bin`), new Uint32Array([width, height]));
    writeFileSync(path.join(built, `${kPictures[i]}.rgb.bin`), data);
  }
  await build({
    entryPoints: [path.join(kPackage, '@vladmandic/human/dist/human.esm-nobundle.js')],
    bundle: true,
    format: 'esm',
    outfile: path.join(built, 'human.js'),
    logLevel: 'error',
    plugins: [insteadOf('/tenure/index.js')],
  });
}

/** Compares results: numbers within a tolerance, everything else exactly. */
function compare(ours, theirs, name, tolerance) {
  if (typeof theirs === 'number') {
    assert.ok(
      Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs)),
      `${name} is ${ours}, not ${theirs}`,
    );
  } else if (theirs === null || typeof theirs !== 'object') {
    assert.equal(ours, theirs, name);
  } else {
    assert.deepEqual(Object.keys(ours ?? {}), Object.keys(theirs), name);
    for (const key of Object.keys(theirs)) compare(ours[key], theirs[key], `${name}, ${key}`, tolerance);
  }
}
