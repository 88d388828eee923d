// Loads a model on the npm package 'webgpu', whose folder is the first argument, in an environment that the second one names:
// 'page' is a page that emulates Node, without shared memory, and 'endless' one where no pipeline is
// ever compiled. Prints a prediction.
import { createRequire } from 'node:module';

const [, , library, environment] = process.argv;
const { create } = createRequire(import.meta.url)(library);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
const { SharedArrayBuffer } = globalThis;
if (environment === 'page') Object.assign(globalThis, { document: {}, SharedArrayBuffer: undefined });
const { tf } = await import('../expect.mjs');
await tf.init({ gpu: globalThis.gpu });
await tf.setBackend('webgpu');
tf.env().set('WEBGL_CPU_FORWARD', false);

const { graph, node, placeholder } = await import('../models/graphs.mjs');
const artifacts = graph([placeholder('x', [1, 4]), node('y', 'Tanh', ['x'])]);
const { device } = tf.backend();
if (environment === 'endless') {
  device.createComputePipelineAsync = () => new Promise(() => {});
  void tf.loadGraphModel({ load: async () => artifacts });
  await tf.nextFrame();
  console.log(JSON.stringify('ended'));
} else {
  const model = await tf.loadGraphModel({ load: async () => artifacts });
  Object.assign(globalThis, { SharedArrayBuffer });
  const y = model.predict(tf.zeros([1, 4]));
  console.log(JSON.stringify([...(await y.data())]));
}
