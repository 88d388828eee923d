// Measures one model in one engine, for Node and pages. The engines have the API of onnxruntime-web.
import { timeCalls } from '../timing.mjs';

const kWarmUpMs = 300;
const kMaxValues = 4096;

function sample(data) {
  const stride = Math.ceil(data.length / kMaxValues);
  return Array.from(data, Number).filter((_, i) => i % stride === 0);
}

/**
 * Returns what answers the requests of run.mjs. `load` imports an engine; `getModel` returns the model that a request names, as
 * makeModel() has it; `peak` returns a peak of bytes, or undefined.
 */
export function answersFor({ load, getModel, peak }) {
  let session;
  let call;
  return {
    /**
     * Loads the engine and a model, and runs it. Returns the milliseconds of all that, and some values of each output. The
     * engines load their wasm at different times: when they are imported, or with the first session.
     */
    async prepare(model) {
      const { bytes, feeds } = await getModel(model);
      const start = performance.now();
      const ort = await load();
      const tensors = Object.fromEntries(
        Object.entries(feeds).map(([key, { type, values, shape }]) => [key, new ort.Tensor(type, values, shape)]),
      );
      session = await ort.InferenceSession.create(bytes, {
        executionProviders: ['wasm'],
        graphOptimizationLevel: 'all',
      });
      call = () => session.run(tensors);
      const results = await call();
      const first = performance.now() - start;
      return { first, outputs: session.outputNames.map((output) => sample(results[output].data)) };
    },
    warmUp: () => timeCalls(call, kWarmUpMs),
    sample: (budgetMs) => timeCalls(call, budgetMs),
    peak,
    end: () => session.release(),
  };
}
