// Cases of @tensorflow/tfjs-layers, as functions of the core it runs on: `tf` is the core, `L` the package.
const ramp = (tf, shape, from = -1, to = 1) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => from + ((to - from) * ((i * 7) % size)) / Math.max(1, size - 1)),
    shape,
  );
};
const ones = { kernelInitializer: 'ones', biasInitializer: 'zeros' };
const recurrent = { units: 3, kernelInitializer: 'ones', recurrentInitializer: 'ones', biasInitializer: 'zeros' };

/** Layers by name: their arguments and the shape of one sample. */
const kLayers = [
  ['dense', { units: 3, ...ones, activation: 'tanh' }, [4]],
  ['dense', { units: 3, ...ones, useBias: false, kernelRegularizer: 'l1l2' }, [2, 4]],
  ...[
    'elu',
    'hardSigmoid',
    'linear',
    'relu',
    'relu6',
    'selu',
    'sigmoid',
    'softmax',
    'softplus',
    'softsign',
    'tanh',
    'swish',
    'mish',
    'gelu',
    'gelu_new',
  ].map((activation) => ['activation', { activation }, [5]]),
  ['elu', { alpha: 0.5 }, [5]],
  ['leakyReLU', { alpha: 0.2 }, [5]],
  ['prelu', { alphaInitializer: 'ones' }, [5]],
  ['prelu', { alphaInitializer: 'ones', sharedAxes: [1] }, [3, 5]],
  ['reLU', { maxValue: 0.5 }, [5]],
  ['softmax', { axis: -1 }, [5]],
  ['thresholdedReLU', { theta: 0.3 }, [5]],
  ['conv1d', { filters: 2, kernelSize: 3, strides: 2, padding: 'same', ...ones }, [7, 2]],
  ['conv1d', { filters: 2, kernelSize: 3, padding: 'causal', dilationRate: 2, ...ones }, [7, 2]],
  ['conv2d', { filters: 2, kernelSize: [3, 2], strides: 2, padding: 'same', activation: 'relu', ...ones }, [6, 5, 3]],
  ['conv2d', { filters: 2, kernelSize: 3, dilationRate: 2, padding: 'valid', ...ones }, [7, 7, 2]],
  ['conv2d', { filters: 2, kernelSize: 3, dataFormat: 'channelsFirst', ...ones }, [2, 5, 5]],
  ['conv2dTranspose', { filters: 2, kernelSize: 3, strides: 2, padding: 'same', ...ones }, [4, 4, 2]],
  ['conv2dTranspose', { filters: 2, kernelSize: 2, ...ones }, [4, 4, 2]],
  ['conv3d', { filters: 2, kernelSize: 2, ...ones }, [4, 4, 4, 2]],
  ['conv3dTranspose', { filters: 2, kernelSize: 2, ...ones }, [3, 3, 3, 2]],
  [
    'cropping2D',
    {
      cropping: [
        [1, 1],
        [0, 1],
      ],
    },
    [5, 4, 2],
  ],
  ['depthwiseConv2d', { kernelSize: 3, depthMultiplier: 2, depthwiseInitializer: 'ones', padding: 'same' }, [5, 5, 2]],
  [
    'separableConv2d',
    { filters: 3, kernelSize: 3, depthwiseInitializer: 'ones', pointwiseInitializer: 'ones' },
    [5, 5, 2],
  ],
  ['upSampling2d', { size: [2, 3] }, [2, 2, 2]],
  ['upSampling2d', { size: [2, 2], interpolation: 'bilinear' }, [2, 2, 2]],
  ['flatten', {}, [2, 3]],
  ['flatten', { dataFormat: 'channelsFirst' }, [2, 3, 2]],
  ['permute', { dims: [2, 1] }, [2, 3]],
  ['repeatVector', { n: 3 }, [4]],
  ['reshape', { targetShape: [2, -1] }, [8]],
  ['spatialDropout1d', { rate: 0.5 }, [4, 2]],
  ['dropout', { rate: 0.5 }, [4]],
  ['alphaDropout', { rate: 0.5 }, [4]],
  ['gaussianDropout', { rate: 0.5 }, [4]],
  ['gaussianNoise', { stddev: 0.5 }, [4]],
  ['masking', { maskValue: 0 }, [3, 2]],
  ['batchNormalization', {}, [4]],
  ['batchNormalization', { axis: 1, scale: false }, [3, 4]],
  ['batchNormalization', { center: false, momentum: 0.5 }, [3, 3, 2]],
  ['layerNormalization', {}, [4]],
  [
    'zeroPadding2d',
    {
      padding: [
        [1, 0],
        [2, 1],
      ],
    },
    [3, 3, 2],
  ],
  ['averagePooling1d', { poolSize: 2 }, [6, 2]],
  ['averagePooling2d', { poolSize: 2, padding: 'same' }, [5, 5, 2]],
  ['averagePooling3d', { poolSize: 2 }, [4, 4, 4, 1]],
  ['globalAveragePooling1d', {}, [4, 2]],
  ['globalAveragePooling2d', {}, [4, 4, 2]],
  ['globalMaxPooling1d', {}, [4, 2]],
  ['globalMaxPooling2d', { dataFormat: 'channelsFirst' }, [2, 4, 4]],
  ['maxPooling1d', { poolSize: 2, strides: 1 }, [6, 2]],
  ['maxPooling2d', { poolSize: [2, 3] }, [6, 6, 2]],
  ['maxPooling3d', { poolSize: 2 }, [4, 4, 4, 1]],
  ['gru', { ...recurrent, resetAfter: true }, [4, 2]],
  ['gru', { ...recurrent, returnSequences: true, goBackwards: true }, [4, 2]],
  ['lstm', { ...recurrent }, [4, 2]],
  ['lstm', { ...recurrent, returnSequences: true, unitForgetBias: true, implementation: 2 }, [4, 2]],
  ['simpleRNN', { ...recurrent, unroll: true }, [4, 2]],
  [
    'convLstm2d',
    { filters: 2, kernelSize: 3, kernelInitializer: 'ones', recurrentInitializer: 'ones', returnSequences: true },
    [3, 5, 5, 1],
  ],
  ['rescaling', { scale: 0.5, offset: 1 }, [4]],
  ['centerCrop', { height: 2, width: 2 }, [4, 4, 1]],
  ['resizing', { height: 3, width: 5 }, [4, 4, 1]],
  [
    'categoryEncoding',
    { numTokens: 4, outputMode: 'multiHot' },
    [2],
    [
      [0, 1],
      [3, 2],
    ],
  ],
  ['randomWidth', { factor: [0.5, 0.5], seed: 3 }, [4, 4, 1]],
];
const kCompositions = {
  add: (L, a, b) => L.layers.add().apply([a, b]),
  average: (L, a, b) => L.layers.average().apply([a, b]),
  concatenate: (L, a, b) => L.layers.concatenate({ axis: -1 }).apply([a, b]),
  dot: (L, a, b) => L.layers.dot({ axes: -1, normalize: true }).apply([a, b]),
  maximum: (L, a, b) => L.layers.maximum().apply([a, b]),
  minimum: (L, a, b) => L.layers.minimum().apply([a, b]),
  multiply: (L, a, b) => L.layers.multiply().apply([a, b]),
};

