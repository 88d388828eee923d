// TensorFlow.js with its layers, in Node.
import { createRequire } from 'node:module';
import { usePeers } from '../../specs.mjs';

export async function loadPeer() {
  usePeers();
  const require = createRequire(import.meta.url);
  const core = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-backend-cpu');
  const layers = require('@tensorflow/tfjs-layers');
  await core.setBackend('cpu');
  return { ...core, ...layers, memory: core.memory };
}
