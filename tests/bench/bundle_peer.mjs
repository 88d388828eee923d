import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../cpp/toolchain/use.mjs';

/** Bundles the named parts of TensorFlow.js for a page as one minified module in `outfile`. */
export function bundlePeer(outfile, parts) {
  return bundlePackages(
    outfile,
    parts.map((part) => `@tensorflow/tfjs-${part}`),
  );
}

/** Bundles packages that are installed in `folder` as one minified module. */
export function bundlePackages(outfile, names, folder = path.join(root, 'tests/bench')) {
  return build({
    stdin: {
      contents: names.map((name) => `export * from '${name}';`).join('\n'),
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    platform: 'browser',
    // Node's modules that TensorFlow.js imports in branches that pages do not execute.
    external: ['fs', 'path', 'worker_threads', 'perf_hooks', 'os', 'util', 'string_decoder', 'crypto'],
    logLevel: 'error',
  });
}
