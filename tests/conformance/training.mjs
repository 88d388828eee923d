// Models that train in TensorFlow.js and in Tenure from the same weights, on the same batches.

/** Returns numbers between -1 and 1 that depend on the seed alone. */
function numbers(count, seed) {
  let state = (seed * 7919) >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
const size = (shape) => shape.reduce((a, b) => a * b, 1);
const real = (shape) => (tf, seed) => tf.tensor(numbers(size(shape), seed), shape);
const positive = (shape) => (tf, seed) => tf.tensor(numbers(size(shape), seed).map(Math.abs), shape);
const classes = (shape, most) => (tf, seed) =>
  tf.tensor(
    Array.from(numbers(size(shape), seed), (x) => Math.floor(((x + 1) / 2) * most)),
    shape,
  );
const oneHot = (rows, most) => (tf, seed) => {
  const values = new Float32Array(rows * most);
  numbers(rows, seed).forEach((x, i) => (values[i * most + Math.floor(((x + 1) / 2) * most)] = 1));
  return tf.tensor(values, [rows, most]);
};

const kBatch = 8;
// The orthogonal initializer needs chained ops, which the peer's packages lack.
const recurrentInitializer = 'glorotUniform';

/** `build` makes the model with TensorFlow.js; inputs and targets are made from a library and a seed. */
export const models = [
  {
    name: 'MLP',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.dense({ units: 16, inputShape: [6], activation: 'relu' }),
          layers.dense({ units: 8, activation: 'tanh' }),
          layers.dense({ units: 3, activation: 'softmax' }),
        ],
      }),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy', 'categoricalCrossentropy'],
    inputs: [real([kBatch, 6])],
    targets: [oneHot(kBatch, 3)],
  },
  {
    name: 'CNN with batch norm',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.conv2d({ filters: 4, kernelSize: 3, inputShape: [8, 8, 2], useBias: false }),
          layers.batchNormalization({ momentum: 0.8 }),
          layers.activation({ activation: 'relu' }),
          layers.maxPooling2d({ poolSize: 2 }),
          layers.depthwiseConv2d({ kernelSize: 2, activation: 'elu' }),
          layers.averagePooling2d({ poolSize: 2 }),
          layers.flatten(),
          layers.dense({ units: 4 }),
        ],
      }),
    loss: 'meanSquaredError',
    metrics: ['mae'],
    inputs: [real([kBatch, 8, 8, 2])],
    targets: [real([kBatch, 4])],
  },
  {
    name: 'separable and transposed convolutions',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.separableConv2d({
            filters: 4,
            kernelSize: 3,
            inputShape: [6, 6, 2],
            padding: 'same',
            activation: 'relu',
          }),
          layers.conv2dTranspose({ filters: 3, kernelSize: 3, strides: 2, padding: 'same', activation: 'tanh' }),
          layers.conv2d({ filters: 2, kernelSize: 3, padding: 'same' }),
          layers.globalAveragePooling2d({}),
          layers.dense({ units: 1, activation: 'sigmoid' }),
        ],
      }),
    loss: 'binaryCrossentropy',
    metrics: ['accuracy'],
    inputs: [real([kBatch, 6, 6, 2])],
    targets: [classes([kBatch, 1], 2)],
  },
  {
    name: 'LSTM and GRU',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.lstm({ units: 5, inputShape: [6, 3], returnSequences: true, recurrentInitializer }),
          layers.gru({ units: 4, returnSequences: true, recurrentInitializer }),
          layers.simpleRNN({ units: 3, recurrentInitializer }),
          layers.dense({ units: 2 }),
        ],
      }),
    loss: 'meanAbsoluteError',
    metrics: ['mse', 'cosine'],
    inputs: [real([kBatch, 6, 3])],
    targets: [real([kBatch, 2])],
  },
  {
    name: 'Bidirectional and TimeDistributed',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.bidirectional({
            layer: layers.lstm({ units: 3, returnSequences: true, recurrentInitializer }),
            mergeMode: 'concat',
            inputShape: [5, 2],
          }),
          layers.timeDistributed({ layer: layers.dense({ units: 4, activation: 'relu' }) }),
          layers.layerNormalization(),
          layers.dense({ units: 2 }),
        ],
      }),
    loss: 'meanSquaredError',
    inputs: [real([kBatch, 5, 2])],
    targets: [real([kBatch, 5, 2])],
  },
  {
    name: 'stacked cells behind a mask',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.masking({ inputShape: [5, 2] }),
          layers.rnn({
            cell: [
              layers.lstmCell({ units: 4, recurrentInitializer }),
              layers.gruCell({ units: 3, recurrentInitializer }),
            ],
            returnSequences: true,
          }),
          layers.rnn({ cell: layers.simpleRNNCell({ units: 3, recurrentInitializer }), goBackwards: true }),
          layers.dense({ units: 2 }),
        ],
      }),
    loss: 'meanSquaredError',
    inputs: [real([kBatch, 5, 2])],
    targets: [real([kBatch, 2])],
  },
  {
    name: 'ConvLSTM2D and volumes',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.convLstm2d({
            filters: 2,
            kernelSize: 2,
            padding: 'same',
            returnSequences: true,
            inputShape: [4, 5, 5, 1],
            recurrentInitializer,
          }),
          layers.conv3d({ filters: 3, kernelSize: [2, 3, 3], activation: 'relu' }),
          layers.averagePooling3d({ poolSize: [1, 2, 2], strides: 1 }),
          layers.maxPooling3d({ poolSize: [3, 1, 2] }),
          layers.flatten(),
          layers.dense({ units: 2 }),
        ],
      }),
    loss: 'meanSquaredError',
    metrics: ['mae'],
    inputs: [real([kBatch, 4, 5, 5, 1])],
    targets: [real([kBatch, 2])],
  },
  {
    name: 'stateful GRU',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.gru({ units: 4, stateful: true, batchInputShape: [kBatch, 3, 2], recurrentInitializer }),
          layers.dense({ units: 2 }),
        ],
      }),
    loss: 'meanSquaredError',
    inputs: [real([kBatch, 3, 2])],
    targets: [real([kBatch, 2])],
  },
  {
    name: 'Embedding and Conv1D',
    build: ({ sequential, layers }) =>
      sequential({
        layers: [
          layers.embedding({ inputDim: 10, outputDim: 4, inputLength: 7 }),
          layers.conv1d({ filters: 5, kernelSize: 3, activation: 'relu' }),
          layers.globalMaxPooling1d({}),
          layers.dense({ units: 4, activation: 'softmax' }),
        ],
      }),
    loss: 'sparseCategoricalCrossentropy',
    metrics: ['accuracy'],
    inputs: [classes([kBatch, 7], 10)],
    targets: [classes([kBatch, 1], 4)],
  },
  {
    name: 'two inputs and outputs',
    build: ({ input, model, layers }) => {
      const [a, b] = [input({ shape: [4], name: 'a' }), input({ shape: [3], name: 'b' })];
      const joined = layers.concatenate().apply([layers.dense({ units: 5, activation: 'selu' }).apply(a), b]);
      const shared = layers.dense({ units: 8, activation: 'swish' }).apply(joined);
      return model({
        inputs: [a, b],
        outputs: [
          layers.dense({ units: 2, name: 'first' }).apply(shared),
          layers.dense({ units: 3, activation: 'softmax', name: 'second' }).apply(shared),
        ],
      });
    },
    loss: ['meanSquaredError', 'categoricalCrossentropy'],
    metrics: { first: 'mae', second: ['accuracy'] },
    inputs: [real([kBatch, 4]), real([kBatch, 3])],
    targets: [real([kBatch, 2]), oneHot(kBatch, 3)],
  },
  {
    name: 'regularized',
    build: ({ sequential, layers, regularizers }) =>
      sequential({
        layers: [
          layers.dense({
            units: 6,
            inputShape: [5],
            kernelRegularizer: regularizers.l1l2({ l1: 0.02, l2: 0.1 }),
            activation: 'softplus',
          }),
          layers.prelu({ alphaRegularizer: 'l1l2' }),
          layers.dense({ units: 2, biasRegularizer: regularizers.l2({ l2: 0.3 }) }),
        ],
      }),
    loss: 'logcosh',
    inputs: [real([kBatch, 5])],
    targets: [positive([kBatch, 2])],
  },
];

