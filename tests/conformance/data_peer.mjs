// TensorFlow.js with its datasets and its CPU backend, loaded into this process.
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../cpp/toolchain/use.mjs';
import { usePeers } from './specs.mjs';

export async function loadDataPeer() {
  usePeers();
  const outfile = path.join(root, 'build/conformance/data_peer.cjs');
  await build({
    stdin: {
      contents: `
        import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
        import '@tensorflow/tfjs-backend-cpu';
        export * from '@tensorflow/tfjs-core';
        export * as data from '@tensorflow/tfjs-data/dist/index.js';`,
      resolveDir: path.join(root, 'tests/conformance'),
    },
    bundle: true,
    platform: 'node',
    external: ['node-fetch'],
    mainFields: ['module', 'main'],
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return createRequire(import.meta.url)(outfile);
}
