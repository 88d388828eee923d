// TensorFlow.js with its cpu backend, as one script.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { modified, root } from '../../../cpp/toolchain/use.mjs';
import { usePeers } from '../specs.mjs';

const at = (file) => path.join(root, 'tests/conformance', file);

/** Bundles TensorFlow.js for Node ('node') or pages ('browser'), unless the bundle exists; returns the file. */
export async function bundlePeer(platform) {
  usePeers();
  const outfile = path.join(root, 'build/conformance', platform === 'node' ? 'peer.cjs' : 'peer.mjs');
  if (existsSync(outfile) && modified(outfile) > modified(at('node_modules/.package-lock.json'))) return outfile;
  await build({
    stdin: {
      contents: `
        import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
        import '@tensorflow/tfjs-backend-cpu';
        export * from '@tensorflow/tfjs-core';`,
      resolveDir: at(''),
    },
    bundle: true,
    platform,
    mainFields: ['module', 'main'],
    format: platform === 'node' ? 'cjs' : 'esm',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** Returns TensorFlow.js in Node, on its cpu backend. */
export async function loadPeer() {
  const tf = createRequire(import.meta.url)(await bundlePeer('node'));
  await tf.setBackend('cpu');
  return tf;
}
