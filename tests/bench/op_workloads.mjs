// Single operations: `call` on tensors of the shapes in `inputs`, and the equivalent ONNX node. Results are computed but not
// read, as in a program that continues with them: reading would be two thirds of a depthwise convolution in a page.
// ONNX Runtime takes the first input from JavaScript at each call and returns its output, as its API requires; other inputs are
// constants. `arrays` workloads do the same with Tenure. `multiplyAdds` and `outputs`, in elements, serve the lower bound.

const kFilters = [3, 2, 0, 1];
const kDepthwiseFilters = [2, 3, 0, 1];

function matmul(size) {
  return {
    name: `matmul ${size}`,
    inputs: [
      [size, size],
      [size, size],
    ],
    call: (tf, a, b) => tf.matMul(a, b),
    multiplyAdds: size ** 3,
    outputs: size ** 2,
    onnx: { op: 'MatMul' },
  };
}

function conv(name, { size, channels, filters, kernel, stride = 1 }) {
  const outputs = (size / stride) ** 2 * filters;
  return {
    name,
    inputs: [
      [1, size, size, channels],
      [kernel, kernel, channels, filters],
    ],
    call: (tf, x, filter) => tf.conv2d(x, filter, stride, 'same'),
    multiplyAdds: outputs * kernel ** 2 * channels,
    outputs,
    onnx: {
      op: 'Conv',
      attributes: { auto_pad: 'SAME_UPPER', strides: [stride, stride] },
      images: true,
      constantOrder: kFilters,
    },
  };
}

function tinyChain(tf, x, y) {
  for (let i = 0; i < 100; ++i) x = tf.add(x, y);
  return x;
}

const kOps = [
  { name: 'one small op', inputs: [[4], [4]], call: tinyChain, calls: 100, tiny: true },
  matmul(256),
  matmul(512),
  matmul(1024),
  conv('conv 3x3 56x56x64->64', { size: 56, channels: 64, filters: 64, kernel: 3 }),
  conv('conv 1x1 28x28x256->256', { size: 28, channels: 256, filters: 256, kernel: 1 }),
  conv('conv 3x3 s2 224x224x3->32', { size: 224, channels: 3, filters: 32, kernel: 3, stride: 2 }),
  conv('conv 3x3 s2 56x56x64->128', { size: 56, channels: 64, filters: 128, kernel: 3, stride: 2 }),
  {
    name: 'depthwise 3x3 112x112x64',
    inputs: [
      [1, 112, 112, 64],
      [3, 3, 64, 1],
    ],
    call: (tf, x, filter) => tf.depthwiseConv2d(x, filter, 1, 'same'),
    multiplyAdds: 112 ** 2 * 64 * 9,
    outputs: 112 ** 2 * 64,
    onnx: {
      op: 'Conv',
      attributes: { auto_pad: 'SAME_UPPER', group: 64 },
      images: true,
      constantOrder: kDepthwiseFilters,
    },
  },
  {
    name: 'max pool 3x3 s2 112x112x64',
    inputs: [[1, 112, 112, 64]],
    call: (tf, x) => tf.maxPool(x, 3, 2, 'same'),
    onnx: {
      op: 'MaxPool',
      attributes: { auto_pad: 'SAME_UPPER', kernel_shape: [3, 3], strides: [2, 2] },
      images: true,
    },
  },
  { name: 'softmax 1024x1000', inputs: [[1024, 1000]], call: (tf, x) => tf.softmax(x), onnx: { op: 'Softmax' } },
  // The others are memory-bound: copying their inputs in would be most of the time.
  { name: 'sum axis 0 of 2048x2048', inputs: [[2048, 2048]], call: (tf, x) => tf.sum(x, 0) },
  { name: 'transpose 2048x2048', inputs: [[2048, 2048]], call: (tf, x) => tf.transpose(x) },
  {
    name: 'add 4M',
    inputs: [
      [2048, 2048],
      [2048, 2048],
    ],
    call: (tf, x, y) => tf.add(x, y),
  },
  { name: 'relu 4M', inputs: [[2048, 2048]], call: (tf, x) => tf.relu(x) },
  { name: 'multiply 4M by 2', inputs: [[2048, 2048]], call: (tf, x) => tf.mul(x, 2) },
  { name: 'sigmoid 1M', inputs: [[1 << 20]], call: (tf, x) => tf.sigmoid(x), tflite: { op: 'Sigmoid' } },
  {
    name: 'x * y + x, relu, sub: 1M',
    inputs: [[1 << 20], [1 << 20]],
    call: (tf, x, y) => tf.sub(tf.relu(tf.add(tf.mul(x, y), x)), y),
  },
];

export const opWorkloads = [
  ...kOps.map(({ onnx, tflite = onnx, ...op }) => ({ ...op, tflite })),
  ...kOps
    .filter(({ onnx }) => onnx)
    .map((op) => ({ ...op, name: `${op.name}, of arrays`, arrays: true, without: ['tfjs wasm'] })),
];
