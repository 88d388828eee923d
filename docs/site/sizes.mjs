// Measures what pages download, for the tables of the guide about bundle size.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../../cpp/toolchain/use.mjs';

/** Programs to bundle. */
const kPrograms = [
  `import { square } from 'tenure';\nsquare([1, 2]).print();`,
  `import * as tf from 'tenure';\ntf.tensor1d([1, 2]).square().print();`,
  `import * as tf from 'tenure';\ntf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] })] }).summary();`,
  `import * as tf from 'tenure';\nglobalThis.tf = tf;`,
];

const kilobytes = (bytes) => `${Math.ceil(bytes / 1024)} KB`;
const zipped = (content) => gzipSync(content, { level: 9 }).length;

/** Writes bundles.md and wasm_files.md into `folder`, measured on the package in dist/. */
export async function writeSizes(folder) {
  mkdirSync(folder, { recursive: true });
  const programRows = await Promise.all(
    kPrograms.map(async (program) => {
      const sizes = [await sizeOf(program, ['production']), await sizeOf(program, [])];
      return [
        program
          .split('\n')
          .map((line) => `\`${line}\``)
          .join('<br>'),
        ...sizes.map(kilobytes),
      ];
    }),
  );
  write(path.join(folder, 'bundles.md'), ['program', 'Vite, webpack', 'esbuild, Rollup, Parcel'], programRows);
  const files = readdirSync(path.join(root, 'dist')).filter((name) => /^tenure(\.(?!whole)\w+)?\.wasm$/.test(name));
  files.sort((a, b) => a.length - b.length);
  const fileRows = files.map((name) => [`\`${name}\``, kilobytes(zipped(readFileSync(path.join(root, 'dist', name))))]);
  write(path.join(folder, 'wasm_files.md'), ['file', 'size'], fileRows);
}

/** Returns the gzipped size of a program's script for bundlers with these conditions. */
async function sizeOf(contents, conditions) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    // The repository's own settings resolve 'tenure' to the sources.
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    format: 'esm',
    conditions: ['module', ...conditions],
    write: false,
    logLevel: 'error',
  });
  return zipped(outputFiles[0].contents);
}

function write(file, header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  writeFileSync(file, `${[header, header.map(() => '---'), ...rows].map(line).join('\n')}\n`);
}
