// Builds the npm package into dist/: `node web/build.mjs [--quick] [--release-only] [--check] [--dwarf]`.
// --quick links without the optimizations that only make the engine smaller, and leaves out the variant with relaxed SIMD: for
// local builds, not for publishing. --check fails if the generated files in the repository differ from the build's.
// --dwarf compiles the debug build with debug information, for stepping through C++.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildPreset, prepare, root, run } from '../cpp/toolchain/use.mjs';
import { split as splitEngine } from './parts.mjs';
import { customSection, fileOf } from './wasm_file.mjs';

/** Maximum gzipped bytes: what a page loads before its first op, the same with a GPU, and what graph models add. */
const kMaxDownload = { start: 296 * 1024, withGpu: 345 * 1024, graph: 56 * 1024 };
const kViews = { HEAPU8: 'Uint8Array', HEAP32: 'Int32Array', HEAPU32: 'Uint32Array', HEAPF32: 'Float32Array' };
const { values: flags } = parseArgs({
  options: Object.fromEntries(
    ['quick', 'release-only', 'check', 'dwarf'].map((name) => [name, { type: 'boolean', default: false }]),
  ),
});
const { quick, check } = flags;
const at = (...parts) => path.join(root, ...parts);
const { version, homepage } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const kGuide = homepage
  ? new URL('guide/finding-a-leak', homepage).href
  : "'Find the leak' in node_modules/tenure/README.md";
const kNoticeTitle = 'Tenure: this is the debug build';
const kNotice =
  "which the condition 'development' of a bundler or of Node chose. It names the line that made each tensor, which takes about " +
  "10 µs for an op of 0.15 µs, and more with open developer tools. 'tenure/release' in the place of 'tenure' is the release " +
  `build, in the import or as the bundler's alias; 'tenure/debug' is this one without this line. Guide: ${kGuide}`;

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
if (!quick) updateTypes();
await Promise.all([writeTypes(), ...builds.map(bundle), bundleElement()]);
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

