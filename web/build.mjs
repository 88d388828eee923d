// Builds the npm package into dist/: `node web/build.mjs [--quick] [--release-only] [--check] [--dwarf]`.
// --quick links without the optimizations that only make the engine smaller, and leaves out the variant with relaxed SIMD: for
// local builds, not for publishing. --check fails if the generated files in the repository differ from the build's.
// --dwarf compiles the debug build with debug information, for stepping through C++.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildPreset, prepare, root, run } from '../cpp/toolchain/use.mjs';
import { split as splitEngine } from './parts.mjs';
import { customSection, fileOf } from './wasm_file.mjs';

/** Maximum gzipped bytes: what a page loads before its first op, the same with a GPU, and what kinds of models and devices add. */
const kMaxDownload = { start: 299 * 1024, withGpu: 353 * 1024, graph: 62 * 1024, tflite: 25 * 1024, webgpu: 60 * 1024 };
const kViews = { HEAPU8: 'Uint8Array', HEAP32: 'Int32Array', HEAPU32: 'Uint32Array', HEAPF32: 'Float32Array' };
const { values: flags } = parseArgs({
  options: Object.fromEntries(
    ['quick', 'release-only', 'check', 'dwarf'].map((name) => [name, { type: 'boolean', default: false }]),
  ),
});
const { quick, check } = flags;
const at = (...parts) => path.join(root, ...parts);
const { version, homepage } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const guide = homepage
  ? new URL('guide/finding-a-leak', homepage).href
  : "'Find the leak' in node_modules/tenure/README.md";
const kPreset = 'wasm-release';
/** The builds of the package: where its programs are linked, and the program of a debug build. */
const linked = quick ? `build/${kPreset}/quick` : `build/${kPreset}`;
const builds = [
  { folder: 'dist', debug: false, linked, engine: 'tenure' },
  flags.dwarf
    ? { folder: 'dist/debug', debug: true, linked: 'build/wasm-debug', engine: 'tenure' }
    : { folder: 'dist/debug', debug: true, linked, engine: 'tenure.debug' },
].filter(({ debug }) => !debug || !flags['release-only']);

process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

if (!existsSync(at(linked, 'tenure.wasm'))) {
  console.log(
    'The first build compiles the engine, which takes one to three minutes on two cores, after the compiler is there.',
  );
  console.log('The packed package, `npm install tenure`, needs no compiler.');
}
const started = Date.now();
await prepare('wasm');
const prepared = Date.now();
run('node', ['web/generate.mjs', ...(check ? ['--check'] : [])], { quiet: true });
const programs = ['wasm', ...(flags['release-only'] || flags.dwarf ? [] : ['debug_wasm'])];
await buildPreset(kPreset, {
  progress: true,
  targets: programs.map((name) => `tenure${quick ? '_quick' : ''}_${name}`),
});
if (flags.dwarf) await buildPreset('wasm-debug', { progress: true });
const compiled = Date.now();

rmSync(at('dist'), { recursive: true, force: true });
for (const build of builds) writeEngines(build);
// The debug build states the types.
if (!quick && programs.includes('debug_wasm')) updateTypes();
// Loaded now, because the packages that it imports may have been installed above.
const { bundle, bundleElement } = await import('./bundle.mjs');
await Promise.all([writeTypes(), ...builds.map((build) => bundle(build, { quick, version, guide })), bundleElement()]);
writeProvenance();
reportSizes();
const seconds = (from, to) => `${((to - from) / 1000).toFixed(0)} s`;
console.log(
  `compiler and packages ${seconds(started, prepared)}, compiling ${seconds(prepared, compiled)}, packaging ${seconds(compiled, Date.now())}`,
);

/** Writes a build's wasm files. `id` becomes a hash of them, which the build's script checks. */
function writeEngines(build) {
  const { folder, debug, linked, engine } = build;
  mkdirSync(at(folder), { recursive: true });
  const files = debug
    ? { 'tenure.wasm': readFileSync(at(linked, `${engine}.wasm`)) }
    : mapValues(splitEngine(kPreset, linked, engine), fileOf);
  build.id = buildOf(Object.values(files));
  const name = fileOf([customSection('tenure', build.id)]).subarray(8);
  for (const [file, bytes] of Object.entries(files)) writeFileSync(at(folder, file), Buffer.concat([bytes, name]));
  build.files = Object.keys(files).filter((file) => file !== 'tenure.whole.wasm');
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Writes the boundary's types, as Emscripten states them. They are committed, so that an editor needs no build. */
function updateTypes() {
  const file = at('web/src/generated/tenure.d.ts');
  const emitted = readFileSync(at('build/wasm-release/tenure.d.ts'), 'utf8')
    .replace(/^.*\n/, '// Generated from the C++ bindings by web/build.mjs. Do not edit.\n')
    // Emscripten types every view of the heap as `any`, also those that it does not export.
    .replace(/^.*let (HEAP\w+): any;\n/gm, (_, name) => (name in kViews ? `    let ${name}: ${kViews[name]};\n` : ''));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== emitted) {
    if (check) throw new Error('web/src/generated/tenure.d.ts is out of date: run `npm run build` and commit it');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, emitted);
  }
}

