// TensorFlow.js with its layers, in Node.
import { createRequire } from 'node:module';
import { usePeers } from '../../specs.mjs';

/** Loads the peer. `withMethods`: some of its layers use tensor methods, which its core has only if they are imported. */
export async function loadPeer({ withMethods = false } = {}) {
  usePeers();
  const require = createRequire(import.meta.url);
  const core = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-backend-cpu');
  const layers = require('@tensorflow/tfjs-layers');
  await core.setBackend('cpu');
  for (const name of withMethods ? ['flatten', 'stridedSlice', 'sign', 'transpose', 'reshape'] : []) {
    core.Tensor.prototype[name] ??= function (...args) {
      return name === 'flatten' ? core.reshape(this, [-1]) : core[name](this, ...args);
    };
  }
  return { ...core, ...layers, memory: core.memory };
}