const numbers = async (x) => ({ shape: x.shape, dtype: x.dtype, values: Array.from(await x.data()) });
const weightsOf = (model) => Promise.all(model.getWeights().map(numbers));
const small = (L, options = {}) =>
  L.sequential({
    layers: [
      L.layers.dense({
        units: 4,
        activation: 'tanh',
        inputShape: [3],
        kernelInitializer: L.initializers.randomUniform({ seed: 1, minval: -1, maxval: 1 }),
        ...options,
      }),
      L.layers.dense({
        units: 2,
        activation: 'softmax',
        kernelInitializer: L.initializers.randomUniform({ seed: 2, minval: -1, maxval: 1 }),
      }),
    ],
  });
const labels = (tf) =>
  tf.tensor2d([
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
  ]);

async function fitted(tf, L, compile, fit = {}, options = {}) {
  const model = small(L, options);
  model.compile({ optimizer: 'sgd', loss: 'categoricalCrossentropy', ...compile });
  const x = ramp(tf, [6, 3]);
  const y = labels(tf);
  const { history, epoch } = await model.fit(x, y, {
    epochs: 3,
    batchSize: 2,
    shuffle: false,
    verbose: 0,
    yieldEvery: 'never',
    ...fit,
  });
  const weights = await weightsOf(model);
  const scores = model.evaluate(x, y, { batchSize: 3 });
  const evaluated = await Promise.all([scores].flat().map(numbers));
  tf.dispose([x, y, scores, model.dispose()]);
  return { history, epoch, weights, evaluated };
}

