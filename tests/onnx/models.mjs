// `node tests/onnx/models.mjs [TEXT]`: compares models of npm packages, single nodes (op_cases.mjs) and random ones (random.mjs)
// with onnxruntime-web: those whose names contain the text. Needs the built package.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root, usePackages } from '../../cpp/toolchain/use.mjs';
import { makeProduct } from '../bench/quantized_models.mjs';
import * as tf from '../../dist/index.js';
import { decoderInputs, makeDecoder } from './decoder.mjs';
import { makePlainDecoder, plainDecoderCaches, plainDecoderInputs } from './plain_decoder.mjs';
import { integerCases } from './integer_cases.mjs';
import { mlCases } from './ml_cases.mjs';
import { opCases } from './op_cases.mjs';
import { makeModel } from './node_model.mjs';
import { floats, kPackageModels } from './package_models.mjs';
import { prepareModels } from './prepare.mjs';
import { qdqModels } from './qdq.mjs';
import { describe, isFailure, runRandomCases } from './random.mjs';

const kTolerance = 1e-4;
const kRandomCases = 1500;
const at = (file) => path.join(root, 'tests/onnx', file);
const text = process.argv[2] ?? '';

usePackages();
prepareModels();
const ort = await import('onnxruntime-web');
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

const kDtypes = { float32: 'float32', bool: 'bool' };

/** Returns the results of a model in onnxruntime, by name. */
async function expected(session, feeds) {
  const tensors = Object.entries(feeds).map(([name, { type, values, shape }]) => [
    name,
    new ort.Tensor(type, values, shape),
  ]);
  return session.run(Object.fromEntries(tensors));
}

/** Returns the results of a model in Tenure, by name: the shapes and values. */
async function actual(model, feeds, names) {
  const tensors = Object.entries(feeds).map(([name, { type, values, shape }]) => [
    name,
    type === 'string'
      ? tf.tensor(values, shape, 'string')
      : tf.tensor(Array.from(values, Number), shape, kDtypes[type] ?? 'int32'),
  ]);
  const found = model.execute(Object.fromEntries(tensors), names);
  const outputs = Array.isArray(found) ? found : [found];
  const results = {};
  for (const [i, tensor] of outputs.entries()) results[names[i]] = { dims: tensor.shape, data: await tensor.data() };
  for (const tensor of [...tensors.map(([, one]) => one), ...outputs]) tensor.dispose();
  return results;
}

/** Throws unless a result has the expected shape and values. Returns the greatest difference, relative to the greatest value. */
function compare(name, got, want) {
  if (got.dims.join() !== want.dims.join())
    throw new Error(`the output "${name}" has the shape [${got.dims}], expected [${want.dims}]`);
  if (typeof want.data[0] === 'string') {
    if (got.data.join('\n') === want.data.join('\n')) return 0;
    throw new Error(`the output "${name}" is ${JSON.stringify(got.data)}, expected ${JSON.stringify(want.data)}`);
  }
  let greatest = 0;
  let difference = 0;
  for (let i = 0; i < want.data.length; ++i) {
    const value = Number(want.data[i]);
    const found = Number(got.data[i]);
    if (Number.isFinite(value)) greatest = Math.max(greatest, Math.abs(value));
    // Infinities have no difference.
    if (found === value || (Number.isNaN(found) && Number.isNaN(value))) continue;
    difference = Math.max(difference, Math.abs(found - value));
  }
  const relative = difference === 0 ? 0 : difference / greatest;
  const isExact = !(want.data instanceof Float32Array);
  if (!(relative <= (isExact ? 0 : kTolerance)))
    throw new Error(`the output "${name}" differs by ${relative.toExponential(1)} of its greatest value, ${greatest}`);
  return relative;
}

/**
 * Compares the runs of one model: `runs` are their inputs, or functions that return these from the results of the run before.
 * Returns the greatest difference.
 */
async function check(bytes, runs, names) {
  const before = tf.memory().numTensors;
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'disabled',
  });
  const model = await tf.loadOnnxModel(bytes);
  let worst = 0;
  let last;
  for (const given of runs) {
    const feeds = typeof given === 'function' ? given(last) : given;
    const want = await expected(session, feeds);
    const wanted = names ?? session.outputNames;
    const results = await actual(model, feeds, wanted);
    last = want;
    for (const name of wanted) worst = Math.max(worst, compare(name, results[name], want[name]));
  }
  model.dispose();
  await session.release();
  if (tf.memory().numTensors !== before) throw new Error(`${tf.memory().numTensors - before} tensors are left`);
  return worst;
}

let failed = 0;
let passed = 0;
async function report(name, compared) {
  try {
    const worst = await compared();
    ++passed;
    console.log(`ok   ${name}: ${worst.toExponential(1)}`);
  } catch (error) {
    ++failed;
    console.log(`FAIL ${name}: ${error.message}`);
  }
}

for (const { file, runs } of kPackageModels) {
  if (!file.includes(text)) continue;
  await report(file, () => check(new Uint8Array(readFileSync(at(`node_modules/${file}`))), runs));
}
if ('decoder'.includes(text)) {
  const tokens = [[3, 14, 15, 9, 26], [5], [35], [8, 9], [7]];
  await report('decoder', () =>
    check(
      makeDecoder(),
      tokens.map((some) => (past) => decoderInputs(some, past)),
    ),
  );
}
if ('plain decoder'.includes(text)) {
  const tokens = [[3, 14, 15], ...Array.from({ length: 20 }, (_, i) => [(i * 7) % 50])];
  await report('plain decoder', () =>
    check(
      makePlainDecoder(),
      tokens.map((some) => (past) => {
        const before = past ? past['present.0.key'].dims[2] : 0;
        return plainDecoderInputs(some, before, plainDecoderCaches({}, past));
      }),
    ),
  );
}
for (const bits of [8, 4]) {
  for (const [rows, depth, width] of [
    [1, 96, 40],
    [9, 100, 33],
  ]) {
    const name = `quantized product ${rows}x${depth}x${width} of ${bits} bits`;
    if (!name.includes(text)) continue;
    const { bytes, shape } = makeProduct({ rows, depth, width, bits });
    await report(name, () => check(bytes, [{ x: floats(shape, -1, 3) }, { x: floats(shape, 0, 1) }]));
  }
}
for (const { name, bytes, shape } of qdqModels()) {
  if (!`qdq ${name}`.includes(text)) continue;
  await report(`qdq ${name}`, () => check(bytes, [{ x: floats(shape, -2, 3) }]));
}
for (const [i, one] of [...opCases, ...mlCases, ...integerCases].entries()) {
  const name = `${one.domain ? `${one.domain}.` : ''}${one.op} ${i}`;
  if (!name.includes(text)) continue;
  await report(name, () => {
    const { bytes, names, feeds } = makeModel(one);
    return check(bytes, [feeds, feeds], names);
  });
}
if ('random'.includes(text)) {
  const own = await import('../../dist/ort/inlined.js');
  const counts = await runRandomCases(own, ort, {
    count: kRandomCases,
    report(result, one, i) {
      if (!isFailure(result)) return;
      ++failed;
      console.log(`FAIL random ${i}: ${result.kind}: ${describe(one)}\n    ${result.why}`);
    },
  });
  passed += counts.agrees;
  console.log('random', counts);
}
console.log(`${passed} agree with onnxruntime-web, ${failed} do not`);
process.exit(failed > 0 ? 1 : 0);
