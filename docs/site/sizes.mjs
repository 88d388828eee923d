// Measures what pages download, for the tables of the guide about bundle size.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../../cpp/toolchain/use.mjs';

/** Programs to bundle, each with one op. */
const kPrograms = [
  `import * as tf from 'tenure';\ntf.tensor1d([1, 2]).square().print();`,
  `import { square } from 'tenure';\nsquare([1, 2]).print();`,
  `import * as tf from 'tenure/no-await';\nawait tf.ready();\ntf.tensor1d([1, 2]).square().print();`,
];

const kilobytes = (bytes) => `${Math.ceil(bytes / 1024)} KB`;
const zipped = (content) => gzipSync(content, { level: 9 }).length;

/** Writes bundles.md and wasm_files.md into `folder`, measured on the package in dist/. */
export async function writeSizes(folder) {
  mkdirSync(folder, { recursive: true });
  const bundles = await Promise.all(kPrograms.map(bundle));
  const programRows = bundles.map(({ entry, chunks }, i) => [
    `\`${kPrograms[i].split('\n')[0]}\``,
    kilobytes(entry),
    kPrograms[i].includes('no-await') ? 'the wasm files below' : listed(chunks),
  ]);
  write(path.join(folder, 'bundles.md'), ['program', 'script', 'chunks, on demand'], programRows);
  const files = readdirSync(path.join(root, 'dist')).filter((name) =>
    /^tenure(\.(?!whole|relaxed|threads)\w+)?\.wasm$/.test(name),
  );
  files.sort((a, b) => a.length - b.length);
  const fileRows = files.map((name) => [`\`${name}\``, kilobytes(zipped(readFileSync(path.join(root, 'dist', name))))]);
  write(path.join(folder, 'wasm_files.md'), ['file', 'size'], fileRows);
}

/** Returns the gzipped sizes of a program's script, with its static imports, and of the chunks that it loads on demand. */
async function bundle(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    // The repository's own settings resolve 'tenure' to the sources.
    tsconfigRaw: {},
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    outdir: path.join(root, 'build/sizes'),
    chunkNames: '[name]',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const outputs = Object.entries(metafile.outputs);
  const [start] = outputs.find(([, { entryPoint }]) => entryPoint === '<stdin>');
  const atStart = new Set([start]);
  for (const name of atStart) {
    for (const { path: next, kind } of metafile.outputs[name].imports)
      if (kind === 'import-statement' && next in metafile.outputs) atStart.add(next);
  }
  const sizes = outputFiles.map(({ path: file, contents: bytes }) => [path.relative(root, file), zipped(bytes)]);
  return {
    entry: sizes.filter(([name]) => atStart.has(name)).reduce((sum, [, size]) => sum + size, 0),
    chunks: sizes
      .filter(([name]) => !atStart.has(name))
      .map(([name, size]) => ({ name: path.basename(name), size }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** Lists chunks, except those for variants of the engine, of which a page loads one. */
function listed(chunks) {
  const shown = chunks.filter(({ name }) => !/relaxed|threads/.test(name));
  return shown.map(({ name, size }) => `\`${name}\` ${kilobytes(size)}`).join(', ') || 'none';
}

function write(file, header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  writeFileSync(file, `${[header, header.map(() => '---'), ...rows].map(line).join('\n')}\n`);
}