/** Removes emmalloc's dump of a corrupted heap, which nothing calls, from Emscripten's script. */
function withoutDumps(script) {
  return script.replace(/var ASM_CONSTS ?= ?\{[^]*?\n?\};/, 'var ASM_CONSTS = new Proxy({}, { get: () => () => 0 });');
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

/** Bundles the entries of web/src/entries, each for its kind of program, around one package. */
async function bundle({ folder, debug, linked, engine: program, id, files }) {
  const { build, transformSync } = await import('esbuild');
  const common = {
    absWorkingDir: root,
    bundle: true,
    target: 'es2022',
    keepNames: debug,
    sourcemap: debug,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __DEBUG__: String(debug),
      __NODE__: 'false',
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(id),
      __RELAXED__: String(files.includes('tenure.relaxed.wasm')),
    },
  };
  const glue = at(linked, `${program}.glue.js`);
  // The script gets its wasm from runtime/loader.ts, and does not detect its environment.
  await build({
    ...common,
    stdin: {
      contents: withoutDumps(readFileSync(at(linked, `${program}.js`), 'utf8')),
      resolveDir: root,
      sourcefile: 'tenure.js',
    },
    outfile: glue,
    format: 'esm',
    sourcemap: false,
    inject: ['web/src/runtime/text_decoder.ts'],
    define: { process: 'undefined', window: 'globalThis', TextDecoder: 'HeapTextDecoder', 'import.meta.url': '""' },
  });
  const inlined = inlinedModules(folder, files);
  const engine = (extension) => ({
    name: 'engine',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/generated\/tenure\.js$/ }, () => ({ path: glue }));
      onResolve({ filter: /^tenure:/ }, ({ path: name }) => {
        const file = name.replace(':', '.');
        return extension ? { path: `./${file}.${extension}`, external: true } : { path: file, namespace: 'wasm' };
      });
      onLoad({ filter: /./, namespace: 'wasm' }, ({ path: file }) => ({
        contents: `export default ${inlined[file](asBase64)};`,
      }));
    },
  });
  const make = ({ beside, ...options }) => build({ ...common, ...options, plugins: [engine(beside)] });
  const entry = (name) => `web/src/entries/${name}.ts`;
  const inlining = ['inlined', ...(debug ? [] : ['bundled'])];

  if (!debug) {
    writeWorker(folder, transformSync);
    await writeModule(`${linked}/${program}.js`, folder, common);
  }
  for (const [file, contents] of Object.entries(inlined)) {
    writeFileSync(at(folder, `${file}.js`), `export default ${contents(asText)};\n`);
    writeFileSync(at(folder, `${file}.cjs`), `module.exports = ${contents(asText)};\n`);
  }
  if (debug) writeChosen(folder);
  const script = { format: 'iife', globalName: 'tf', minify: true };
  await Promise.all([
    make({ entryPoints: ['index', 'no_await'].map(entry), outdir: folder, format: 'esm', minify: !debug }),
    make({ entryPoints: inlining.map(entry), outdir: folder, format: 'esm', beside: 'js' }),
    make({
      entryPoints: [entry('inlined')],
      outfile: `${folder}/inlined.cjs`,
      format: 'cjs',
      beside: 'cjs',
    }),
    make({
      entryPoints: [entry('node')],
      outfile: `${folder}/node.cjs`,
      format: 'cjs',
      platform: 'node',
      define: { ...common.define, __NODE__: 'true' },
    }),
    makeTfjs({ ...common, sourcemap: false }, folder, debug),
    makeOrt({ ...common, sourcemap: false }, folder, debug),
    ...(debug
      ? []
      : [
          make({ ...script, entryPoints: [entry('script')], outfile: `${folder}/tenure.min.js` }),
          make({ ...script, entryPoints: [entry('inlined')], outfile: `${folder}/tenure.single.min.js` }),
        ]),
  ]);
  if (debug) shareSourceMap(folder);
  else if (!quick)
    await Promise.all(
      ['index.js', 'no_await.js', 'bundled.js', 'tenure.min.js'].map((file) => shorten(path.join(folder, file))),
    );
  writeNodeEntry(folder);
  writeNodeEntry(`${folder}/tfjs`);
  if (debug) writeNodeEntry(`${folder}/chosen`, folder);
}

/**
 * Returns the contents of the modules that hold wasm, as functions of an encoding, by name: the engine's first file, and the
 * object of its parts.
 */
function inlinedModules(folder, files) {
  const encoded = (file, encode) => encode(readFileSync(at(folder, file)));
  const parts = files.filter((file) => file !== 'tenure.wasm');
  return {
    'tenure.wasm': (encode) => encoded('tenure.wasm', encode),
    'tenure.parts': (encode) => `{\n${parts.map((file) => `"${file}": ${encoded(file, encode)}`).join(',\n')}\n}`,
  };
}

/** Writes `tenure/engine`: Emscripten's script alone, which fetches the whole engine from beside itself unless it is given. */
async function writeModule(source, folder, common) {
  const { build } = await import('esbuild');
  const script = readFileSync(at(source), 'utf8');
  await build({
    ...common,
    stdin: { contents: script.replaceAll('tenure.wasm', 'tenure.whole.wasm'), resolveDir: root },
    outfile: `${folder}/engine.js`,
    format: 'esm',
    minify: true,
    define: { process: 'undefined', window: 'globalThis' },
  });
}

/** Minifies a script for pages with Terser: up to 4 % less to download than with other minifiers alone. */
async function shorten(file) {
  // Bundlers leave out what is unused by its annotations.
  const format = ['--format', 'preserve_annotations=true'];
  const options = ['--compress', 'ecma=2022', '--mangle', ...format, ...(file.endsWith('.min.js') ? [] : ['--module'])];
  await promisify(execFile)(process.execPath, [
    at('node_modules/terser/bin/terser'),
    at(file),
    ...options,
    '--output',
    at(file),
  ]);
}