/** Each library's own optimizer of that name. */
export const optimizers = {
  sgd: (tf) => tf.train.sgd(0.05),
  momentum: (tf) => tf.train.momentum(0.02, 0.8),
  nesterov: (tf) => tf.train.momentum(0.02, 0.8, true),
  adam: (tf) => tf.train.adam(0.01),
  rmsprop: (tf) => tf.train.rmsprop(0.005, 0.9, 0.3),
  adagrad: (tf) => tf.train.adagrad(0.05),
  adadelta: (tf) => tf.train.adadelta(0.5),
  adamax: (tf) => tf.train.adamax(0.01),
};

/** All losses, for targets and outputs of probabilities. */
export const losses = [
  'meanSquaredError',
  'meanAbsoluteError',
  'meanAbsolutePercentageError',
  'meanSquaredLogarithmicError',
  'squaredHinge',
  'hinge',
  'categoricalHinge',
  'logcosh',
  'categoricalCrossentropy',
  'binaryCrossentropy',
  'kullbackLeiblerDivergence',
  'poisson',
  'cosineProximity',
];

/** Returns the model's files, as the library saves them, with deterministic weights. */
export async function filesOf(tf, { build }) {
  const model = build(tf);
  let files;
  await model.save(tf.io.withSaveHandler((saved) => ((files = saved), { modelArtifactsInfo: {} })));
  model.dispose();
  const weights = files.weightSpecs.map(({ name, shape }, i) => initialWeights(name, shape, i + 1));
  const weightData = Float32Array.from(weights.flatMap((values) => [...values])).buffer;
  return { ...files, weightData, modelTopology: JSON.parse(JSON.stringify(files.modelTopology)) };
}

