// Training workloads: a batch in, the loss out.
import { randomFloats, sizeOf } from './random.mjs';

/** Returns the artifacts of an IOHandler's load(), given layers and the shapes of their weights. */
function files(layers, shapes) {
  const weightSpecs = Object.entries(shapes).map(([name, shape]) => ({ name, shape, dtype: 'float32' }));
  const weightData = new Float32Array(weightSpecs.reduce((sum, { shape }) => sum + sizeOf(shape), 0));
  let at = 0;
  weightSpecs.forEach(({ shape }, i) => {
    const bound = Math.sqrt(3 / sizeOf(shape.slice(0, -1)));
    weightData.set(randomFloats(sizeOf(shape), i + 1, -bound, bound), at);
    at += sizeOf(shape);
  });
  const modelTopology = { class_name: 'Sequential', config: { name: 'trained', layers } };
  return { format: 'layers-model', modelTopology, weightSpecs, weightData: weightData.buffer };
}
const layer = (className, name, config) => ({ class_name: className, config: { name, ...config } });
const classes = (name, units) => layer('Dense', name, { units, activation: 'softmax' });

export const trainWorkloads = [
  {
    name: 'train MLP 784-128-10, batch 64',
    model: () =>
      files(
        [
          layer('Dense', 'hidden', { units: 128, activation: 'relu', batch_input_shape: [null, 784] }),
          classes('out', 10),
        ],
        {
          'hidden/kernel': [784, 128],
          'hidden/bias': [128],
          'out/kernel': [128, 10],
          'out/bias': [10],
        },
      ),
    train: { input: [64, 784], classes: 10 },
  },
  {
    name: 'train LSTM 64, 32 steps, batch 16',
    model: () =>
      files([layer('LSTM', 'lstm', { units: 64, batch_input_shape: [null, 32, 16] }), classes('out', 10)], {
        'lstm/kernel': [16, 256],
        'lstm/recurrent_kernel': [64, 256],
        'lstm/bias': [256],
        'out/kernel': [64, 10],
        'out/bias': [10],
      }),
    train: { input: [16, 32, 16], classes: 10 },
  },
  {
    name: 'train MNIST CNN, batch 64',
    model: () =>
      files(
        [
          layer('Conv2D', 'conv1', {
            filters: 8,
            kernel_size: [5, 5],
            activation: 'relu',
            batch_input_shape: [null, 28, 28, 1],
          }),
          layer('MaxPooling2D', 'pool1', { pool_size: [2, 2], strides: [2, 2] }),
          layer('Conv2D', 'conv2', { filters: 16, kernel_size: [5, 5], activation: 'relu' }),
          layer('MaxPooling2D', 'pool2', { pool_size: [2, 2], strides: [2, 2] }),
          layer('Flatten', 'flat', {}),
          classes('out', 10),
        ],
        {
          'conv1/kernel': [5, 5, 1, 8],
          'conv1/bias': [8],
          'conv2/kernel': [5, 5, 8, 16],
          'conv2/bias': [16],
          'out/kernel': [256, 10],
          'out/bias': [10],
        },
      ),
    train: { input: [64, 28, 28, 1], classes: 10 },
    // TensorFlow.js's WebAssembly backend has no gradients of convolutions.
    without: ['tfjs wasm'],
  },
];
