// Builds the npm package into dist/: `node web/build.mjs [--release-only] [--check]`.
// --check fails when the generated types in the repository are not what the build makes.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildPreset, root, run, usePackages, useToolchain } from '../cpp/toolchain/use.mjs';
import { partNames, split as splitEngine } from './parts.mjs';
import { customSection, fileOf, withSharedMemory } from './wasm_file.mjs';

/** Gzipped: what a page loads before its first op, the same with a GPU, and what graph models add. */
const kMost = { start: 290 * 1024, withGpu: 330 * 1024, graph: 53 * 1024 };
const kViews = { HEAPU8: 'Uint8Array', HEAP32: 'Int32Array', HEAPU32: 'Uint32Array', HEAPF32: 'Float32Array' };
const kNotice =
  "Tenure: the condition 'development', of a bundler or of Node, chose the debug build, which names the line that made each " +
  "tensor and takes some 19 µs for an op of 0.15 µs. 'tenure/release' in the place of 'tenure' is the release build, in the " +
  "import or as the bundler's alias; 'tenure/debug' is this one without this line.";
const releaseOnly = process.argv.includes('--release-only');
const check = process.argv.includes('--check');
const at = (...parts) => path.join(root, ...parts);
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

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

if (!releaseOnly) rmSync(at('dist'), { recursive: true, force: true });
/** Which engines the release build has: what of the toolchain's output is in each, and whether threads share its memory. */
const engines = {
  '': { from: 'tenure', shared: false },
  relaxed: { from: 'tenure.relaxed', shared: false },
  threads: { from: 'tenure', shared: true },
  'relaxed-threads': { from: 'tenure.relaxed', shared: true },
};
const named = (file, variant) => (variant ? file.replace('tenure.', `tenure.${variant}.`) : file);
/** What tells the wasm of a preset from others, as its script knows it. */
const builds = new Map();
for (const { preset, folder, debug } of variants) {
  await buildPreset(preset, { progress: true });
  mkdirSync(at(folder), { recursive: true });
  const files = debug ? { 'tenure.wasm': { bytes: readFileSync(at('build', preset, 'tenure.wasm')), variant: '' } } : engineFiles(preset);
  builds.set(preset, buildOf(Object.values(files).map(({ bytes }) => bytes)));
  for (const [file, { bytes, variant }] of Object.entries(files)) {
    const name = fileOf([customSection('tenure', `${builds.get(preset)} ${variant}`.trim())]).subarray(8);
    writeFileSync(at(folder, file), Buffer.concat([bytes, name]));
  }
}
updateTypes();
await Promise.all([...variants.map(bundle), bundleElement()]);
writeTypes();
writeProvenance();
reportSizes();

/** The files of all engines, each with its variant. One script is for all of them. */
function engineFiles(preset) {
  const script = (from) => readFileSync(at('build', preset, `${from}.js`), 'utf8').replaceAll(`${from}.wasm`, '');
  if (script('tenure') !== script('tenure.relaxed')) throw new Error("the engine with relaxed SIMD asks for another script than the one without");
  const split = {};
  return Object.fromEntries(Object.entries(engines).flatMap(([variant, { from, shared }]) => {
    split[from] ??= splitEngine(preset, from);
    return Object.entries(split[from]).map(([file, sections]) => {
      return [named(file, variant), { bytes: fileOf(shared ? withSharedMemory(sections) : sections), variant }];
    });
  }));
}

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
}

