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

show({ wasm: await runs('wasm'), webgl: await runs('webgl'), versions: ort.env.versions });
