// Measures the download of a page that runs layers models on WebAssembly: scripts and wasm, minified and gzipped.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../cpp/toolchain/use.mjs';
import { bundlePeer } from './bundle_peer.mjs';

const here = path.join(root, 'tests/bench');
const kTensorFlow = ['core', 'layers', 'converter', 'data', 'backend-wasm'];
const kTensorFlowBinary = '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm';
const kOrt = ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm'];

const zipped = (content) => gzipSync(content, { level: 9 }).length;
const total = (files) => files.reduce((sum, file) => sum + zipped(readFileSync(file)), 0);
const installed = (name) => path.join(here, 'node_modules', name);

/** Returns bytes by engine. TensorFlow.js is bundled here, without the backends that a page on WebAssembly does not use. */
export async function downloadSizes() {
  return {
    tenure: total(['index.js', 'tenure.wasm'].map((name) => path.join(root, 'dist', name))),
    'tfjs wasm': zipped(await bundleTensorFlow()) + total([installed(kTensorFlowBinary)]),
    'ort wasm': total(kOrt.map((name) => installed(`onnxruntime-web/dist/${name}`))),
  };
}

async function bundleTensorFlow() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-peers-'));
  const file = path.join(folder, 'tfjs.js');
  try {
    await bundlePeer(file, kTensorFlow);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
