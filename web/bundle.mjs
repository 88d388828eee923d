// Bundles the package's scripts: each entry of web/src/entries, and the packages around them.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, transformSync } from 'esbuild';
import { root } from '../cpp/toolchain/use.mjs';
import { inlinedModules } from './inlined_wasm.mjs';
import { kTextDecoder, writeModules } from './modules.mjs';
import { bundleOrtScript } from './ort_script.mjs';

const kNoticeTitle = 'Tenure: this is the debug build';
const kNotice =
  "selected by the export condition 'development' of a bundler or of Node. It records the line that created each tensor: a small " +
  'op takes about 10 µs instead of 0.15 µs, and more with open developer tools. For the release build, import ' +
  "'tenure/release' or alias 'tenure' to it; 'tenure/debug' is this build without this message. Guide: ";

/** Vite puts smaller files into scripts as data URLs, from which strict content security policies forbid workers. */
const kMinAssetBytes = 4097;

/** Options for scripts that keep their names, which stack traces show. Node quotes the line of an error. */
const kCompact = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };

const at = (...parts) => path.join(root, ...parts);
const entryOf = (name) => `web/src/entries/${name}.ts`;

/** Bundles the entries of web/src/entries, each for its kind of program, around one package. */
export async function bundle({ folder, debug, linked, engine: program, id, files }, { quick, version, guide }) {
  const common = {
    absWorkingDir: root,
    bundle: true,
    target: 'es2022',
    keepNames: debug,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __DEBUG__: String(debug),
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(id),
      __RELAXED__: String(files.includes('tenure.relaxed.wasm')),
    },
  };
  const glue = await writeGlue(at(linked, `${program}.js`), common);
  const inlined = inlinedModules(at(folder), files, debug);
  const engine = (extension) => ({
    name: 'engine',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/generated\/tenure\.js$/ }, () => ({ path: glue }));
      onResolve({ filter: new RegExp(kTextDecoder) }, () => ({ path: at('web/src/runtime/text_decoder.ts') }));
      onResolve({ filter: /^tenure:/ }, ({ path: name }) => {
        const file = name.replace(':', '.');
        return extension ? { path: `./${file}.${extension}`, external: true } : { path: file, namespace: 'wasm' };
      });
      onLoad({ filter: /./, namespace: 'wasm' }, ({ path: file }) => ({
        contents: file === 'tenure.parts' ? `export default ${inlined.parts};` : inflatedModule(inlined.first),
        resolveDir: root,
      }));
    },
  });
  const make = ({ beside, ...options }) => build({ ...common, ...options, plugins: [engine(beside)] });
  writeTexts(at(folder), inlined, id);
  await Promise.all([
    makeSharedEntries(make, folder, debug),
    ...['tfjs', 'litert'].map((name) => makeAdapter(name, common, folder, debug)),
    makeOrt(common, folder, debug),
    ...(debug ? [] : [makePageEntries(make, folder, quick), bundleOrtScript(common, folder)]),
  ]);
  if (debug) writeChosen(folder, guide);
  else await writeModule(at(linked, `${program}.js`), folder, common);
  if (!debug) await writeModules(glue, common.define);
  writeNodeEntry(folder);
  for (const name of ['tfjs', 'litert']) writeNodeEntry(`${folder}/${name}`);
  if (debug) writeNodeEntry(`${folder}/chosen`, folder);
}

/** Returns a module whose default export decompresses what `read`, the source of a function, returns. */
function inflatedModule(read) {
  return `import { inflate } from './web/src/runtime/inflate.ts';\nconst read = ${read};\nexport default () => inflate(read());`;
}

/** Makes Emscripten's script a module, which gets its wasm from runtime/loader.ts and does not detect its environment. */
async function writeGlue(script, common) {
  const outfile = script.replace(/\.js$/, '.glue.js');
  await build({
    ...common,
    stdin: {
      contents: withDirectCalls(withoutDumps(readFileSync(script, 'utf8'))),
      resolveDir: root,
      sourcefile: 'tenure.js',
    },
    outfile,
    format: 'esm',
    banner: { js: `import { HeapTextDecoder } from '${kTextDecoder}';` },
    define: { process: 'undefined', window: 'globalThis', TextDecoder: 'HeapTextDecoder', 'import.meta.url': '""' },
  });
  return outfile;
}