/**
 * Writes the entry for imports in Node, which re-exports that of require(), so that both share one engine. It lists the names,
 * and goes through a file without any, because Node scans the whole source of an imported CommonJS file for names, which takes
 * longer than everything else.
 */
function writeNodeEntry(folder, named = folder) {
  const listing = `JSON.stringify(Object.keys(require(${JSON.stringify(at(named, 'node.cjs'))})))`;
  const names = JSON.parse(execFileSync(process.execPath, ['-p', listing], { encoding: 'utf8' }));
  writeFileSync(at(folder, 'node_package.cjs'), "exports.tf = require('./node.cjs');\n");
  writeFileSync(
    at(folder, 'node.js'),
    `import { tf } from './node_package.cjs';\nexport const {\n  ${names.join(',\n  ')},\n} = tf;\n`,
  );
}

/** Writes `tenure/tfjs` around each of the entries, whose engine it shares. */
async function makeTfjs(common, folder, debug) {
  const around = (file, options) => makeAround('tfjs', file, folder, debug, { ...common, ...options });
  await Promise.all([
    ...['index.js', 'no_await.js', 'inlined.js', ...(debug ? [] : ['bundled.js'])].map((file) =>
      around(file, { format: 'esm' }),
    ),
    around('inlined.cjs', { format: 'cjs' }),
    around('node.cjs', { format: 'cjs', platform: 'node' }),
  ]);
}

/**
 * Writes `tenure/ort` around each of the entries. In Node, import and require() get two copies of it, because
 * onnxruntime-common has two; they share the engine.
 */
async function makeOrt(common, folder, debug) {
  const { build } = await import('esbuild');
  const external = ['onnxruntime-common'];
  const around = (file, options) => makeAround('ort', file, folder, debug, { ...common, ...options, external });
  await Promise.all([
    ...['index.js', 'no_await.js', 'inlined.js'].map((file) => around(file, { format: 'esm' })),
    around('inlined.cjs', { format: 'cjs' }),
    around('node.js', { format: 'esm', platform: 'node' }),
    around('node.cjs', { format: 'cjs', platform: 'node' }),
    build({
      ...common,
      bundle: false,
      entryPoints: ['hooks', 'register'].map((name) => `web/src/ort/${name}.ts`),
      outdir: `${folder}/ort`,
      format: 'esm',
    }),
  ]);
}

/** Bundles web/src/`name` into a file around the package's file of that name. */
async function makeAround(name, file, folder, debug, options) {
  const { build } = await import('esbuild');
  const package_ = debug ? `../chosen/${file}` : `../${file}`;
  const external = {
    name: 'package',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path: imported, importer }) => {
        if (imported === '../index.js') return { path: package_, external: true };
        const target = path.resolve(path.dirname(importer), imported);
        if (!target.startsWith(at('web/src', name)))
          throw new Error(`${importer}: a second copy of ${imported} would be made`);
      });
    },
  };
  await build({
    ...options,
    entryPoints: [`web/src/${name}/index.ts`],
    outfile: `${folder}/${name}/${file}`,
    plugins: [external],
  });
}

/** Bundles `<tenure-memory>`, which accesses only the page's engine. */
async function bundleElement() {
  const { build } = await import('esbuild');
  for (const [format, outfile] of [
    ['esm', 'dist/memory.js'],
    ['cjs', 'dist/memory.cjs'],
  ]) {
    await build({
      absWorkingDir: root,
      entryPoints: ['web/src/memory_element/index.ts'],
      outfile,
      format,
      bundle: true,
      target: 'es2022',
      minify: true,
      logLevel: 'warning',
    });
  }
}

function buildOf(files) {
  return createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 8);
}

