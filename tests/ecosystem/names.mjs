// Finds the names of TensorFlow.js that a package uses and Tenure does not have.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../cpp/toolchain/use.mjs';
import { at } from './bundle.mjs';

const kImport = /@tensorflow\/tfjs(-core|-layers|-converter|-data|-backend-(cpu|wasm|webgl|webgpu))?(\/|$)/;

/** Returns `{ missing, files }`: the names, and the number of the package's files that import TensorFlow.js. */
export async function missingNames(contents, { external = [] } = {}) {
  const tenure = {
    name: 'tenure',
    setup({ onResolve }) {
      onResolve({ filter: /^@tensorflow\/tfjs/ }, ({ path: name }) =>
        kImport.test(name) ? { path: path.join(root, 'dist/tfjs/inlined.js') } : undefined,
      );
      onResolve({ filter: /^\.\.\/inlined\.js$/ }, () => ({ path: path.join(root, 'dist/inlined.js') }));
      onResolve({ filter: /^\.\/tenure\.wasm\.js$/ }, ({ path: name }) => ({ path: name, external: true }));
    },
  };
  const options = {
    stdin: { contents, resolveDir: at() },
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    format: 'esm',
  };
  const more = {
    platform: 'browser',
    mainFields: ['module', 'main'],
    plugins: [tenure],
    external: [...kNode, ...external],
  };
  const { warnings, errors, metafile } = await build({ ...options, ...more }).catch(({ warnings, errors }) => ({
    warnings,
    errors,
  }));
  const texts = [...warnings, ...errors].filter(
    ({ id, text }) => id === 'import-is-undefined' || /No matching export|Could not resolve/.test(text),
  );
  const missing = texts.map(({ text }) => /(?:import|resolve) "([^"]+)"/.exec(text)?.[1] ?? text);
  const inputs = Object.entries(metafile?.inputs ?? {}).filter(([, { imports }]) =>
    imports.some(({ original }) => kImport.test(original ?? '')),
  );
  const tf = createRequire(import.meta.url)(path.join(root, 'dist/tfjs/node.cjs'));
  for (const [file] of inputs) missing.push(...missingIn(readFileSync(path.resolve(file), 'utf8'), tf));
  return { missing: [...new Set(missing)].sort(), files: inputs.length };
}

/** Modules that programs for Node require after a check for Node. */
const kNode = [
  'fs',
  'path',
  'util',
  'crypto',
  'os',
  'worker_threads',
  'perf_hooks',
  'string_decoder',
  'buffer',
  'url',
  'http',
  'https',
  'zlib',
  'stream',
];

/** Returns the missing `name` and `space.name` of a CommonJS file, whose imports bundlers do not check. */
function missingIn(text, tf) {
  const code = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = [];
  for (const [, variable] of code.matchAll(
    /([\w$]+)\s*=\s*(?:[\w$.]+\()*require\(["']@tensorflow\/tfjs[^"']*["']\)/g,
  )) {
    const uses = new RegExp(
      `(?<![\\w$.])${variable.replace(/\$/g, '\\$')}(?:__namespace)?\\.([A-Za-z_]\\w*)(?:\\.([A-Za-z_]\\w*))?`,
      'g',
    );
    for (const [, name, member] of code.matchAll(uses)) {
      if (name === 'default' || name === '__esModule') continue;
      if (!(name in tf)) found.push(name);
      else if (member && typeof tf[name] === 'object' && !(member in tf[name])) found.push(`${name}.${member}`);
    }
  }
  return found;
}