/** Returns initial weights: kernels in Glorot's range, positive variances. */
function initialWeights(name, shape, seed) {
  const values = numbers(size(shape), seed);
  if (/variance$/.test(name)) return values.map((x) => 1 + x / 2);
  if (/gamma$/.test(name)) return values.map((x) => 1 + x / 4);
  const width = shape.length > 1 ? Math.sqrt(6 / (size(shape.slice(0, -1)) + shape.at(-1))) : 0.1;
  return values.map((x) => width * x);
}

const flat = (value) => [value].flat();

/** Trains with one library; returns the numbers of each step, and the weights after them. */
export async function trainFiles(tf, files, row, makeOptimizer, steps) {
  const model = await tf.loadLayersModel({ load: () => Promise.resolve(structuredClone(files)) });
  const optimizer = makeOptimizer(tf);
  const made = [];
  try {
    model.compile({ optimizer, loss: row.loss, ...(row.metrics && { metrics: row.metrics }) });
    const numbers = [];
    for (let step = 0; step < steps; step++) {
      const x = row.inputs.map((make, i) => make(tf, 100 * step + i + 1));
      const y = row.targets.map((make, i) => make(tf, 100 * step + 50 + i));
      made.push(...x, ...y);
      numbers.push(flat(await model.trainOnBatch(x, y)));
    }
    const weights = Object.fromEntries(
      model.weights.map(({ name }, i) => [name, Array.from(model.getWeights()[i].dataSync())]),
    );
    return { names: [...model.metricsNames], numbers, weights: Object.values(weights) };
  } finally {
    tf.dispose(made);
    optimizer.dispose();
    model.dispose();
  }
}

/** Returns the largest difference of two results, absolute below 1 and relative above. */
export function difference(ours, theirs) {
  const [a, b] = [ours, theirs].map(({ numbers: steps, weights }) => [...steps, ...weights].flat());
  if (a.length !== b.length) return Infinity;
  return Math.max(...a.map((x, i) => (Object.is(x, b[i]) ? 0 : Math.abs(x - b[i]) / Math.max(1, Math.abs(b[i])))));
}
