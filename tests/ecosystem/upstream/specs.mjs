// `node tests/ecosystem/upstream/specs.mjs [layers converter data] [--file NAME] [--grep TEXT]`: runs the specs of
// TensorFlow.js's layers, converter and data over Tenure's core and over TensorFlow.js's, each in a process of its own. The
// last release whose packages contain the source of their specs, in source maps, is 3.6.0; they test the current release.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { root, run } from '../../../cpp/toolchain/use.mjs';
import { usePeers } from '../../conformance/specs.mjs';
import { reasons } from './reasons.mjs';

const { positionals: asked, values: options } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', default: '' }, grep: { type: 'string', default: '' } },
});
const kNames = ['layers', 'converter', 'data'];
/** Specs of how the packages are built and published: their versions, and the converter's own lists of ops. */
const kOfTheirMaking = /^(version|metadata|operations\/op_list\/op_list)_test$/;
/** Helpers that specs share, from the specs' release. */
const kHelpers = /(^|\/)test_\w+|_fakes$/;

const folder = path.join(root, 'build/ecosystem/specs');
const peers = path.join(root, 'tests/conformance/node_modules');
const kCommonJs = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2020 };
/** Specs install spies on exports of modules, which ES modules forbid. */
const commonJs = {
  name: 'commonjs',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](specs[/\\].*\.ts|@tensorflow[/\\].*\.js)$/ }, ({ path: file }) => {
      const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions: kCommonJs });
      return { contents: outputText, loader: 'js' };
    });
  },
};
/** @type {import('esbuild').BuildOptions} */
const kBundle = {
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'cjs',
  logLevel: 'error',
  tsconfigRaw: '{}',
  nodePaths: [peers],
};

usePeers();
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'package.json'), '{"type": "commonjs"}\n');
await bundleTheirCore();
for (const name of kNames.filter((name) => asked.length === 0 || asked.includes(name))) {
  const bundle = await bundleSpecs(name);
  const [theirs, ours] = ['tfjs', 'tenure'].map((core) => runSpecs(bundle, core));
  report(name, theirs, ours);
}

function report(name, theirs, ours) {
  if (theirs.length === 0) throw new Error(`@tensorflow/tfjs-${name} has no specs of that name`);
  const passed = (specs) => specs.filter(({ status }) => status === 'passed');
  const [expected, found] = [passed(theirs), new Set(passed(ours).map(nameOf))];
  const known = reasons[name] ?? {};
  const failed = expected.filter((spec) => !found.has(nameOf(spec)));
  const unexplained = failed.filter((spec) => !(nameOf(spec) in known));
  const messages = new Map(ours.map((spec) => [nameOf(spec), spec.message]));
  for (const spec of unexplained) console.log(`${nameOf(spec)}\n  ${messages.get(nameOf(spec))}`);
  console.log(
    `@tensorflow/tfjs-${name}: ${theirs.length} specs, ${expected.length} pass over TensorFlow.js's core, of them ` +
      `${expected.length - failed.length} over Tenure's, ${failed.length - unexplained.length} fail for known reasons`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

/** Returns TensorFlow.js's core as one object, on which specs may install spies. */
function bundleTheirCore() {
  const lines = ['@tensorflow/tfjs-core', '@tensorflow/tfjs-core/dist/ops/ops_for_converter'].map(
    (name) => `export * from '${name}';`,
  );
  const effects = [
    'core/dist/public/chained_ops/register_all_chained_ops',
    'core/dist/register_all_gradients',
    'backend-cpu',
  ].map((name) => `import '@tensorflow/tfjs-${name}';`);
  return build({
    ...kBundle,
    stdin: { contents: [...lines, ...effects].join('\n'), resolveDir: peers },
    outfile: path.join(folder, 'tfjs.cjs'),
    plugins: [commonJs],
  });
}

function nameOf({ file, name }) {
  return `${file}: ${name}`;
}

/** Bundles one script for both cores, which it takes from `globalThis.tenure`. */
async function bundleSpecs(name) {
  const texts = writeTexts(name);
  const lines = readdirSync(texts, { recursive: true })
    .filter((file) => file.endsWith('_test.ts'))
    .sort()
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((file) => file.includes(options.file) && !kOfTheirMaking.test(file))
    .map(
      (file) =>
        `globalThis.conformance.begin('${file.replace(/_test$/, '')}', () => require('${path.join(texts, file)}'));`,
    );
  const outfile = path.join(folder, `${name}.cjs`);
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: texts },
    ...kBundle,
    outfile,
    plugins: [
      commonJs,
      { name: 'specs', setup: (hooks) => redirect(hooks, texts, path.join(peers, `@tensorflow/tfjs-${name}/dist`)) },
    ],
  });
  return outfile;
}

/** Writes the sources in 3.6.0's source maps into a folder, and returns the folder. */
function writeTexts(name) {
  const texts = path.join(folder, `tfjs-${name}`);
  const dist = path.join(peers, `tfjs-${name}-with-specs/dist`);
  for (const file of readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.js.map'))) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(path.join(dist, file), 'utf8'));
    if (sources.length !== 1) continue;
    const to = path.join(texts, file.replace(/\.js\.map$/, '.ts'));
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, sourcesContent[0]);
  }
  return texts;
}

/** Resolves specs to 3.6.0, their imports to the current release if it has them, and the core to a mutable object. */
function redirect({ onResolve, onLoad }, texts, today) {
  onResolve({ filter: /^@tensorflow\/tfjs(-core|-backend-\w+)?(\/|$)/ }, ({ path: module }) => {
    return { path: module.endsWith('/jasmine_util') ? 'conformance' : 'tenure', namespace: 'global' };
  });
  onLoad({ filter: /.*/, namespace: 'global' }, ({ path: name }) => ({
    contents: `module.exports = globalThis.${name};`,
    loader: 'js',
  }));
  onResolve({ filter: /^\.\.?\// }, ({ path: name, resolveDir, importer }) => {
    if (!importer.startsWith(texts) || kHelpers.test(name)) return;
    const module = path.join(today, path.relative(texts, path.resolve(resolveDir, name)));
    return [`${module}.js`, path.join(module, 'index.js')].filter(existsSync).map((file) => ({ path: file }))[0];
  });
}

function runSpecs(bundle, core) {
  const output = path.join(folder, `${path.basename(bundle, '.cjs')}_${core}.json`);
  run('node', ['--expose-gc', path.join(import.meta.dirname, 'player.mjs'), bundle, output, core, options.grep], {
    quiet: true,
  });
  return JSON.parse(readFileSync(output, 'utf8'));
}
