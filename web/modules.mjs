// The release build as one module per source, for bundlers, which leave out what a program does not use. package.json's
// `sideEffects` lists the modules that they keep.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../cpp/toolchain/use.mjs';

const kEntries = ['bundled', 'production'];
const kScript = 'generated/tenure.js';
/** The module that Emscripten's script imports, and its source. */
export const kTextDecoder = 'tenure:text_decoder';
const kTextDecoderSource = 'runtime/text_decoder';
const kOptions = { absWorkingDir: root, target: 'es2022', format: 'esm', legalComments: 'none' };

/** Writes dist/modules, and files beside it that export its entries. `glue` is the path of Emscripten's script. */
export async function writeModules(glue, define) {
  const options = { ...kOptions, define };
  const { outputFiles } = await build({
    ...options,
    entryPoints: await findSources(options),
    outbase: 'web/src',
    outdir: 'dist/modules',
    write: false,
  });
  const folder = path.join(root, 'dist/modules');
  const files = outputFiles.map(({ path: file, text }) => [path.relative(folder, file), fromFolder(text)]);
  for (const [name, text] of [
    ...files,
    [kScript, readFileSync(glue, 'utf8').replace(kTextDecoder, `../${kTextDecoderSource}.js`)],
  ]) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const name of kEntries)
    writeFileSync(path.join(root, `dist/${name}.js`), `export * from './modules/entries/${name}.js';\n`);
}

/** Returns the paths of the sources that the entries import. */
async function findSources(options) {
  const { metafile } = await build({
    ...options,
    entryPoints: [...kEntries.map((name) => `entries/${name}`), kTextDecoderSource].map((name) => `web/src/${name}.ts`),
    outdir: 'dist/modules',
    bundle: true,
    external: ['tenure:*', `*/${kScript}`],
    metafile: true,
    write: false,
  });
  return Object.keys(metafile.inputs);
}

/** Changes paths of the package's files, which sources write as if they were beside them, for a folder of dist/modules. */
function fromFolder(text) {
  return text
    .replace(/(?<=\bnew URL\(")(?=tenure\.[\w.]+", import\.meta\.url\))/g, '../../')
    .replace(/"tenure:(\w+)"/g, '"../../tenure.$1.js"');
}