/** `{ name: (tf, L) => results }` */
export const layerCases = Object.fromEntries([
  ...kLayers.map(([name, config, shape, given], i) => [
    `layers.${name} ${i}`,
    async (tf, L) => {
      const layer = L.layers[name]({ ...config, inputShape: shape });
      const model = L.sequential({ layers: [layer] });
      const x = given ? tf.tensor(given, [2, ...shape], 'int32') : ramp(tf, [2, ...shape]);
      const y = model.predict(x);
      const result = {
        y: await numbers(y),
        config: layer.getConfig(),
        count: model.countParams(),
        shape: model.outputs[0].shape,
      };
      tf.dispose([x, y]);
      model.dispose();
      return result;
    },
  ]),
  ...kLayers
    .filter(([name, , , given]) => !given && !/dropout|noise|random|masking/i.test(name))
    .map(([name, config, shape], i) => [
      `train layers.${name} ${i}`,
      async (tf, L) => {
        const model = L.sequential({ layers: [L.layers[name]({ ...config, inputShape: shape })] });
        model.compile({ optimizer: L.core?.train.sgd(0.1) ?? tf.train.sgd(0.1), loss: 'meanSquaredError' });
        const x = ramp(tf, [2, ...shape]);
        const y = ramp(tf, [2, ...model.outputs[0].shape.slice(1)], 0, 0.5);
        const result =
          model.countParams() > 0 ? (await model.fit(x, y, { epochs: 2, shuffle: false, verbose: 0 })).history : {};
        const weights = await weightsOf(model);
        tf.dispose([x, y]);
        model.dispose();
        return { result, weights };
      },
    ]),
  ...Object.entries(kCompositions).map(([name, compose]) => [
    `layers.${name}`,
    async (tf, L) => {
      const [a, b] = [L.input({ shape: [4] }), L.input({ shape: [4] })];
      const model = L.model({ inputs: [a, b], outputs: compose(L, a, b) });
      const x = [ramp(tf, [3, 4]), ramp(tf, [3, 4], 0, 2)];
      const y = model.predict(x);
      const result = await numbers(y);
      tf.dispose([x, y]);
      model.dispose();
      return result;
    },
  ]),
  ...['sgd', 'momentum', 'adagrad', 'adadelta', 'adam', 'adamax', 'rmsprop'].map((name) => [
    `fit with ${name}`,
    (tf, L) =>
      fitted(tf, L, { optimizer: name === 'momentum' ? tf.train.momentum(0.1, 0.9) : name, metrics: ['accuracy'] }),
  ]),
  ...[
    'categoricalCrossentropy',
    'meanSquaredError',
    'meanAbsoluteError',
    'meanAbsolutePercentageError',
    'meanSquaredLogarithmicError',
    'squaredHinge',
    'hinge',
    'categoricalHinge',
    'logcosh',
    'kullbackLeiblerDivergence',
    'poisson',
    'binaryCrossentropy',
    'cosineProximity',
  ].map((loss) => [
    `fit with ${loss}`,
    (tf, L) =>
      fitted(tf, L, {
        loss,
        metrics: ['mse', 'mae', 'categoricalAccuracy', 'cosine', 'precision', 'recall', 'binaryCrossentropy'],
      }),
  ]),
  ...['maxNorm', 'minMaxNorm', 'nonNeg', 'unitNorm'].map((name) => [
    `fit with constraint ${name}`,
    (tf, L) =>
      fitted(tf, L, {}, {}, { kernelConstraint: L.constraints[name]({ maxValue: 0.7, minValue: 0.2, axis: 0 }) }),
  ]),
  ...['l1', 'l2', 'l1l2'].map((name) => [
    `fit with ${name}`,
    (tf, L) => fitted(tf, L, {}, {}, { kernelRegularizer: L.regularizers[name]({}) }),
  ]),
  ...[
    'glorotNormal',
    'glorotUniform',
    'heNormal',
    'heUniform',
    'leCunNormal',
    'leCunUniform',
    'randomNormal',
    'randomUniform',
    'truncatedNormal',
    'varianceScaling',
  ].map((name) => [
    `initializer ${name}`,
    async (tf, L) => {
      const args = {
        seed: 7,
        minval: -1,
        maxval: 1,
        mean: 0,
        stddev: 1,
        scale: 1,
        mode: 'fanIn',
        distribution: 'normal',
      };
      const x = L.initializers[name](args).apply([3, 4]);
      const result = await numbers(x);
      x.dispose();
      return result;
    },
  ]),
  ...['constant', 'identity', 'ones', 'zeros', 'orthogonal'].map((name) => [
    `initializer ${name}`,
    async (tf, L) => {
      const x = L.initializers[name]({ value: 3, gain: 2, seed: 3 }).apply([3, 3]);
      const square = tf.tidy(() => x.matMul(x.transpose()));
      const result = name === 'orthogonal' ? await numbers(square) : await numbers(x);
      tf.dispose([x, square]);
      return result;
    },
  ]),
  [
    'validationSplit and callbacks',
    async (tf, L) => {
      const seen = [];
      const callbacks = Object.fromEntries(
        ['onTrainBegin', 'onTrainEnd', 'onEpochBegin', 'onEpochEnd', 'onBatchBegin', 'onBatchEnd'].map((name) => [
          name,
          (at) => void seen.push([name, typeof at === 'number' ? at : null]),
        ]),
      );
      const result = await fitted(tf, L, { metrics: ['accuracy'] }, { validationSplit: 0.34, callbacks });
      return { ...result, seen };
    },
  ],
  [
    'earlyStopping',
    (tf, L) =>
      fitted(
        tf,
        L,
        {},
        { epochs: 9, callbacks: L.callbacks.earlyStopping({ monitor: 'loss', minDelta: 1, patience: 1 }) },
      ),
  ],
  ['classWeight', (tf, L) => fitted(tf, L, {}, { classWeight: { 0: 2, 1: 0.5 } })],
  [
    'trainOnBatch',
    async (tf, L) => {
      const model = small(L);
      model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const [x, y] = [ramp(tf, [6, 3]), labels(tf)];
      const results = [await model.trainOnBatch(x, y), await model.trainOnBatch(x, y)];
      tf.dispose([x, y]);
      model.dispose();
      return results;
    },
  ],
  [
    'fitDataset and evaluateDataset',
    async (tf, L, { data }) => {
      const model = small(L);
      model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
      const dataset = data
        .array([0, 1, 2, 3])
        .map((i) => ({ xs: tf.tensor1d([i, 1, -i]), ys: tf.tensor1d([1, 0]) }))
        .batch(2);
      const { history } = await model.fitDataset(dataset, { epochs: 2, verbose: 0, validationData: dataset });
      const score = await model.evaluateDataset(dataset, {});
      const result = { history, score: await numbers(score) };
      score.dispose();
      model.dispose();
      return result;
    },
  ],
  [
    'save, load and go on',
    async (tf, L) => {
      const model = small(L);
      model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
      const [x, y] = [ramp(tf, [6, 3]), labels(tf)];
      await model.fit(x, y, { epochs: 2, shuffle: false, verbose: 0 });
      let artifacts;
      const saved = await model.save(
        tf.io.withSaveHandler(
          (given) => ((artifacts = given), { modelArtifactsInfo: { dateSaved: 0, modelTopologyType: 'JSON' } }),
        ),
        { includeOptimizer: true },
      );
      const loaded = await L.loadLayersModel(tf.io.fromMemory(artifacts));
      const { history } = await loaded.fit(x, y, { epochs: 1, shuffle: false, verbose: 0 });
      const result = {
        saved,
        specs: artifacts.weightSpecs,
        topology: artifacts.modelTopology,
        history,
        weights: await weightsOf(loaded),
      };
      tf.dispose([x, y, model.dispose(), loaded.dispose()]);
      return result;
    },
  ],
  [
    'stateful LSTM',
    async (tf, L) => {
      const model = L.sequential({
        layers: [L.layers.lstm({ ...recurrent, stateful: true, batchInputShape: [1, 2, 1] })],
      });
      const x = ramp(tf, [1, 2, 1]);
      const results = [];
      for (let i = 0; i < 3; i++) {
        const y = model.predict(x);
        results.push(await numbers(y));
        y.dispose();
        if (i === 1) model.resetStates();
      }
      tf.dispose(x);
      model.dispose();
      return results;
    },
  ],
  [
    'bidirectional and timeDistributed',
    async (tf, L) => {
      const model = L.sequential();
      model.add(
        L.layers.bidirectional({
          layer: L.layers.gru({ ...recurrent, returnSequences: true }),
          mergeMode: 'concat',
          inputShape: [4, 2],
        }),
      );
      model.add(L.layers.timeDistributed({ layer: L.layers.dense({ units: 2, ...ones }) }));
      const x = ramp(tf, [2, 4, 2]);
      const y = model.predict(x);
      const result = { y: await numbers(y), json: JSON.parse(model.toJSON(null, false)) };
      tf.dispose([x, y]);
      model.dispose();
      return result;
    },
  ],
  [
    'embedding with a mask',
    async (tf, L) => {
      const model = L.sequential();
      model.add(
        L.layers.embedding({
          inputDim: 5,
          outputDim: 3,
          embeddingsInitializer: 'ones',
          maskZero: true,
          inputLength: 4,
        }),
      );
      model.add(L.layers.lstm(recurrent));
      const x = tf.tensor2d(
        [
          [1, 2, 0, 0],
          [3, 4, 1, 0],
        ],
        [2, 4],
        'int32',
      );
      const y = model.predict(x);
      const result = await numbers(y);
      tf.dispose([x, y]);
      model.dispose();
      return result;
    },
  ],
  [
    'summary',
    (tf, L) => {
      const model = small(L);
      const lines = [];
      model.summary(undefined, undefined, (line) => lines.push(line));
      model.dispose();
      return lines;
    },
  ],
  [
    'a layer of a program',
    async (tf, L) => {
      class Scale extends L.layers.Layer {
        static className = 'Scale';
        build(shape) {
          this.factor = this.addWeight('factor', [shape.at(-1)], 'float32', L.initializers.constant({ value: 2 }));
          this.built = true;
        }
        call(inputs) {
          return tf.tidy(() => tf.mul(Array.isArray(inputs) ? inputs[0] : inputs, this.factor.read()));
        }
      }
      tf.serialization.registerClass(Scale);
      const model = L.sequential({ layers: [new Scale({ inputShape: [3] }), L.layers.dense({ units: 2, ...ones })] });
      const copy = await L.models.modelFromJSON(
        JSON.parse(JSON.stringify({ modelTopology: model.toJSON(null, false) })),
      );
      copy.setWeights(model.getWeights());
      const x = ramp(tf, [2, 3]);
      const y = copy.predict(x);
      const result = await numbers(y);
      tf.dispose([x, y]);
      copy.dispose();
      model.dispose();
      return result;
    },
  ],
  [
    'a loss and a metric of a program',
    (tf, L) => fitted(tf, L, { loss: (a, b) => tf.losses.huberLoss(a, b), metrics: [(a, b) => a.sub(b).abs().max()] }),
  ],
  [
    'a custom optimizer',
    (tf, L) => {
      class Mine extends tf.Optimizer {
        static className = 'Mine';
        applyGradients(gradients) {
          const names = Array.isArray(gradients) ? gradients.map(({ name }) => name) : Object.keys(gradients);
          names.forEach((name, i) => {
            const gradient = Array.isArray(gradients) ? gradients[i].tensor : gradients[name];
            const variable = tf.engine().registeredVariables[name];
            tf.tidy(() => variable.assign(variable.sub(gradient.mul(0.1))));
          });
          this.incrementIterations();
        }
        getConfig() {
          return {};
        }
      }
      return fitted(tf, L, { optimizer: new Mine() });
    },
  ],
  ...[
    ['no input shape', (tf, L) => L.sequential({ layers: [L.layers.dense({ units: 1 })] }).predict(tf.ones([1, 2]))],
    ['wrong shape of the input', (tf, L) => small(L).predict(tf.ones([2, 4]))],
    ['not compiled', (tf, L) => small(L).fit(tf.ones([2, 3]), tf.ones([2, 2]))],
    ['unknown loss', (tf, L) => small(L).compile({ optimizer: 'sgd', loss: 'nothing' })],
    ['unknown optimizer', (tf, L) => small(L).compile({ optimizer: 'nothing', loss: 'meanSquaredError' })],
    ['weights of another shape', (tf, L) => small(L).setWeights([tf.ones([1])])],
    ['negative units', (tf, L) => L.layers.dense({ units: -1 })],
    [
      'used after dispose',
      (tf, L) => {
        const model = small(L);
        model.dispose();
        return model.predict(tf.ones([1, 3]));
      },
    ],
    [
      'layers with one name',
      (tf, L) =>
        L.sequential({
          layers: [L.layers.dense({ units: 1, name: 'a', inputShape: [1] }), L.layers.dense({ units: 1, name: 'a' })],
        }).getLayer('b'),
    ],
  ].map(([name, fail]) => [
    `error: ${name}`,
    async (tf, L) => {
      tf.engine().startScope();
      try {
        await fail(tf, L);
        return 'no error';
      } finally {
        tf.engine().endScope();
      }
    },
  ]),
]);
