// A program for onnxruntime-web, which an import map gives tenure/ort, on both backends.
import * as ort from 'onnxruntime-web';
import * as tf from 'tenure';
import { onnxModel } from './onnx.mjs';
import { show } from './show.js';

const kSize = 256;

/** Returns the bytes of a model with y = Relu(x w), where w has twos in its diagonal. */
function model() {
  const values = Float32Array.from({ length: kSize * kSize }, (_, i) => (i % (kSize + 1) === 0 ? 2 : 0));
  return onnxModel({
    nodes: [
      { op: 'MatMul', inputs: ['x', 'w'], outputs: ['product'] },
      { op: 'Relu', inputs: ['product'], outputs: ['y'] },
    ],
    constants: { w: { values, shape: [kSize, kSize] } },
    input: { name: 'x', shape: ['rows', kSize] },
    output: { name: 'y' },
  });
}

/** Runs a session three times at once. Returns whether all outputs are right, and the tensors that it left. */
async function runs(backend) {
  const chosen = await tf.setBackend(backend);
  const before = tf.memory().numTensors;
  const address = URL.createObjectURL(new Blob([model()]));
  const session = await ort.InferenceSession.create(address, { executionProviders: ['webgpu', 'wasm'] });
  const idle = tf.memory().numTensors;
  const inputs = [1, -2, 3].map((value) => new Float32Array(kSize * kSize).fill(value));
  const results = await Promise.all(
    inputs.map((input) => session.run({ x: new ort.Tensor('float32', input, [kSize, kSize]) })),
  );
  const left = tf.memory().numTensors - idle;
  await session.release();
  const isRight = results.map(({ y }, i) => y.data.every((value) => value === Math.max(0, 2 * inputs[i][0])));
  return { chosen, isRight, left, released: tf.memory().numTensors - before };
}

/** Returns what a float16 output has, also one that is written into a given tensor, and the class that is expected. */
async function half() {
  const file = onnxModel({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [{ name: 'x', type: 'float16', shape: [2] }],
    outputs: [{ name: 'y', type: 'float16' }],
  });
  const session = await ort.InferenceSession.create(file);
  const x = new ort.Tensor('float16', Uint16Array.of(0x3e00, 0xc000), [2]);
  const given = new ort.Tensor('float16', new Uint16Array(2), [2]);
  const { y } = await session.run({ x });
  await session.run({ x }, { y: given });
  await session.release();
  return {
    bits: [y, given].map(({ data }) => [...new Uint16Array(data.buffer)]),
    names: [y, x].map(({ data }) => data.constructor.name),
  };
}

show({ half: await half(), wasm: await runs('wasm'), webgl: await runs('webgl'), versions: ort.env.versions });