/** The entries of web/src/entries, each for its kind of program, around one package. */
async function bundle({ preset, folder, debug }) {
  const { build, transformSync } = await import('esbuild');
  const common = {
    absWorkingDir: root,
    bundle: true,
    target: 'es2022',
    keepNames: debug,
    sourcemap: debug,
    legalComments: 'none',
    logLevel: 'warning',
    define: { __DEBUG__: String(debug), __NODE__: 'false', __VERSION__: JSON.stringify(version) },
  };
  const glue = at('build', preset, 'glue.js');
  // It gets its wasm from runtime/loader.ts, and has to know nothing of where it runs.
  await build({
    ...common,
    entryPoints: [`build/${preset}/tenure.js`],
    outfile: glue,
    format: 'esm',
    sourcemap: false,
    inject: ['web/src/runtime/text_decoder.ts'],
    define: { process: 'undefined', window: 'globalThis', TextDecoder: 'HeapTextDecoder', 'import.meta.url': '""' },
  });
  const wasm = readFileSync(wholeOf(folder, debug));
  common.define.__BUILD__ = JSON.stringify(builds.get(preset));
  const engine = (inlined) => ({
    name: 'engine',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/generated\/tenure\.js$/ }, () => ({ path: glue }));
      onResolve({ filter: /^tenure:wasm$/ }, () => (inlined ? { path: inlined, external: true } : { path: 'wasm', namespace: 'wasm' }));
      onLoad({ filter: /^wasm$/, namespace: 'wasm' }, () => ({ contents: `export default ${asBase64(wasm)};` }));
    },
  });
  const make = ({ inlined, ...options }) => build({ ...common, ...options, plugins: [engine(inlined)] });
  const entry = (name) => `web/src/entries/${name}.ts`;

  if (!debug) writeWorker(folder, transformSync);
  writeFileSync(at(folder, 'tenure.wasm.js'), `export default ${asText(wasm)};\n`);
  writeFileSync(at(folder, 'tenure.wasm.cjs'), `module.exports = ${asText(wasm)};\n`);
  if (debug) writeChosen(folder);
  const script = { format: 'iife', globalName: 'tf', minify: true };
  await Promise.all([
    make({ entryPoints: ['index', 'no_await'].map(entry), outdir: folder, format: 'esm', minify: !debug }),
    make({ entryPoints: [entry('inlined')], outdir: folder, format: 'esm', inlined: './tenure.wasm.js' }),
    make({ entryPoints: [entry('inlined')], outfile: `${folder}/inlined.cjs`, format: 'cjs', inlined: './tenure.wasm.cjs' }),
    make({ entryPoints: [entry('node')], outfile: `${folder}/node.cjs`, format: 'cjs', platform: 'node', define: { ...common.define, __NODE__: 'true' } }),
    makeAlias({ ...common, sourcemap: false }, folder, debug),
    ...(debug ? [] : [
      make({ ...script, entryPoints: [entry('script')], outfile: `${folder}/tenure.min.js` }),
      make({ ...script, entryPoints: [entry('inlined')], outfile: `${folder}/tenure.single.min.js` }),
    ]),
  ]);
  if (debug) shareSourceMap(folder);
  else await Promise.all(['index.js', 'no_await.js', 'tenure.min.js'].map((file) => shorten(path.join(folder, file))));
  writeNodeEntry(folder);
  writeNodeEntry(`${folder}/tfjs`);
  if (debug) writeNodeEntry(`${folder}/chosen`, folder);
}

/** Minifies once more what pages load: a twenty-fifth less to download than esbuild makes alone. */
async function shorten(file) {
  const options = ['--compress', 'ecma=2022', '--mangle', ...(file.endsWith('.min.js') ? [] : ['--module'])];
  await promisify(execFile)(process.execPath, [at('node_modules/terser/bin/terser'), at(file), ...options, '--output', at(file)]);
}

/**
 * What an import in Node gets: what require() gives, so that both have one engine. By its names, and by way of a file that
 * tells none, for Node reads the whole of a CommonJS file that is imported to find them: that takes longer than all else.
 */
function writeNodeEntry(folder, named = folder) {
  const listing = `JSON.stringify(Object.keys(require(${JSON.stringify(at(named, 'node.cjs'))})))`;
  const names = JSON.parse(execFileSync(process.execPath, ['-p', listing], { encoding: 'utf8' }));
  writeFileSync(at(folder, 'node_package.cjs'), "exports.tf = require('./node.cjs');\n");
  writeFileSync(at(folder, 'node.js'), `import { tf } from './node_package.cjs';\nexport const {\n  ${names.join(',\n  ')},\n} = tf;\n`);
}

