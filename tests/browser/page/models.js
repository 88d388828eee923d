import { held } from './common.mjs';

/**
 * Predicts with each model or graph from the golden inputs. Returns the difference from the golden outputs, relative to their
 * mean; Infinity if a shape differs.
 */
export async function checkModels(tf, names) {
  const results = [];
  for (const name of names) results.push({ name, ...(await checkModel(tf, `/models/${name}`)) });
  return results;
}

async function checkModel(tf, url) {
  const before = held(tf);
  const golden = await (await fetch(`${url}/golden.json`)).json();
  const { modelTopology } = await (await fetch(`${url}/model.json`)).json();
  const load = Array.isArray(modelTopology.node) ? tf.loadGraphModel : tf.loadLayersModel;
  const model = await load(`${url}/model.json`);
  const next = generator(42);
  const inputs = golden.inputs.map(({ shape, range }, i) => {
    const values = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () =>
      range === 1 ? next() : Math.floor(next() * range),
    );
    return tf.tensor(values, shape, model.inputs[i].dtype);
  });
  let worst = 0;
  for (let run = 0; run < 2; run++) {
    const outputs = [await model[golden.mode](inputs.length > 1 ? inputs : inputs[0])].flat();
    for (const [i, { shape, absmean, step, samples }] of golden.outputs.entries()) {
      const values = await outputs[i].data();
      if (String(outputs[i].shape) !== String(shape)) worst = Infinity;
      // Equal scores may come in any order.
      if (golden.shapesOnly) continue;
      samples.forEach((want, k) => {
        const difference = Math.abs(values[k * step] - want) / Math.max(absmean, 1e-6);
        if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference;
      });
    }
    tf.dispose(outputs);
  }
  tf.dispose([inputs, model]);
  return { worst, before, after: held(tf) };
}

/** Returns the generator of golden.json's inputs, from 0 to 1: linear congruential, x' = 1664525 x + 1013904223 (mod 2^32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
