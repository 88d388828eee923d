// Builds the npm package into dist/: `node web/build.mjs [--release-only] [--check]`.
// --check fails when the generated types in the repository are not what the build makes.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildPreset, root, run, usePackages, useToolchain } from '../cpp/toolchain/use.mjs';

const kMaxDownload = 310 * 1024;
const kViews = { HEAPU8: 'Uint8Array', HEAP32: 'Int32Array', HEAPU32: 'Uint32Array', HEAPF32: 'Float32Array' };
const releaseOnly = process.argv.includes('--release-only');
const check = process.argv.includes('--check');
const at = (...parts) => path.join(root, ...parts);

const variants = [
  { preset: 'wasm-release', folder: 'dist', debug: false },
  { preset: 'wasm-debug', folder: 'dist/debug', debug: true },
].filter(({ debug }) => !debug || !releaseOnly);

process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

if (!existsSync(at('build', 'wasm-release', 'tenure.wasm'))) {
  console.log('The first build compiles the engine: some six minutes on two cores, and more where the toolchain is installed.');
  console.log('The packed package, `npm install tenure`, needs no compiler.');
}
useToolchain('wasm');
usePackages();
run('node', ['web/generate.mjs', ...(check ? ['--check'] : [])], { quiet: true });

for (const { preset, folder } of variants) {
  await buildPreset(preset, { progress: true });
  mkdirSync(at(folder), { recursive: true });
  copyFileSync(at('build', preset, 'tenure.wasm'), at(folder, 'tenure.wasm'));
}
updateTypes();
await Promise.all(variants.map(bundle));
run('node', [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { quiet: true });
reportSizes();

/** The boundary's types, as Emscripten states them: committed, so that an editor needs no build. */
function updateTypes() {
  const file = at('web/src/generated/tenure.d.ts');
  const emitted = readFileSync(at('build/wasm-release/tenure.d.ts'), 'utf8')
    .replace(/^.*\n/, '// Generated from the C++ bindings by web/build.mjs. Do not edit.\n')
    // Emscripten calls every view of the heap `any`, also those that it does not export.
    .replace(/^.*let (HEAP\w+): any;\n/gm, (_, name) => (name in kViews ? `    let ${name}: ${kViews[name]};\n` : ''));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== emitted) {
    if (check) throw new Error('web/src/generated/tenure.d.ts is out of date: run `npm run build` and commit it');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, emitted);
  }
  mkdirSync(at('dist/generated'), { recursive: true });
  copyFileSync(file, at('dist/generated/tenure.d.ts'));
}

/** Two files: the package, and beside it Emscripten's glue, which finds tenure.wasm by import.meta.url. */
async function bundle({ preset, folder, debug }) {
  const { build } = await import('esbuild');
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: !debug,
    keepNames: debug,
    sourcemap: debug,
    legalComments: 'none',
    logLevel: 'warning',
    external: ['module', 'fs', 'path', 'url', 'crypto', 'worker_threads', 'node:*'],
  };
  const glue = {
    name: 'glue',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/tenure\.js$/ }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: './tenure.js', external: true },
      ),
  };
  await build({
    ...common,
    entryPoints: ['web/src/index.ts'],
    outfile: `${folder}/index.js`,
    plugins: [glue],
    define: { __DEBUG__: String(debug) },
  });
  await build({
    ...common,
    entryPoints: [`build/${preset}/tenure.js`],
    outfile: `${folder}/tenure.js`,
    sourcemap: false,
  });
  for (const name of ['index.js', 'tenure.js']) hideImports(at(folder, name));
}

/**
 * Bundlers for the browser must leave import() of Node's modules alone: to some its name has to be a variable, others
 * want a comment, and minifying would undo both.
 */
function hideImports(file) {
  const code = readFileSync(file, 'utf8');
  const hidden = '(name=>import(/* @vite-ignore *//* webpackIgnore: true */name))($1)';
  writeFileSync(file, code.replace(/\bimport\(("[\w:/]+")\)/g, hidden));
}

function reportSizes() {
  let total = 0;
  for (const name of ['index.js', 'tenure.js', 'tenure.wasm']) {
    const file = at('dist', name);
    const size = gzipSync(readFileSync(file), { level: 9 }).length;
    total += size;
    console.log(`dist/${name.padEnd(12)} ${kilobytes(statSync(file).size)}   gzip ${kilobytes(size)}`);
  }
  console.log(`${'download'.padEnd(17)} ${''.padStart(11)}   gzip ${kilobytes(total)}`);
  if (total > kMaxDownload) throw new Error(`the download is over ${kilobytes(kMaxDownload).trim()} gzipped`);
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(8)} KB`;
}
