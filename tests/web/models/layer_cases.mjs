// Every constructor of tf.layers with several sets of arguments: [factory, arguments, shapes of the inputs].

const image = [[2, 6, 7, 3]];
const steps = [[2, 5, 4]];
const rows = [[3, 4]];
const pair = [
  [2, 3, 4],
  [2, 3, 4],
];

export const cases = [
  ['dense', { units: 3 }, rows],
  [
    'dense',
    { units: 2, activation: 'relu', useBias: false, kernelInitializer: 'heNormal', kernelRegularizer: 'l1l2' },
    rows,
  ],
  ['dense', { units: 2, activation: 'softmax', kernelConstraint: 'nonNeg', biasInitializer: 'ones' }, steps],
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
  ].map((activation) => ['activation', { activation }, rows]),
  ['elu', {}, rows],
  ['reLU', {}, rows],
  ['reLU', { maxValue: 1 }, rows],
  ['leakyReLU', {}, rows],
  ['leakyReLU', { alpha: 0.1 }, rows],
  ['prelu', {}, image],
  ['prelu', { sharedAxes: [1, 2], alphaInitializer: { className: 'Constant', config: { value: 0.3 } } }, image],
  ['softmax', {}, rows],
  ['softmax', { axis: -1 }, steps],
  ['thresholdedReLU', {}, rows],
  ['thresholdedReLU', { theta: 0.2 }, rows],
  ['conv1d', { filters: 2, kernelSize: 3 }, steps],
  ['conv1d', { filters: 3, kernelSize: [2], strides: 2, padding: 'same', activation: 'relu', useBias: false }, steps],
  ['conv2d', { filters: 2, kernelSize: 3 }, image],
  ['conv2d', { filters: 4, kernelSize: [2, 3], strides: [2, 1], padding: 'same', activation: 'tanh' }, image],
  ['conv2d', { filters: 4, kernelSize: 2, dilationRate: 2, useBias: false }, image],
  ['conv2dTranspose', { filters: 2, kernelSize: 3 }, image],
  ['conv2dTranspose', { filters: 2, kernelSize: [2, 3], strides: 2, padding: 'same', activation: 'relu' }, image],
  ['separableConv2d', { filters: 2, kernelSize: 3, depthMultiplier: 1 }, image],
  [
    'separableConv2d',
    { filters: 4, kernelSize: 2, depthMultiplier: 2, strides: 2, padding: 'same', activation: 'relu' },
    image,
  ],
  ['depthwiseConv2d', { kernelSize: 3 }, image],
  ['depthwiseConv2d', { kernelSize: [2, 2], depthMultiplier: 2, strides: 2, padding: 'same', useBias: false }, image],
  ['conv3d', { filters: 2, kernelSize: 2 }, [[2, 4, 5, 4, 3]]],
  ['conv3d', { filters: 2, kernelSize: [2, 3, 3], strides: 2, padding: 'same', activation: 'relu' }, [[2, 4, 5, 4, 3]]],
  [
    'conv3d',
    { filters: 2, kernelSize: 2, dilationRate: 2, dataFormat: 'channelsFirst', useBias: false },
    [[2, 3, 4, 5, 4]],
  ],
  ['conv3dTranspose', { filters: 2, kernelSize: 2 }, [[2, 3, 3, 2, 3]]],
  [
    'conv3dTranspose',
    { filters: 2, kernelSize: [2, 3, 3], strides: 2, padding: 'same', activation: 'relu' },
    [[2, 3, 3, 2, 3]],
  ],
  [
    'conv3dTranspose',
    { filters: 2, kernelSize: [3, 2, 1], strides: [1, 2, 1], dataFormat: 'channelsFirst' },
    [[2, 3, 3, 3, 2]],
  ],
  [
    'cropping2D',
    {
      cropping: [
        [1, 2],
        [0, 1],
      ],
    },
    image,
  ],
  [
    'cropping2D',
    {
      cropping: [
        [1, 1],
        [2, 0],
      ],
      dataFormat: 'channelsFirst',
    },
    [[2, 3, 6, 7]],
  ],
  ['upSampling2d', {}, image],
  ['upSampling2d', { size: [3, 2], interpolation: 'bilinear' }, image],
  ['zeroPadding2d', {}, image],
  ['zeroPadding2d', { padding: [1, 2] }, image],
  [
    'zeroPadding2d',
    {
      padding: [
        [1, 0],
        [2, 1],
      ],
    },
    image,
  ],
  ...['dropout', 'spatialDropout1d', 'gaussianDropout', 'alphaDropout'].map((name) => [name, { rate: 0.3 }, steps]),
  ['gaussianNoise', { stddev: 0.5 }, steps],
  ['flatten', {}, image],
  ['flatten', { dataFormat: 'channelsFirst' }, image],
  ['repeatVector', { n: 3 }, rows],
  ['reshape', { targetShape: [2, 2] }, rows],
  ['reshape', { targetShape: [-1, 2] }, steps],
  ['permute', { dims: [2, 1] }, steps],
  ['embedding', { inputDim: 5, outputDim: 3 }, [[2, 4]], 'int32'],
  ['embedding', { inputDim: 5, outputDim: 3, maskZero: true, inputLength: 4 }, [[2, 4]], 'int32'],
  ...['add', 'average', 'maximum', 'minimum', 'multiply', 'concatenate'].map((name) => [name, {}, pair]),
  ['concatenate', { axis: 1 }, pair],
  [
    'dot',
    { axes: 1 },
    [
      [2, 3],
      [2, 3],
    ],
  ],
  [
    'dot',
    { axes: -1, normalize: true },
    [
      [2, 3],
      [2, 3],
    ],
  ],
  [
    'dot',
    { axes: [1, 2] },
    [
      [2, 3, 4],
      [2, 5, 3],
    ],
  ],
  ['batchNormalization', {}, image],
  ['batchNormalization', { axis: 1, center: false, momentum: 0.5, epsilon: 0.1 }, steps],
  ['layerNormalization', {}, steps],
  ['layerNormalization', { axis: [1, 2], scale: false, epsilon: 0.1 }, steps],
  ...[1, 2, 3].flatMap((n) => {
    const input = [[[2, 6, 3]], image, [[2, 4, 5, 4, 3]]][n - 1];
    return ['averagePooling', 'maxPooling'].flatMap((name) => [
      [`${name}${n}d`, {}, input],
      [`${name}${n}d`, { poolSize: 3, strides: 2, padding: 'same' }, input],
    ]);
  }),
  ...['globalAveragePooling1d', 'globalMaxPooling1d'].map((name) => [name, {}, steps]),
  ...['globalAveragePooling2d', 'globalMaxPooling2d'].flatMap((name) => [
    [name, {}, image],
    [name, { dataFormat: 'channelsFirst' }, image],
  ]),
  ...['simpleRNN', 'gru', 'lstm'].flatMap((name) => [
    [name, { units: 3 }, steps],
    [
      name,
      { units: 2, returnSequences: true, activation: 'relu', useBias: false, recurrentInitializer: 'glorotNormal' },
      steps,
    ],
    [
      name,
      {
        units: 2,
        returnState: true,
        goBackwards: true,
        kernelRegularizer: { className: 'L1L2', config: { l1: 0.1, l2: 0.2 } },
      },
      steps,
    ],
  ]),
  ['gru', { units: 2, recurrentActivation: 'sigmoid', resetAfter: false, implementation: 1 }, steps],
  ['lstm', { units: 2, unitForgetBias: true, recurrentActivation: 'sigmoid' }, steps],
  ['convLstm2d', { filters: 2, kernelSize: 2 }, [[2, 3, 5, 4, 2]]],
  [
    'convLstm2d',
    { filters: 2, kernelSize: 3, padding: 'same', returnSequences: true, unitForgetBias: true },
    [[2, 3, 5, 4, 2]],
  ],
  [
    'convLstm2d',
    { filters: 2, kernelSize: [2, 3], strides: [2, 1], dilationRate: 1, useBias: false, returnState: true },
    [[2, 3, 5, 4, 2]],
  ],
  [
    'convLstm2d',
    {
      filters: 1,
      kernelSize: 2,
      goBackwards: true,
      activation: 'relu',
      recurrentActivation: 'sigmoid',
      dropout: 0.2,
      recurrentDropout: 0.1,
    },
    [[2, 3, 5, 4, 2]],
  ],
  ['masking', {}, steps],
  ['masking', { maskValue: 1 }, steps],
  ['rescaling', { scale: 2 }, image],
  ['rescaling', { scale: 0.5, offset: 1 }, image],
  ['centerCrop', { height: 3, width: 4 }, image],
  ['centerCrop', { height: 4, width: 6 }, image],
  ['centerCrop', { height: 8, width: 4 }, image],
  ['resizing', { height: 3, width: 4 }, image],
  ['resizing', { height: 8, width: 4, interpolation: 'nearest' }, image],
  ['resizing', { height: 4, width: 9, cropToAspectRatio: true }, image],
  ['categoryEncoding', { numTokens: 5, outputMode: 'oneHot' }, [[3, 1]], 'int32'],
  ['categoryEncoding', { numTokens: 5, outputMode: 'multiHot' }, [[3, 4]], 'int32'],
  ['categoryEncoding', { numTokens: 6, outputMode: 'count' }, [[3, 4]], 'int32'],
  // Wrappers of layers, made by functions of the library.
  ['rnn', (l) => ({ cell: l.lstmCell({ units: 2 }) }), steps],
  ['rnn', (l) => ({ cell: l.gruCell({ units: 2 }), returnSequences: true }), steps],
  ['rnn', (l) => ({ cell: [l.simpleRNNCell({ units: 3 }), l.lstmCell({ units: 2 })], returnState: true }), steps],
  [
    'rnn',
    (l) => ({
      cell: l.stackedRNNCells({ cells: [l.gruCell({ units: 3 }), l.gruCell({ units: 2 })] }),
      goBackwards: true,
    }),
    steps,
  ],
  [
    'rnn',
    (l) => ({
      cell: l.stackedRNNCells({
        cells: [l.lstmCell({ units: 2, dropout: 0.3 }), l.stackedRNNCells({ cells: [l.gruCell({ units: 3 })] })],
      }),
      returnSequences: true,
      returnState: true,
    }),
    steps,
  ],
  ['timeDistributed', (l) => ({ layer: l.dense({ units: 2 }) }), steps],
  ['timeDistributed', (l) => ({ layer: l.conv2d({ filters: 2, kernelSize: 2 }) }), [[2, 3, 4, 4, 2]]],
  ...[undefined, 'concat', 'sum', 'ave', 'mul'].map((mergeMode) => [
    'bidirectional',
    (l) => ({ layer: l.lstm({ units: 2, returnSequences: true }), mergeMode }),
    steps,
  ]),
  ['bidirectional', (l) => ({ layer: l.gru({ units: 2 }) }), steps],
  ['bidirectional', (l) => ({ layer: l.gru({ units: 2, returnState: true }), mergeMode: null }), steps],
];
