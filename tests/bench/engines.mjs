import { eagerEngine } from './eager.mjs';
import { ortEngine } from './ort.mjs';

async function tensorflow(backend) {
  const core = await import('@tensorflow/tfjs-core');
  const layers = await import('@tensorflow/tfjs-layers');
  const converter = await import('@tensorflow/tfjs-converter');
  core.enableProdMode();
  if (backend === 'wasm') {
    const { setThreadsCount } = await import('@tensorflow/tfjs-backend-wasm');
    setThreadsCount(1);
  } else {
    await import('@tensorflow/tfjs-backend-cpu');
  }
  await core.setBackend(backend);
  await core.ready();
  return eagerEngine({ ...core, ...layers, ...converter });
}

async function tenure() {
  const tf = await import('../../dist/index.js');
  await tf.ready();
  return eagerEngine(tf);
}

/** `tinyOnly`: TensorFlow.js users get its plain JavaScript backend for small work alone. */
export const engines = {
  'tenure': { start: tenure },
  'tfjs wasm': { start: () => tensorflow('wasm') },
  'tfjs cpu': { start: () => tensorflow('cpu'), tinyOnly: true },
  'ort wasm': { start: ortEngine },
};
