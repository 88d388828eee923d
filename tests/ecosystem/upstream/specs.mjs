// `node tests/ecosystem/upstream/specs.mjs CHECKOUT [layers converter data] [--file NAME] [--grep TEXT]`: the specs of
// TensorFlow.js's layers, converter and data, which are not published, of a checkout of tfjs-v4.22.0, over Tenure's core.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { findFiles, root, run } from '../../../cpp/toolchain/use.mjs';
import { usePeers } from '../../conformance/specs.mjs';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', default: '' }, grep: { type: 'string', default: '' } },
});
const [checkout, ...asked] = positionals;
if (!checkout || !existsSync(path.join(checkout, 'tfjs-layers'))) {
  console.log(`expected a folder with a checkout of TensorFlow.js, got ${checkout}`);
  process.exit(2);
}
/** One object, on which specs may put spies. */
const core = {
  name: 'core',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@tensorflow\/tfjs(-core|-backend-\w+)?(\/|$)/ }, () => ({ path: 'tfjs', namespace: 'tenure' }));
    onLoad({ filter: /.*/, namespace: 'tenure' }, () => ({ contents: 'module.exports = globalThis.tenure;', loader: 'js' }));
  },
};

const folder = path.join(root, 'build/ecosystem');
mkdirSync(folder, { recursive: true });
usePeers();
for (const name of asked.length > 0 ? asked : ['layers', 'converter', 'data']) {
  const specs = await runSpecs(name);
  const failed = specs.filter(({ status }) => status !== 'passed');
  for (const { file, name: spec, message } of failed) console.log(`${file}: ${spec}\n  ${message}`);
  console.log(`@tensorflow/tfjs-${name}: ${specs.length - failed.length} of ${specs.length} specs pass`);
}

async function runSpecs(name) {
  const source = path.join(checkout, `tfjs-${name}`, 'src');
  const files = findFiles(path.relative(root, source), /_test\.ts$/).filter((file) => file.includes(options.file));
  const bundle = path.join(folder, `specs_${name}.cjs`);
  const lines = files.map((file) => {
    const short = path.relative(source, path.resolve(root, file)).replace(/_test\.ts$/, '');
    return `globalThis.conformance.begin(${JSON.stringify(short)}, () => require(${JSON.stringify(path.resolve(root, file))}));`;
  });
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: path.join(root, 'tests/conformance') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: bundle,
    logLevel: 'error',
    tsconfigRaw: '{}',
    nodePaths: [path.join(root, 'tests/conformance/node_modules')],
    plugins: [core],
  });
  const output = path.join(folder, `specs_${name}.json`);
  run('node', ['--expose-gc', path.join(import.meta.dirname, 'player.mjs'), bundle, output, options.grep], { quiet: true });
  return JSON.parse(readFileSync(output, 'utf8'));
}
