// Bundles `tenure/ort` for script elements: it has onnxruntime-common inside, and uses the engine of tenure.min.js.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../cpp/toolchain/use.mjs';

/** Stands for the package: the global that tenure.min.js or tenure.single.min.js defines. */
const kPackage = `
if (!globalThis.tf?.loadOnnxModel)
  throw new Error("ort.min.js uses Tenure's engine: load tenure.min.js, which defines 'tf', before it");
module.exports = globalThis.tf;`;

/** The licence of onnxruntime-common, whose package has no file of it. */
const kLicence = `MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
const kLicenceFile = 'LICENSE.onnxruntime-common';

/** Writes `ort/ort.min.js`, which defines a global `ort`, and its licence into a folder. `common` has options of esbuild. */
export async function bundleOrtScript(common, folder) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/onnxruntime-common/package.json'), 'utf8'));
  writeFileSync(path.join(root, folder, kLicenceFile), kLicence);
  const globals = {
    name: 'globals',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: 'tf', namespace: 'global' }));
      onLoad({ filter: /./, namespace: 'global' }, () => ({ contents: kPackage }));
    },
  };
  await build({
    ...common,
    entryPoints: ['web/src/ort/index.ts'],
    outfile: `${folder}/ort/ort.min.js`,
    format: 'iife',
    globalName: 'ort',
    minify: true,
    banner: { js: `/*! Includes onnxruntime-common ${version}, (c) Microsoft Corporation: ${kLicenceFile} */` },
    plugins: [globals],
  });
}
