import { kToChannelsFirst, kToChannelsLast, permute } from './layout.mjs';
import { randomFloats, sizeOf } from './random.mjs';

/** jax-js on WebGPU: the ops that it has, compiled by jit(). Images have their channels first. */
export async function jaxEngine({ init, defaultDevice, jit, blockUntilReady, numpy: np, nn, lax }) {
  await init('webgpu');
  defaultDevice('webgpu');
  const calls = {
    MatMul: () => (x, y) => np.matmul(x, y),
    Softmax: () => (x) => nn.softmax(x, -1),
    Sigmoid: () => (x) => nn.sigmoid(x),
    Conv:
      ({ strides: [stride] = [1], group }) =>
      (x, filter) =>
        lax.convGeneralDilated(x, filter, [stride, stride], 'SAME', { featureGroupCount: group ?? 1 }),
    'sum axis 0 of 2048x2048': () => (x) => np.sum(x, 0),
    // A transposition alone is a view.
    'transpose 2048x2048': () => (x) => np.transpose(x).add(0),
    'add 4M': () => (x, y) => np.add(x, y),
    'relu 4M': () => (x) => nn.relu(x),
    'multiply 4M by 2': () => (x) => np.multiply(x, 2),
    'x * y + x, relu, sub: 1M': () => (x, y) => nn.relu(x.ref.mul(y.ref).add(x)).sub(y),
  };
  return {
    async prepare({ name, inputs, tflite, onnx = tflite, arrays, model, train }) {
      const kind = calls[onnx?.op ?? name];
      if (!kind || arrays || model || train) return undefined;
      const { images, constantOrder, attributes = {} } = onnx ?? {};
      const operands = inputs.map((shape, i) => {
        const given = { values: randomFloats(sizeOf(shape), i + 1), shape };
        const order = i > 0 ? constantOrder : images && kToChannelsFirst;
        const { values, shape: dims } = order ? permute(given.values, shape, order) : given;
        return np.array(values, { shape: dims });
      });
      const run = jit(kind(attributes));
      // A call consumes a reference to each of its arguments.
      const compute = () => run(...operands.map((operand) => operand.ref));
      return {
        async call() {
          const y = compute();
          await blockUntilReady(y);
          y.dispose();
        },
        async result() {
          const y = compute();
          const { shape } = y;
          const values = await y.data();
          return images ? permute(values, shape, kToChannelsLast).values : values;
        },
        end() {
          for (const operand of operands) operand.dispose();
        },
      };
    },
  };
}