/** Removes emmalloc's dump of a corrupted heap, which nothing calls, from Emscripten's script. */
function withoutDumps(script) {
  return script.replace(/var ASM_CONSTS ?= ?\{[^]*?\n?\};/, 'var ASM_CONSTS = new Proxy({}, { get: () => () => 0 });');
}

/** Replaces the functions that call a raw call of the engine by the calls themselves, which a loop exports. */
function withDirectCalls(script) {
  const received = /wasmExports ?= ?applySignatureConversions\(wasmExports\);/;
  if (!received.test(script)) throw new Error(`Emscripten's script does not match ${received}`);
  const call =
    /var (_tn_\w+) ?= ?Module\["\1"\] ?= ?\(?[\w, ]*\)? ?=> ?\(\1 ?= ?Module\["\1"\] ?= ?wasmExports\["\w+"\]\)\([\w, ]*\);/g;
  const isUsed = (name, stub) => script.replace(stub, '').includes(`${name}(`);
  return script
    .replace(call, (stub, name) => (isUsed(name, stub) ? stub : ''))
    .replace(
      received,
      '$& for (var name in wasmExports) if (name.startsWith("tn_")) Module["_" + name] = wasmExports[name];',
    );
}

/** Bundles the release build's entries for pages, each into one file, and writes the script of workers beside them. */
async function makePageEntries(make, folder, quick) {
  writeWorker(folder);
  const script = { format: 'iife', globalName: 'tf', minify: true };
  await Promise.all([
    make({ entryPoints: ['index', 'no_await'].map(entryOf), outdir: folder, format: 'esm', minify: true }),
    make({ ...script, entryPoints: [entryOf('script')], outfile: `${folder}/tenure.min.js` }),
    make({ ...script, entryPoints: [entryOf('inlined')], outfile: `${folder}/tenure.single.min.js` }),
  ]);
  if (quick) return;
  await Promise.all(['index.js', 'no_await.js', 'tenure.min.js'].map((file) => shorten(path.join(folder, file))));
}

/**
 * Bundles the entries that share the file of their code, because they are loaded from a disk: those for Node and with the wasm
 * inlined and, of the debug build, those for pages. Writes those that require() loads as CommonJS, too. writeNodeEntry()
 * overwrites node.js.
 */
async function makeSharedEntries(make, folder, debug) {
  const { metafile } = await make({
    entryPoints: ['inlined', 'node', ...(debug ? ['index', 'no_await'] : [])].map(entryOf),
    outdir: folder,
    format: 'esm',
    beside: 'js',
    splitting: true,
    chunkNames: 'shared-[hash]',
    metafile: true,
  });
  const needed = (file) => metafile.outputs[file].imports.filter((other) => !other.external).map((other) => other.path);
  const entries = ['inlined', 'node'].map((name) => `${folder}/${name}.js`);
  for (const file of new Set([...entries, ...entries.flatMap(needed)])) {
    writeCommonJs(at(file));
    compact(at(file.replace(/\.js$/, '.cjs')));
    // The modules of the debug build stay readable.
    if (!debug) compact(at(file));
  }
}

/** Removes a script's white space. */
function compact(file) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { ...kCompact, target: 'es2022' });
  writeFileSync(file, code);
}

/**
 * Writes the wasm as text. text/tenure.wasm.js has neither imports nor exports, so it loads as a module and as CommonJS. It
 * stores the function that returns the bytes under a symbol; tenure.wasm.js and .cjs export it. The parts are written twice,
 * because Turbopack keeps such a script even where nothing uses it. Bundlers keep text/tenure.wasm.js for its side effect: Vite 8
 * by the `sideEffects` of the package's package.json, others by that of the one beside the script.
 */
function writeTexts(folder, inlined, id) {
  mkdirSync(path.join(folder, 'text'), { recursive: true });
  writeFileSync(path.join(folder, 'text/package.json'), '{ "type": "commonjs", "sideEffects": true }\n');
  const write = (file, contents) => writeFileSync(path.join(folder, file), contents);
  const name = `globalThis[Symbol.for('tenure.wasm ${id}')]`;
  write('text/tenure.wasm.js', `${name} = ${inlined.text};\n`);
  write('tenure.wasm.js', `import './text/tenure.wasm.js';\nexport default ${name};\n`);
  write('tenure.wasm.cjs', `require('./text/tenure.wasm.js');\nmodule.exports = ${name};\n`);
  write('tenure.parts.js', `export default ${inlined.parts};\n`);
  write('tenure.parts.cjs', `module.exports = ${inlined.parts};\n`);
}