/** `tenure/tfjs` around each of the entries, whose engine it shares. */
async function makeAlias(common, folder, debug) {
  const { build } = await import('esbuild');
  const around = (file, options) => {
    const package_ = debug ? `../chosen/${file}` : `../${file}`;
    const external = {
      name: 'package',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\.?\// }, ({ path: name, importer }) => {
          if (name === '../index.js') return { path: package_, external: true };
          const target = path.resolve(path.dirname(importer), name);
          if (!target.startsWith(at('web/src/tfjs'))) throw new Error(`${importer}: a second copy of ${name} would be made`);
        });
      },
    };
    return build({ ...common, ...options, entryPoints: ['web/src/tfjs/index.ts'], outfile: `${folder}/tfjs/${file}`, plugins: [external] });
  };
  await Promise.all([
    ...['index.js', 'no_await.js', 'inlined.js'].map((file) => around(file, { format: 'esm' })),
    around('inlined.cjs', { format: 'cjs' }),
    around('node.cjs', { format: 'cjs', platform: 'node' }),
  ]);
}

/** `<tenure-memory>`, which knows no engine but that of its page. */
async function bundleElement() {
  const { build } = await import('esbuild');
  for (const [format, outfile] of [['esm', 'dist/memory.js'], ['cjs', 'dist/memory.cjs']]) {
    await build({ absWorkingDir: root, entryPoints: ['web/src/memory_element/index.ts'], outfile, format, bundle: true, target: 'es2022', minify: true, logLevel: 'warning' });
  }
}

function buildOf(files) {
  return createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 8);
}

/** The engine in one file. */
function wholeOf(folder, debug) {
  return at(folder, debug ? 'tenure.wasm' : 'tenure.whole.wasm');
}

