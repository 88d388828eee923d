// Programs in a page, bundled with an alias for onnxruntime-web.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';
import { openBrowser, served } from '../../browser/chrome.mjs';
import { tinyU2net } from './tiny_u2net.mjs';

const here = path.join(root, 'tests/ecosystem/ort');
/** The folder of onnxruntime-web's files. */
const kPeer = path.join(here, 'node_modules/@bunnio/rembg-web/node_modules/onnxruntime-web/dist');
const kOrt = path.join(root, 'dist/ort/inlined.js');
const kOnTenure = {
  'onnxruntime-web/webgpu': kOrt,
  'onnxruntime-web': kOrt,
  'onnxruntime-common': path.join(root, 'node_modules/onnxruntime-common/dist/esm/index.js'),
};

/** Returns what features.mjs computes in a page, with the models that transformers.mjs has written into a folder. */
export function computeInPage(folder) {
  return runInPage(
    folder,
    "import { computeFeatures } from './features.mjs'; const run = () => computeFeatures('/models/');",
  );
}

/** Returns the picture of background_page.mjs, by tenure/ort or by onnxruntime-web itself. */
export function removeBackground(folder, onTenure) {
  writeFileSync(path.join(folder, 'u2net.onnx'), tinyU2net());
  return runInPage(folder, "import { removeBackground as run } from './background_page.mjs';", onTenure);
}

/** Returns the numbers that the function `run` of a page's program computes, with the models of a folder. */
async function runInPage(folder, program, onTenure = true) {
  const page = path.join(folder, 'page');
  mkdirSync(page, { recursive: true });
  writeFileSync(
    path.join(page, 'index.html'),
    '<!doctype html><body><script type="module" src="bundle.js"></script></body>',
  );
  await build({
    stdin: {
      contents: `${program}
        import { show } from '../../browser/page/show.js';
        run().then((numbers) => show({ numbers }), ({ stack }) => show({ error: stack }));`,
      resolveDir: here,
    },
    bundle: true,
    format: 'esm',
    conditions: ['browser'],
    outfile: path.join(page, 'bundle.js'),
    alias: onTenure ? kOnTenure : { 'onnxruntime-web': path.join(kPeer, 'ort.wasm.min.mjs') },
    logLevel: 'error',
  });
  const browser = await openBrowser();
  try {
    // The server serves nothing else: a request for a file of ONNX Runtime would be an error of the page on Tenure.
    const folders = { '/': page, '/models/': folder, ...(!onTenure && { '/ort/': kPeer }) };
    const { numbers, error } = await served(browser, folders, '/index.html');
    if (error) throw new Error(error);
    return numbers;
  } finally {
    await browser.close();
  }
}
