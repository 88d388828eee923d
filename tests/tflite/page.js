// Runs models with LiteRT.js: those of cases.json, each { file, inputs: [{ shape, type, values }] }. A result is the list of the
// outputs' values, or the text of an error.
import { loadAndCompile, loadLiteRt, Tensor } from '/litert/litert.js';
import { show } from '/page/show.js';

const kArrays = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array };

async function run({ file, inputs }) {
  const bytes = new Uint8Array(await (await fetch(`/models/${file}`)).arrayBuffer());
  const model = await loadAndCompile(bytes, { accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
  try {
    const tensors = inputs.map(({ shape, type, values }) => new Tensor(kArrays[type].from(values), shape));
    const results = await model.run(tensors);
    return results.map((result) => Array.from(result.toTypedArray()));
  } finally {
    model.delete();
  }
}

await loadLiteRt('/litert_wasm/', { threads: false });
const cases = await (await fetch('/models/cases.json')).json();
const results = [];
for (const one of cases) results.push(await run(one).catch((error) => String(error)));
show(results);