/** What workers of pages run. */
function writeWorker(folder, transformSync) {
  const { code } = transformSync(readFileSync(at('web/src/runtime/worker_code.ts'), 'utf8'), { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('module', code)(module);
  writeFileSync(at(folder, 'tenure.worker.js'), transformSync(module.exports.kPageWorker, { minify: true }).code);
}

/** Lets the entry that waits and the one that does not have one source map: but for the entries themselves they are the same. */
function shareSourceMap(folder) {
  const [own, other] = ['no_await.js', 'index.js'].map((name) => readFileSync(at(folder, name), 'utf8'));
  const shared = own.slice(0, own.lastIndexOf('\n// web/src/entries/'));
  if (!shared || !other.startsWith(shared)) throw new Error(`${folder}/no_await.js and index.js differ before their entries`);
  writeFileSync(at(folder, 'no_await.js'), own.replace('sourceMappingURL=no_await.js.map', 'sourceMappingURL=index.js.map'));
  rmSync(at(folder, 'no_await.js.map'));
}

/** The same builds for those whom a condition gave them, who are told. */
function writeChosen(folder) {
  const chosen = path.join(folder, 'chosen');
  mkdirSync(at(chosen), { recursive: true });
  // In Node what a program prints is its own.
  const notice =
    `const notice = ${JSON.stringify(kNotice)};\n` +
    'const { process } = globalThis;\nprocess?.stderr ? process.stderr.write(`${notice}\\n`) : console.info(notice);\n';
  writeFileSync(at(chosen, 'notice.js'), notice);
  for (const name of ['index.js', 'no_await.js', 'inlined.js']) {
    writeFileSync(at(chosen, name), `import './notice.js';\nexport * from '../${name}';\n`);
  }
  for (const name of ['inlined.cjs', 'node.cjs']) writeFileSync(at(chosen, name), `${notice}module.exports = require('../${name}');\n`);
}

/**
 * A function that gives the bytes, as text of characters below 256: a fiftieth longer than the file when both are
 * compressed, where base64 is a third longer. The bytes that are met most have the characters that are one byte of UTF-8.
 */
function asText(bytes) {
  const met = new Array(256).fill(0);
  for (const byte of bytes) met[byte]++;
  const escapes = new Map([[0, '\\0'], [10, '\\n'], [13, '\\r'], [34, '\\"'], [92, '\\\\']]);
  const all = Array.from({ length: 256 }, (_, i) => i);
  const characters = [...all.filter((code) => !escapes.has(code)), ...escapes.keys()];
  const byCount = all.toSorted((a, b) => met[b] - met[a]);
  const written = [];
  const table = [];
  byCount.forEach((byte, i) => {
    written[byte] = escapes.get(characters[i]) ?? String.fromCharCode(characters[i]);
    table[characters[i]] = byte;
  });
  // No digit may follow \0, which would make an octal escape of both.
  const text = Array.from(bytes, (byte) => written[byte]).join('').replace(/\\0(?=\d)/g, '\\x00').replace(/<\//g, '<\\/');
  return `() => {
  const text = "${text}";
  const table = [${table}];
  if (text.length !== ${bytes.length}) throw new Error('The script was not read as UTF-8: <meta charset="utf-8"> belongs into the page');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = table[text.charCodeAt(i)];
  return bytes;
}`;
}

/** The same for scripts, in ASCII: a page may read them in any character set. */
function asBase64(bytes) {
  return `() => Uint8Array.from(atob("${bytes.toString('base64')}"), (character) => character.charCodeAt(0))`;
}

/** The types, for programs that are modules and for those that are not. */
function writeTypes() {
  run('node', [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { quiet: true });
  mkdirSync(at('dist/types/generated'), { recursive: true });
  copyFileSync(at('web/src/generated/tenure.d.ts'), at('dist/types/generated/tenure.d.ts'));
  // What bundlers make of the file, which is data to them.
  writeFileSync(at('dist/types/wasm.d.ts'), 'declare const url: string;\nexport default url;\n');
  cpSync(at('dist/types'), at('dist/types_cjs'), { recursive: true });
  writeFileSync(at('dist/types_cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** What the wasm was made by and with, and what came of it. */
function writeProvenance() {
  copyFileSync(at('node_modules/jpeg-js/LICENSE'), at('dist/LICENSE.jpeg-js'));
  const files = variants.flatMap(({ preset, folder, debug }) => {
    const wholes = debug ? ['tenure.wasm'] : Object.keys(engines).map((variant) => named('tenure.whole.wasm', variant));
    return wholes.map((name) => ({ preset, debug, file: path.join(folder, name) }));
  });
  const builds = files.map(({ preset, debug, file }) => {
    const ninja = readFileSync(at('build', preset, 'build.ninja'), 'utf8');
    const values = (name) => [...new Set([...ninja.matchAll(new RegExp(`^  ${name} = (.*)$`, 'gm'))].map(([, value]) => value))];
    const publicly = (flags) => flags.replaceAll(root, './').replace(/\S*\/tenure\/toolchain\//g, '').replace(/\$:/g, ':').trim();
    const wasm = readFileSync(at(file));
    return {
      file,
      debug,
      bytes: wasm.length,
      gzip: gzipped(wasm),
      sha256: createHash('sha256').update(wasm).digest('hex'),
      compile: values('FLAGS').map(publicly),
      link: values('LINK_FLAGS').map(publicly),
    };
  });
  const emcc = run(process.env.EMCC, ['--version'], { quiet: true }).split('\n')[0].replace(/\S*\//g, '');
  const clang = run(process.env.EMCC, ['-v'], { quiet: true }).match(/clang version \S+/)?.[0];
  writeFileSync(at('dist/provenance.json'), `${JSON.stringify({ version, emcc, clang, builds }, null, 2)}\n`);
}

function reportSizes() {
  const sizeOf = (files) => {
    const sizes = files.map((name) => gzipped(readFileSync(at('dist', name))));
    files.forEach((name, i) => {
      console.log(`dist/${name.padEnd(18)} ${kilobytes(statSync(at('dist', name)).size)}   gzip ${kilobytes(sizes[i])}`);
    });
    return sizes.reduce((sum, size) => sum + size);
  };
  const start = sizeOf(['index.js', 'tenure.wasm']);
  console.log(`${'download at start'.padEnd(23)} ${''.padStart(11)}   gzip ${kilobytes(start)}`);
  const [graph, gpu] = ['graph', 'webgl'].map((part) => sizeOf([`tenure.${part}.wasm`]));
  sizeOf(partNames.filter((part) => !['graph', 'webgl'].includes(part)).map((part) => `tenure.${part}.wasm`));
  for (const [name, size] of Object.entries({ start, withGpu: start + gpu, graph })) {
    if (size > kMost[name]) throw new Error(`the download "${name}" of ${kilobytes(size).trim()} is over ${kilobytes(kMost[name]).trim()} gzipped`);
  }
}

function gzipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(8)} KB`;
}
