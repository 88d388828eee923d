// Selects which of TensorFlow.js's published specs run, and substitutes the package for TensorFlow.js in them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root, usePackages, useTestPackages } from '../../cpp/toolchain/use.mjs';

const kCore = 'tests/conformance/node_modules/@tensorflow/tfjs-core/dist';

/** Tests of TensorFlow.js's internals, which do not concern its users. */
const kInternal = [
  /^(backends|platforms|io)\//,
  /^(debug_mode|engine|environment|flags|kernel_registry|profiler|serialization|tape)_test/,
  /(^|_)util_test/,
  /(^|\/)types_test/,
];

/** Modules of TensorFlow.js that the package under test replaces. */
const kPublic = new RegExp(
  `^(index|globals|tensor|ops/ops|optimizers/sgd_optimizer|public/chained_ops/\\w+|` +
    `ops/(scalar|tensor[1-6]d|bitwise_and|ensure_shape|gather_nd))$`,
);

/** TensorFlow.js's own test_util and similar modules query these, and do without a platform if none is set. */
const kPlatform = `require('./${kCore}/engine.js'); require('./${kCore}/flags.js'); require('./${kCore}/environment.js').env().setPlatform('conformance', platform);`;

/** Installs TensorFlow.js and Jasmine if they are missing or older than their lock file. */
export function usePeers() {
  usePackages();
  useTestPackages('tests/conformance', '--legacy-peer-deps');
}

/** Returns the spec files, such as `ops/abs`, whose names contain `part`. */
export function specFiles(part = '') {
  return readdirSync(path.join(root, kCore), { recursive: true })
    .filter((file) => /_test\.js$/.test(file) && !kInternal.some((pattern) => pattern.test(file)))
    .map((file) => file.replace(/_test\.js$/, ''))
    .filter((file) => file.includes(part))
    .sort();
}

/** Writes a script that declares the specs of these files to Jasmine, for the package in `globalThis.tenure`. */
export function bundleSpecs(files, outfile) {
  const lines = files.map((file) => `begin(${JSON.stringify(file)}, () => require('./${kCore}/${file}_test.js'));`);
  return build({
    absWorkingDir: root,
    stdin: {
      contents: [`const { begin, platform } = require('shim:begin');`, kPlatform, ...lines].join('\n'),
      resolveDir: root,
    },
    bundle: true,
    format: 'iife',
    outfile,
    logLevel: 'error',
    sourcemap: false,
    plugins: [{ name: 'tenure', setup: redirect }],
  });
}

/** Shims are CommonJS modules, so that a missing name is undefined only where it is used. */
const shims = {
  tenure: 'module.exports = globalThis.tenure;',
  begin: 'module.exports = globalThis.conformance;',
  jasmine_util: 'module.exports = globalThis.conformance;',
  engine: 'module.exports = { get ENGINE() { return globalThis.tenure.engine(); } };',
};

function redirect({ onResolve, onLoad }) {
  onResolve({ filter: /^shim:/ }, ({ path: name }) => ({ path: name.slice(5), namespace: 'shim' }));
  onResolve({ filter: /^\.\.?(\/|$)/ }, ({ path: name, resolveDir, importer }) => {
    const folder = path.join(root, kCore);
    const module = path.relative(folder, path.resolve(resolveDir, name)) || 'index';
    if (module === 'jasmine_util') return { path: 'jasmine_util', namespace: 'shim' };
    const isTest = /_test(_util)?\.js$|[/\\]test_util\.js$/.test(importer);
    if (!isTest) return;
    if (module === 'engine') return { path: 'engine', namespace: 'shim' };
    if (kPublic.test(module)) return { path: 'tenure', namespace: 'shim' };
  });
  onLoad({ filter: /.*/, namespace: 'shim' }, ({ path: name }) => ({ contents: shims[name], loader: 'js' }));
}
