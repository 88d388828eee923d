// `node docs/coverage.mjs [--check]`: writes the table of docs/coverage.md from the results of the specs and environments and
// from the engine's lists. --check fails if the table is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../cpp/toolchain/use.mjs';

const kBegin = '<!-- Written by docs/coverage.mjs. -->\n';
const kEnd = '<!-- The end of what docs/coverage.mjs writes. -->\n';
const kPage = path.join(root, 'docs/coverage.md');
const kPlaces = {
  'node-wasm': 'Node',
  'chromium-wasm': 'Chromium on wasm',
  'chromium-webgl': 'Chromium on WebGL2',
  'chromium-webgpu': 'Chromium on WebGPU',
};

const read = (name) => readFileSync(path.join(root, name), 'utf8');

/** Writes the table into its page. Returns true if it has changed. */
export function writeCoverage({ check = false } = {}) {
  const page = readFileSync(kPage, 'utf8');
  const [start, end] = [page.indexOf(kBegin) + kBegin.length, page.indexOf(kEnd)];
  if (start < kBegin.length || end < start) throw new Error('docs/coverage.md has no place for the table');
  const text = `${page.slice(0, start)}${table()}${page.slice(end)}`;
  if (text !== page && !check) writeFileSync(kPage, text);
  return text !== page;
}

function table() {
  const hasThreads = existsSync(path.join(root, 'web/src/runtime/threads.ts'));
  const rows = [
    [
      'ops',
      `${opCount()} ops in the engine; ${specs((file) => /^ops\//.test(file))} specs of TensorFlow.js's ops pass`,
      '[these](compatibility.md)',
    ],
    [
      'tensors, variables, gradients, optimizers',
      `${specs((file) => !/^ops\//.test(file))} specs pass; gradients of any order`,
      '`Tensor.dataToGPU` with WebGL',
    ],
    ['layers', `${layerCount()} classes, and your own; training in one call of the engine for each step`, ''],
    ['graph models', '245 of the 248 ops of the converter, control flow', 'decision forests'],
    [
      'ONNX models',
      'op sets up to 26, ops of com.microsoft, models of scikit-learn, weights of 4, 8 and 16 bits; `tenure/ort`',
      '[64-bit integers beyond int32, maps](site/pages/guide/onnx.md)',
    ],
    [
      'TensorFlow Lite models',
      'builtin ops, float and quantized, custom ops of MediaPipe; `tenure/litert`',
      '[these ops](site/pages/guide/tflite.md)',
    ],
    [
      'environments',
      `${environmentCount()} projects and checks with bundlers, test runners and runtimes, [each tested](environments.md)`,
      'runtimes without WebAssembly or its SIMD',
    ],
    [
      'backends',
      `WebAssembly with SIMD${hasThreads ? ' and threads' : ''}, WebGL2, WebGPU; native C++`,
      `${hasThreads ? '' : 'threads, '}WebGPU kernels of some ops; figures of WebGPU on GPUs`,
    ],
  ];
  const lines = [['', 'implemented', 'missing'], ['---', '---', '---'], ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** Returns "3692 of 3705 (Node), ..." for the spec files that `isChosen` accepts. */
function specs(isChosen) {
  const parts = Object.entries(kPlaces)
    .filter(([place]) => existsSync(path.join(root, `tests/conformance/results/${place}.json`)))
    .map(([place, name]) => {
      const files = Object.entries(JSON.parse(read(`tests/conformance/results/${place}.json`))).filter(([file]) =>
        isChosen(file),
      );
      const passed = files.reduce((sum, [, one]) => sum + one.passed, 0);
      const all = files.reduce((sum, [, one]) => sum + one.passed + one.failed.length, 0);
      return `${passed} of ${all} (${name})`;
    });
  return parts.join(', ');
}

function opCount() {
  return [...read('docs/ops.md').matchAll(/^- .*: (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

function layerCount() {
  return [...read('cpp/lists/layers.def').matchAll(/^LAYER\w*\(/gm)].length;
}

function environmentCount() {
  return [...read('docs/environments.md').matchAll(/\| works \| [^|]*\|$/gm)].length;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const check = process.argv.includes('--check');
  if (writeCoverage({ check }) && check) {
    console.error('the table of docs/coverage.md is out of date: run `node docs/coverage.mjs` and commit it');
    process.exitCode = 1;
  }
}