/** Writes a module without dependencies other than `./*.js` again, as CommonJS. */
function writeCommonJs(file) {
  const importing = /^import (?:(\w+)|\{([^}]*)\})?(?: from )?"(\.\/[^"]+)\.js";$/gm;
  const exporting = /^export \{([^}]*)\};$/m;
  const pairs = (list) =>
    list
      .split(',')
      .map((item) => item.trim().split(' as '))
      .filter(([name]) => name);
  const code = readFileSync(file, 'utf8')
    .replace(importing, (_, whole, list, from) => {
      const names =
        whole ??
        (list &&
          `{ ${pairs(list)
            .map(([name, local = name]) => `${name}: ${local}`)
            .join(', ')} }`);
      return `${names ? `const ${names} = ` : ''}require("${from}.cjs");`;
    })
    .replace(exporting, (_, list) => {
      const getters = pairs(list).map(([local, name = local]) => `get ${name}() { return ${local}; }`);
      return `Object.defineProperties(exports, Object.getOwnPropertyDescriptors({ ${getters.join(', ')} }));`;
    });
  writeFileSync(file.replace(/\.js$/, '.cjs'), `"use strict";\n${code}`);
}

/** Writes `tenure/engine`: Emscripten's script alone, which fetches the whole engine from beside itself unless it is given. */
async function writeModule(source, folder, common) {
  const script = readFileSync(source, 'utf8');
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
  const options = [
    '--compress',
    'ecma=2022,passes=2',
    '--mangle',
    ...format,
    ...(file.endsWith('.min.js') ? [] : ['--module']),
  ];
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

/** Returns the names of the entries that are modules for pages. */
function modulesOf(debug) {
  return ['index.js', 'no_await.js', 'inlined.js', ...(debug ? [] : ['bundled.js', 'production.js'])];
}

/** Writes `tenure/tfjs` or `tenure/litert` around each of the entries, whose engine it shares. */
async function makeAdapter(name, common, folder, debug) {
  const around = (file, options) => makeAround(name, file, folder, debug, { ...common, ...options });
  await Promise.all([
    ...modulesOf(debug).map((file) => around(file, { format: 'esm' })),
    around('inlined.cjs', { format: 'cjs' }),
    around('node.cjs', { format: 'cjs', platform: 'node' }),
  ]);
}

/**
 * Writes `tenure/ort` around each of the entries. In Node, import and require() get two copies of it, because
 * onnxruntime-common has two; they share the engine.
 */
async function makeOrt(common, folder, debug) {
  const external = ['onnxruntime-common'];
  const around = (file, options) => makeAround('ort', file, folder, debug, { ...common, ...options, external });
  await Promise.all([
    ...modulesOf(debug).map((file) => around(file, { format: 'esm' })),
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
    ...kCompact,
    entryPoints: [`web/src/${name}/index.ts`],
    outfile: `${folder}/${name}/${file}`,
    plugins: [external],
  });
}

/** Bundles `<tenure-memory>`, which accesses only the page's engine. */
export async function bundleElement() {
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

/** Writes the script that a page's workers run. */
function writeWorker(folder) {
  const { code } = transformSync(readFileSync(at('web/src/runtime/worker_code.ts'), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
  });
  const module = { exports: {} };
  new Function('module', code)(module);
  const script = transformSync(module.exports.kPageWorker, { minify: true }).code;
  writeFileSync(at(folder, 'tenure.worker.js'), script.padEnd(kMinAssetBytes));
}

/** Writes builds that an export condition selects, with a notice. */
function writeChosen(folder, guide) {
  const chosen = path.join(folder, 'chosen');
  mkdirSync(at(chosen), { recursive: true });
  // In Node the standard output belongs to the program, and styles are for terminals.
  const notice =
    `const title = ${JSON.stringify(kNoticeTitle)};\nconst notice = ${JSON.stringify(kNotice + guide)};\n` +
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
