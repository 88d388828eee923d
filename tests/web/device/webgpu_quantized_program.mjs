// Predicts ONNX models with weights of 4, 8 and 16 bits on the npm package 'webgpu', whose folder is the argument, and on the CPU,
// and prints the differences: the program of webgpu_quantized.test.mjs.
import { createRequire } from 'node:module';
import { GraphWriter } from '../../bench/quantized_models.mjs';
import { held } from '../common.mjs';
import { tf } from '../expect.mjs';

const { create } = createRequire(import.meta.url)(process.argv[2]);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
tf.env().set('WEBGL_CPU_FORWARD', false);

const kDepth = 96;
const kHidden = 70;
const kWidth = 33;

/** Returns a model of two products, the second of which reads what the GPU has computed. Its input is [rows, kDepth]. */
function makeModel(bits) {
  const graph = new GraphWriter();
  const product = (name, x, depth, width) =>
    graph.ofType(bits, x, (typed) => graph.product(name, typed, depth, width, bits));
  const hidden = graph.node('Tanh', [product('hidden', 'x', kDepth, kHidden)]);
  const y = product('output', hidden, kHidden, kWidth);
  return graph.model([{ name: 'x', shape: ['rows', kDepth] }], [{ name: y }]);
}

const makeInput = (rows) =>
  tf.tensor2d(
    Float32Array.from({ length: rows * kDepth }, (_, i) => Math.sin(i)),
    [rows, kDepth],
  );

/** Predicts with as many rows, and returns the values. */
async function predict(model, rows) {
  const x = makeInput(rows);
  const y = model.predict(x);
  const values = await y.data();
  x.dispose();
  y.dispose();
  return values;
}

const found = {};
for (const bits of [4, 8, 16]) {
  const bytes = makeModel(bits);
  const results = {};
  for (const backend of ['wasm', 'webgpu']) {
    await tf.setBackend(backend);
    const before = held(tf);
    const model = await tf.loadOnnxModel(bytes);
    const outputs = [];
    for (const rows of [1, 6]) outputs.push(await predict(model, rows));
    const { kernels } = await tf.profile(async () => outputs.push(await predict(model, 1)));
    model.dispose();
    results[backend] = { outputs, kernels, before, after: held(tf) };
  }
  const { webgpu, wasm } = results;
  const differences = webgpu.outputs.map((values, i) =>
    Math.max(...values.map((value, k) => Math.abs(value - wasm.outputs[i][k]))),
  );
  const count = (what) =>
    webgpu.kernels.reduce(
      (sum, { extraInfo }) => sum + Number(new RegExp(`${what}: (\\d+)`).exec(extraInfo)?.[1] ?? 0),
      0,
    );
  found[bits] = {
    differences,
    size: Math.max(...wasm.outputs[0].map(Math.abs)),
    names: webgpu.kernels.map(({ name }) => name),
    fallbacks: count('fallbacks'),
    downloads: count('downloads'),
    before: webgpu.before,
    after: webgpu.after,
  };
}
console.log(JSON.stringify(found));
process.exit(0);
