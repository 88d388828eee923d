// Bundles packages written for TensorFlow.js, with Tenure in its place.
import path from 'node:path';
import { build } from 'esbuild';
import { root, usePackages, useTestPackages } from '../../cpp/toolchain/use.mjs';

/** Returns a path inside this folder. */
export const at = (...parts) => path.join(root, 'tests/ecosystem', ...parts);

const kPackages = [
  '',
  '-core',
  '-layers',
  '-converter',
  '-data',
  '-backend-cpu',
  '-backend-webgl',
  '-backend-wasm',
  '-backend-webgpu',
];

/** Returns the alias of all TensorFlow.js packages except those named, such as `layers`. */
export function aliasesBut(...kept) {
  const names = kPackages.filter((name) => !kept.includes(name.slice(1)));
  return Object.fromEntries(names.map((name) => [`@tensorflow/tfjs${name}`, 'tenure/tfjs']));
}

/** Installs the packages if they are missing or older than their lock file. */
export function useEcosystem() {
  usePackages();
  useTestPackages('tests/ecosystem', '--legacy-peer-deps');
}

/** Resolves imports of TensorFlow.js to the package in dist/, one instance for all bundles of a program in Node. */
function instead(alias) {
  return {
    name: 'tenure',
    setup({ onResolve }) {
      onResolve({ filter: /^(@tensorflow\/tfjs|tenure)/ }, ({ path: name }) => {
        const [first, second] = name.split('/');
        const target = alias[`${first}/${second}`] ?? name;
        if (target.startsWith('tenure'))
          return {
            path: path.join(root, target === 'tenure' ? 'dist/node.cjs' : 'dist/tfjs/node.cjs'),
            external: true,
          };
      });
    },
  };
}

/** Bundles `contents` for Node, with packages that are installed in the folder `from`. */
export async function bundle(contents, outfile, { alias = aliasesBut(), from = at(), ...options } = {}) {
  await build({
    stdin: { contents, resolveDir: from },
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'cjs',
    outfile,
    logLevel: 'silent',
    plugins: [instead(alias)],
    ...options,
  });
}
