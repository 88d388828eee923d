// Loading an ONNX model loads the parts of the engine that it needs, and running it loads no further ones.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../../../cpp/toolchain/use.mjs';
import { onnxModel } from '../../../bench/onnx.mjs';
import { makeProduct } from '../../../bench/quantized_models.mjs';
import { randomFloats, sizeOf } from '../../../bench/random.mjs';
import { decoderInputs, makeDecoder } from '../../../onnx/decoder.mjs';
import { makePlainDecoder, plainDecoderCaches, plainDecoderInputs } from '../../../onnx/plain_decoder.mjs';
import { qdqModels } from '../../../onnx/qdq.mjs';

const kImporters = /^tenure\.(onnx\w*|files|graph|quant\w*|half|text|tflite)\.wasm$/;
let copies = 0;

/** Calls `use` with an engine that has loaded nothing yet, and the names of the files it reads meanwhile. */
async function watching(use) {
  const { readFileSync } = fs;
  const { readFile } = fs.promises;
  const read = { awaited: [], atOnce: [] };
  const note = (list, file) => {
    const name = path.basename(String(file));
    const part = kImporters.exec(name)?.[1];
    if (part) list.push(part);
  };
  fs.readFileSync = (file, ...rest) => (note(read.atOnce, file), readFileSync(file, ...rest));
  fs.promises.readFile = (file, ...rest) => (note(read.awaited, file), readFile(file, ...rest));
  try {
    await use(await import(`${path.join(root, 'dist/no_await.js')}?parts${++copies}`), read);
  } finally {
    fs.readFileSync = readFileSync;
    fs.promises.readFile = readFile;
  }
}

const floats = (shape) => ({ type: 'float32', shape, values: randomFloats(sizeOf(shape), 1, -1, 1) });

/** Returns a model of one node that takes x. */
function modelOf(node, shape, constants = {}, type = 'float32') {
  return {
    bytes: onnxModel({
      nodes: [{ inputs: ['x', ...Object.keys(constants)], outputs: ['y'], ...node }],
      constants,
      inputs: [{ name: 'x', shape, type }],
      outputs: [{ name: 'y', type }],
    }),
    inputs: { x: type === 'string' ? { type, shape, values: ['a', 'b'] } : floats(shape) },
  };
}

const ofShape = ({ bytes, shape }) => ({ bytes, inputs: { x: floats(shape) } });
const product = (bits) => ofShape(makeProduct({ rows: 2, depth: 64, width: 32, bits }));

const resize = (mode) =>
  modelOf({ op: 'Resize', attributes: { mode } }, [1, 1, 4, 4], {
    roi: { shape: [0], values: new Float32Array(0) },
    scales: { shape: [4], values: Float32Array.of(1, 1, 2, 2) },
  });

const kModels = {
  'a convolution in float32': [
    modelOf({ op: 'Conv' }, [1, 2, 5, 5], { w: { shape: [3, 2, 3, 3], values: randomFloats(54, 2) } }),
    [],
  ],
  'a bilinear resize': [resize('linear'), []],
  'a bicubic resize': [resize('cubic'), ['onnx_rare']],
  'an Einstein sum': [modelOf({ op: 'Einsum', attributes: { equation: 'ij->ji' } }, [2, 3]), ['onnx_rare']],
  'a cast to a float of 8 bits': [modelOf({ op: 'Cast', attributes: { to: 17 } }, [2]), ['onnx_rare']],
  'a cast to the type of a value in bfloat16': [
    modelOf({ op: 'CastLike' }, [2], { like: { type: 'bfloat16', shape: [1], values: Uint16Array.of(0x3f80) } }),
    ['onnx_rare'],
  ],
  'a quantization to a float of 8 bits without zero point': [
    modelOf({ op: 'QuantizeLinear', attributes: { output_dtype: 17 } }, [2], {
      scale: { shape: [], values: Float32Array.of(1) },
    }),
    ['onnx_quant', 'onnx_rare', 'quant'],
  ],
  strings: [modelOf({ op: 'StringConcat', inputs: ['x', 'x'] }, [2], {}, 'string'), ['onnx_rare', 'text']],
  'a product with weights in float16': [product(16), ['half']],
  'a product with weights in 8 bits': [product(8), ['onnx_quant', 'quant']],
  'a product with weights in 4 bits': [product(4), ['onnx_quant', 'quant']],
  'a convolution in 8 bits': [
    ofShape(qdqModels().find(({ name }) => name === 'convolution of 1 groups')),
    ['onnx_quant', 'quant', 'quant_conv'],
  ],
  'a decoder of the ops of com.microsoft': [
    { bytes: makeDecoder(), inputs: decoderInputs([3, 1, 4]) },
    ['onnx_quant', 'onnx_transformer', 'quant'],
  ],
  'a decoder of standard ops': [
    { bytes: makePlainDecoder(), inputs: plainDecoderInputs([3, 1], 0, plainDecoderCaches()) },
    ['onnx_transformer'],
  ],
};

for (const [name, [{ bytes, inputs }, parts]] of Object.entries(kModels)) {
  test(`${name}: the parts are awaited by loadOnnxModel()`, () =>
    watching(async (tf, read) => {
      const model = await tf.loadOnnxModel(bytes);
      assert.deepEqual(read.awaited.sort(), ['files', 'graph', 'onnx', ...parts].sort());
      const tensors = Object.entries(inputs).map(([key, { type, shape, values }]) => [
        key,
        tf.tensor(
          Array.from(values, type === 'int64' ? Number : (value) => value),
          shape,
          type === 'int64' ? 'int32' : type,
        ),
      ]);
      for (let run = 0; run < 2; ++run) tf.dispose(model.predict(Object.fromEntries(tensors)));
      assert.deepEqual(read.atOnce, []);
      model.dispose();
    }));
}
