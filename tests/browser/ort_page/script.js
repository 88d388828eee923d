// A program that uses the global `ort` of a script element, which shares the engine of the global `tf`.
import { onnxModel } from './onnx.mjs';
import { show } from './show.js';

const { ort, tf } = window;
const file = onnxModel({
  nodes: [{ op: 'Neg', inputs: ['x'], outputs: ['y'] }],
  input: { name: 'x', shape: ['n'] },
  output: { name: 'y' },
});

const session = await ort.InferenceSession.create(file);
const { y } = await session.run({ x: new ort.Tensor(Float32Array.of(1, -2)) });
await session.release();
show({
  data: [...y.data],
  isTensor: y instanceof ort.Tensor,
  left: tf.memory().numTensors,
  version: ort.env.versions.common,
});