/** Writes the script that a page's workers run. */
function writeWorker(folder, transformSync) {
  const { code } = transformSync(readFileSync(at('web/src/runtime/worker_code.ts'), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
  });
  const module = { exports: {} };
  new Function('module', code)(module);
  writeFileSync(at(folder, 'tenure.worker.js'), transformSync(module.exports.kPageWorker, { minify: true }).code);
}

/** Makes the entries with and without top-level await share a source map: they differ only in the entries themselves. */
function shareSourceMap(folder) {
  const [own, other] = ['no_await.js', 'index.js'].map((name) => readFileSync(at(folder, name), 'utf8'));
  const shared = own.slice(0, own.lastIndexOf('\n// web/src/entries/'));
  if (!shared || !other.startsWith(shared))
    throw new Error(`${folder}/no_await.js and index.js differ before their entries`);
  writeFileSync(
    at(folder, 'no_await.js'),
    own.replace('sourceMappingURL=no_await.js.map', 'sourceMappingURL=index.js.map'),
  );
  rmSync(at(folder, 'no_await.js.map'));
}

/** Writes builds that an export condition selects, with a notice. */
function writeChosen(folder) {
  const chosen = path.join(folder, 'chosen');
  mkdirSync(at(chosen), { recursive: true });
  // In Node the standard output belongs to the program, and styles are for terminals.
  const notice =
    `const title = ${JSON.stringify(kNoticeTitle)};\nconst notice = ${JSON.stringify(kNotice)};\n` +
    'const { process } = globalThis;\n' +
    'const bold = (text) => (process.stderr.isTTY ? `\\x1b[1;33m${text}\\x1b[0m` : text);\n' +
    'if (process?.stderr) process.stderr.write(`${bold(title)}, ${notice}\\n`);\n' +
    "else console.info(`%c${title}%c, ${notice}`, 'background: #fc0; color: #000; font-weight: bold; padding: 0 4px', '');\n";
  writeFileSync(at(chosen, 'notice.js'), notice);
  for (const name of ['index.js', 'no_await.js', 'inlined.js']) {
    writeFileSync(at(chosen, name), `import './notice.js';\nexport * from '../${name}';\n`);
  }
  for (const name of ['inlined.cjs', 'node.cjs'])
    writeFileSync(at(chosen, name), `${notice}module.exports = require('../${name}');\n`);
}

/**
 * Returns source of a function that returns the bytes, as text of characters below 256: when both are compressed, 2 % longer
 * than the file, where base64 is a third longer. The most frequent bytes become the characters that are one byte of UTF-8.
 */
function asText(bytes) {
  const met = new Array(256).fill(0);
  for (const byte of bytes) met[byte]++;
  const escapes = new Map([
    [0, '\\0'],
    [10, '\\n'],
    [13, '\\r'],
    [34, '\\"'],
    [92, '\\\\'],
  ]);
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
  const text = Array.from(bytes, (byte) => written[byte])
    .join('')
    .replace(/\\0(?=\d)/g, '\\x00')
    .replace(/<\//g, '<\\/');
  return `() => {
  const text = "${text}";
  const table = [${table}];
  if (text.length !== ${bytes.length}) throw new Error('The script was not read as UTF-8: <meta charset="utf-8"> belongs into the page');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = table[text.charCodeAt(i)];
  return bytes;
}`;
}

/** asText() in ASCII for classic scripts: a page may read them in any character set. */
function asBase64(bytes) {
  return `() => Uint8Array.from(atob("${bytes.toString('base64')}"), (character) => character.charCodeAt(0))`;
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
  const [graph, gpu] = ['graph', 'webgl'].map((part) => sizeOf([`tenure.${part}.wasm`]));
  sizeOf(builds[0].files.filter((file) => !/^tenure\.(?:graph\.|webgl\.)?wasm$/.test(file)));
  for (const [name, size] of Object.entries({ start, withGpu: start + gpu, graph })) {
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
