// @huggingface/transformers in a page, bundled with an alias.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';
import { openBrowser, served } from '../../browser/chrome.mjs';

const here = path.join(root, 'tests/ecosystem/ort');
const kOrt = path.join(root, 'dist/ort/inlined.js');

/** Returns what features.mjs computes in a page, with the model that transformers.mjs has written into a folder. */
export async function computeInPage(folder) {
  const page = path.join(folder, 'page');
  mkdirSync(page, { recursive: true });
  writeFileSync(
    path.join(page, 'index.html'),
    '<!doctype html><body><script type="module" src="bundle.js"></script></body>',
  );
  await build({
    stdin: {
      contents: `import { computeFeatures } from './features.mjs'; import { show } from '../../browser/page/show.js';
        computeFeatures('/models/').then((numbers) => show({ numbers }), ({ stack }) => show({ error: stack }));`,
      resolveDir: here,
    },
    bundle: true,
    format: 'esm',
    conditions: ['browser'],
    outfile: path.join(page, 'bundle.js'),
    alias: {
      'onnxruntime-web/webgpu': kOrt,
      'onnxruntime-common': path.join(root, 'node_modules/onnxruntime-common/dist/esm/index.js'),
    },
    logLevel: 'error',
  });
  const browser = await openBrowser();
  try {
    // The server serves nothing else: a request for a file of ONNX Runtime would be an error of the page.
    const { numbers, error } = await served(browser, { '/': page, '/models/': folder }, '/index.html');
    if (error) throw new Error(error);
    return numbers;
  } finally {
    await browser.close();
  }
}