function buildOf(files) {
  return createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 8);
}

/** Writes the types, for programs that are modules and for those that are not. */
async function writeTypes() {
  const tsc = [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'];
  await promisify(execFile)(process.execPath, tsc, { cwd: root }).catch(({ stdout, stderr }) => {
    throw new Error(`tsc failed\n${stdout}${stderr}`);
  });
  mkdirSync(at('dist/types/generated'), { recursive: true });
  copyFileSync(at('web/src/generated/tenure.d.ts'), at('dist/types/generated/tenure.d.ts'));
  // Bundlers resolve the file to its URL.
  writeFileSync(at('dist/types/wasm.d.ts'), 'declare const url: string;\nexport default url;\n');
  cpSync(at('dist/types'), at('dist/types_cjs'), { recursive: true });
  writeFileSync(at('dist/types_cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** Records the wasm's toolchain, and the sizes and hashes of the files. */
function writeProvenance() {
  copyFileSync(at('node_modules/jpeg-js/LICENSE'), at('dist/LICENSE.jpeg-js'));
  const files = builds.map(({ folder, debug, linked, engine: program }) => {
    const ninja = linked.split('/').slice(0, 2).join('/');
    return {
      ninja,
      program: path.posix.relative(ninja, `${linked}/${program}.js`),
      debug,
      file: path.join(folder, debug ? 'tenure.wasm' : 'tenure.whole.wasm'),
    };
  });
  const entries = files.map(({ ninja, program, debug, file }) => {
    const text = readFileSync(at(ninja, 'build.ninja'), 'utf8');
    const values = (name, part) => [
      ...new Set([...part.matchAll(new RegExp(`^  ${name} = (.*)$`, 'gm'))].map(([, value]) => publicly(value))),
    ];
    const wasm = readFileSync(at(file));
    return {
      file,
      debug,
      bytes: wasm.length,
      gzip: gzipped(wasm),
      sha256: createHash('sha256').update(wasm).digest('hex'),
      compile: values('FLAGS', text),
      link: values('LINK_FLAGS', text.slice(text.indexOf(`\nbuild ${program}`)).split('\n\n')[0]),
    };
  });
  const emcc = run(process.env.EMCC, ['--version'], { quiet: true }).split('\n')[0].replace(/\S*\//g, '');
  const clang = run(process.env.EMCC, ['-v'], { quiet: true }).match(/clang version \S+/)?.[0];
  writeFileSync(
    at('dist/provenance.json'),
    `${JSON.stringify({ version, quick, emcc, clang, builds: entries }, null, 2)}\n`,
  );
}

/** Returns options without the build machine's folders, and without those for precompiled headers, which change no object. */
function publicly(options) {
  return options
    .replace(/ -Winvalid-pch.*$/, '')
    .replaceAll(root, './')
    .replace(/\S*\/tenure\/toolchain\//g, '')
    .replace(/\$:/g, ':')
    .trim();
}

function reportSizes() {
  const sizeOf = (files) => {
    const sizes = files.map((name) => gzipped(readFileSync(at('dist', name))));
    files.forEach((name, i) => {
      console.log(
        `dist/${name.padEnd(18)} ${kilobytes(statSync(at('dist', name)).size)}   gzip ${kilobytes(sizes[i])}`,
      );
    });
    return sizes.reduce((sum, size) => sum + size);
  };
  const start = sizeOf(['index.js', 'tenure.wasm']);
  console.log(`${'download at start'.padEnd(23)} ${''.padStart(11)}   gzip ${kilobytes(start)}`);
  const [graph, webgl, webgpu, gpu, tflite] = ['graph', 'webgl', 'webgpu', 'gpu', 'tflite'].map((part) =>
    sizeOf([`tenure.${part}.wasm`]),
  );
  sizeOf(builds[0].files.filter((file) => !/^tenure\.(?:graph\.|webgl\.|webgpu\.|gpu\.|tflite\.)?wasm$/.test(file)));
  const downloads = { start, withGpu: start + webgl + gpu, graph, tflite, webgpu: webgpu + gpu };
  for (const [name, size] of Object.entries(downloads)) {
    if (!quick && size > kMaxDownload[name])
      throw new Error(
        `the download "${name}" of ${kilobytes(size).trim()} is over ${kilobytes(kMaxDownload[name]).trim()} gzipped`,
      );
  }
}

function gzipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(8)} KB`;
}
