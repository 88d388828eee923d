// Runs an ONNX model of 64-bit integers on the npm package 'webgpu', whose folder is the argument, on values that are only on the
// GPU. Prints what its reads return.
import { createRequire } from 'node:module';
import { onnxModel } from '../../bench/onnx.mjs';
import { held } from '../common.mjs';
import { tf } from '../expect.mjs';

const { create } = createRequire(import.meta.url)(process.argv[2]);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
await tf.setBackend('webgpu');
tf.env().set('WEBGL_CPU_FORWARD', false);

const model = await tf.loadOnnxModel(
  onnxModel({
    nodes: [{ op: 'Mul', inputs: ['x', 'x'], outputs: ['y'] }],
    input: { name: 'x', shape: [2], type: 'int64' },
    output: { name: 'y', type: 'int64' },
  }),
);

/** Returns the values of a tensor, or why they cannot be read. */
const read = (tensor) =>
  tensor.data().then(
    (values) => [...values],
    ({ message }) => message,
  );

/** Squares integers with the model: on the GPU, or on the CPU if they are there. */
const square = (values, isOnGpu) =>
  tf.tidy(() => {
    const x = tf.tensor1d(values, 'int32');
    return model.predict(isOnGpu ? x.neg() : x);
  });

async function run() {
  const large = square([65536, 1], true);
  const small = square([-3, 4], true);
  // All reads in flight report it; the next read does not.
  const first = await Promise.all([read(large), read(large), read(small)]);
  const next = await read(small);
  const after = square([5, 6], true);
  const later = await read(after);
  tf.dispose([large, small, after]);
  let onCpu;
  try {
    square([65536, 1], false).dispose();
  } catch ({ message }) {
    onCpu = message;
  }
  return { first, next, later, onCpu };
}

await run();
const before = held(tf);
const found = await run();
const after = held(tf);
model.dispose();
console.log(JSON.stringify({ found, before, after }));
process.exit(0);
