// Random layers of TensorFlow.js that accept a tensor of a given shape, by rank.

const kActivations = [
  'linear',
  'elu',
  'selu',
  'relu',
  'relu6',
  'sigmoid',
  'hardSigmoid',
  'softplus',
  'softsign',
  'tanh',
  'softmax',
  'logSoftmax',
  'swish',
  'mish',
  'gelu',
];
const kPlain = kActivations.filter((name) => !/softmax/i.test(name));

/**
 * Makes layers of the library `tf` with random numbers of `random`: for training, layers without masks and randomness and with
 * gradients in TensorFlow.js. Excludes Resizing, CenterCrop and CategoryEncoding: TensorFlow.js's models fail with the first,
 * and the others change the shapes of their inputs.
 */
export class Layers {
  constructor(tf, random, { forTraining = false } = {}) {
    this.tf = tf.layers;
    this.regularizers = tf.regularizers;
    this.random = random;
    this.forTraining = forTraining;
  }

  /** Returns these kinds, or none if the layers are for training. */
  unlessTrained(...kinds) {
    return this.forTraining ? [] : kinds;
  }

  /** Returns 'valid' padding for average pooling in training: TensorFlow.js's gradient assumes whole windows. */
  unpadded() {
    return this.forTraining ? { padding: 'valid' } : {};
  }

  /** Returns a kernel's regularizer, for some trainings. */
  rules() {
    const { random: r, regularizers } = this;
    if (!this.forTraining || r.chance(0.8)) return {};
    return {
      kernelRegularizer: r.pick([
        regularizers.l1({ l1: 0.01 }),
        regularizers.l2({ l2: 0.02 }),
        regularizers.l1l2({ l1: 0.01, l2: 0.01 }),
      ]),
    };
  }

  activation() {
    return this.random.chance(0.4) ? undefined : this.random.pick(kActivations);
  }

  /** Returns a layer for one tensor of this shape, where null is unknown; undefined if none was found. */
  unary(shape) {
    const byRank = { 2: this.vector, 3: this.sequence, 4: this.image, 5: this.volume }[shape.length];
    const kinds = [...this.any(shape), ...(byRank ? byRank.call(this, shape) : [])];
    return this.random.weighed(kinds)();
  }

  any(shape) {
    const { tf: l, random: r } = this;
    const isOpen = shape.slice(1).includes(null);
    const last = shape.at(-1);
    const axis = r.int(1, shape.length - 1);
    const sizes = shape.slice(1);
    return [
      [1, () => l.activation({ activation: r.pick(kActivations) })],
      [0.5, () => l.reLU(r.pick([{}, { maxValue: 6 }, { maxValue: 0.7 }]))],
      [0.5, () => l.leakyReLU(r.pick([{}, { alpha: 0.1 }]))],
      [0.5, () => l.elu({})],
      ...this.unlessTrained([0.5, () => l.thresholdedReLU({ theta: r.pick([0.1, 1]) })]),
      [0.5, () => l.softmax({ axis: this.forTraining ? -1 : r.pick([axis, -1]) })],
      ...this.unlessTrained(
        [0.3, () => l.dropout({ rate: 0.3 })],
        [0.3, () => l.gaussianNoise({ stddev: 1 })],
        [0.3, () => l.gaussianDropout({ rate: 0.3 })],
        [0.3, () => l.alphaDropout({ rate: 0.3 })],
      ),
      [0.3, () => l.rescaling({ scale: r.pick([0.5, -2]), offset: r.pick([0, 1]) })],
      ...(last === null
        ? []
        : [
            [
              1,
              () =>
                l.dense({ units: r.int(1, 6), activation: this.activation(), useBias: r.chance(0.7), ...this.rules() }),
            ],
            [
              shape.length > 4 && this.forTraining ? 0 : 1,
              () =>
                l.batchNormalization({
                  center: this.forTraining || r.chance(0.7),
                  scale: this.forTraining || r.chance(0.7),
                  epsilon: r.pick([1e-3, 1e-2]),
                }),
            ],
            [
              shape.length > 4 && this.forTraining ? 0 : 1,
              () => l.layerNormalization({ center: r.chance(0.7), scale: r.chance(0.7) }),
            ],
          ]),
      ...(shape[axis] === null || shape.length === 2 || this.forTraining
        ? []
        : [[0.5, () => l.batchNormalization({ axis })]]),
      ...(isOpen
        ? []
        : [
            [0.5, () => l.prelu(shape.length > 2 && r.chance(0.5) ? { sharedAxes: [1] } : {})],
            [0.7, () => l.flatten()],
            [0.5, () => l.reshape({ targetShape: r.shuffled(sizes) })],
            [0.3, () => l.reshape({ targetShape: [-1, sizes.at(-1)] })],
          ]),
      ...(shape.length > 2 ? [[0.5, () => l.permute({ dims: r.shuffled(sizes.map((_, i) => i + 1)) })]] : []),
    ];
  }

  vector([, width]) {
    const { tf: l, random: r } = this;
    return width === null ? [] : [[1, () => l.repeatVector({ n: r.int(1, 5) })]];
  }

  sequence([, steps, features]) {
    const { tf: l, random: r } = this;
    const pool = () => ({
      poolSize: r.int(1, 3),
      strides: r.pick([undefined, 1, 2]),
      padding: r.pick(['valid', 'same']),
    });
    const rest = [
      [0.7, () => l.globalAveragePooling1d({})],
      [0.7, () => l.globalMaxPooling1d({})],
      [0.7, () => l.maxPooling1d(pool())],
      [0.7, () => l.averagePooling1d({ ...pool(), ...this.unpadded() })],
      ...this.unlessTrained([0.7, () => l.masking({ maskValue: 0 })], [0.2, () => l.spatialDropout1d({ rate: 0.3 })]),
    ];
    if (features === null || (steps !== null && steps < 1)) return rest;
    return [
      ...rest,
      [2, () => this.recurrent(r.chance(0.5))],
      [
        1,
        () =>
          l.bidirectional({
            layer: this.recurrent(r.chance(0.5), false),
            mergeMode: r.pick(['sum', 'mul', 'concat', 'ave']),
          }),
      ],
      [1, () => l.timeDistributed({ layer: l.dense({ units: r.int(1, 4), activation: r.pick(kPlain) }) })],
      [
        1,
        () =>
          l.conv1d({
            filters: r.int(1, 4),
            kernelSize: r.int(1, 3),
            padding: r.pick(['valid', 'same', ...(this.forTraining ? [] : ['causal'])]),
            useBias: r.chance(0.7),
            activation: this.activation(),
            ...this.rules(),
            ...(r.chance(0.5) || this.forTraining ? { strides: r.int(1, 2) } : { dilationRate: r.int(1, 2) }),
          }),
      ],
    ];
  }

  recurrent(returnSequences, withCells = true) {
    const { tf: l, random: r } = this;
    const shared = {
      units: r.int(1, 4),
      useBias: r.chance(0.8),
      activation: r.pick(kPlain),
      recurrentActivation: r.pick(['sigmoid', 'hardSigmoid', 'tanh']),
      // The orthogonal initializer needs chained ops, which the peer's packages lack.
      recurrentInitializer: 'glorotUniform',
    };
    const whole = { returnSequences, goBackwards: r.chance(0.2) };
    const simple = { ...shared, recurrentActivation: undefined };
    return r.pick([
      () => l.simpleRNN({ ...simple, ...whole }),
      () => l.gru({ ...shared, ...whole }),
      () => l.lstm({ ...shared, ...whole }),
      ...(withCells
        ? [
            () => l.rnn({ cell: r.pick([l.gruCell(shared), l.lstmCell(shared), l.simpleRNNCell(simple)]), ...whole }),
            () => l.rnn({ cell: [l.gruCell(shared), l.simpleRNNCell({ ...simple, units: 3 })], ...whole }),
            () =>
              l.rnn({
                cell: l.stackedRNNCells({ cells: [l.lstmCell(shared), l.gruCell({ ...shared, units: 2 })] }),
                ...whole,
              }),
          ]
        : []),
    ])();
  }

  image([, height, , channels]) {
    const { tf: l, random: r } = this;
    const dataFormat = r.chance(0.3) && !this.forTraining ? 'channelsFirst' : 'channelsLast';
    const pool = () => ({
      poolSize: r.int(1, 3),
      strides: r.pick([undefined, 1, 2]),
      padding: r.pick(['valid', 'same']),
      dataFormat,
    });
    const known = dataFormat === 'channelsFirst' ? height : channels;
    // TensorFlow.js's ops pad dilated windows as if they were square.
    const window = (isSquare = false) => ({
      kernelSize: r.pick([
        1,
        2,
        3,
        ...(isSquare
          ? []
          : [
              [1, 3],
              [3, 2],
            ]),
      ]),
      padding: r.pick(['valid', 'same']),
      dataFormat,
      useBias: r.chance(0.7),
      activation: this.activation(),
    });
    const moving = () =>
      r.chance(0.5) || this.forTraining
        ? { ...window(), strides: r.pick([1, 2]) }
        : { ...window(true), dilationRate: r.int(1, 2) };
    const kinds = [
      [0.5, () => l.maxPooling2d(pool())],
      [0.5, () => l.averagePooling2d({ ...pool(), ...this.unpadded() })],
      [0.4, () => l.globalAveragePooling2d({ dataFormat })],
      [0.4, () => l.globalMaxPooling2d({ dataFormat })],
      [
        0.5,
        () =>
          l.zeroPadding2d({
            padding: r.pick([
              1,
              [1, 2],
              [
                [0, 1],
                [2, 0],
              ],
            ]),
            dataFormat,
          }),
      ],
      [
        0.5,
        () =>
          l.cropping2D({
            cropping: r.pick([
              [
                [0, 0],
                [0, 1],
              ],
              [
                [1, 0],
                [0, 0],
              ],
            ]),
            dataFormat,
          }),
      ],
      [
        0.5,
        () =>
          l.upSampling2d({
            size: r.pick([
              [2, 2],
              [1, 2],
              [3, 2],
            ]),
            dataFormat,
            interpolation: r.pick(['nearest', 'bilinear']),
          }),
      ],
      [0.3, () => l.timeDistributed({ layer: l.globalMaxPooling1d({}) })],
    ];
    if (known === null) return kinds;
    return [
      ...kinds,
      [2, () => l.conv2d({ ...moving(), ...this.rules(), filters: r.int(1, 4) })],
      [1, () => l.depthwiseConv2d({ ...moving(), depthMultiplier: r.int(1, 2) })],
      [1, () => l.separableConv2d({ ...window(), strides: r.int(1, 2), filters: r.int(1, 4) })],
      [1, () => l.conv2dTranspose({ ...window(), ...this.rules(), strides: r.int(1, 2), filters: r.int(1, 3) })],
    ];
  }

  volume([, , height, , channels]) {
    const { tf: l, random: r } = this;
    const dataFormat = r.chance(0.3) && !this.forTraining ? 'channelsFirst' : 'channelsLast';
    // TensorFlow.js starts outside the volume if strides exceed the padded windows.
    const moving = (padding, ...strides) => ({
      padding,
      strides: padding === 'same' ? r.pick([1, undefined]) : r.pick(strides),
      dataFormat,
    });
    const pool = () => ({
      poolSize: r.pick([1, 2, [1, 2, 2], [2, 1, 3]]),
      ...moving(r.pick(['valid', 'same']), undefined, 1, 2),
    });
    const known = dataFormat === 'channelsFirst' ? height : channels;
    const kinds = [
      [0.7, () => l.maxPooling3d(pool())],
      [0.7, () => l.averagePooling3d({ ...pool(), ...this.unpadded() })],
      [0.5, () => l.timeDistributed({ layer: l.globalAveragePooling2d({}) })],
      [0.3, () => l.timeDistributed({ layer: l.maxPooling2d({ poolSize: r.int(1, 2) }) })],
    ];
    if (known === null) return kinds;
    const window = () => ({
      kernelSize: r.pick([1, 2, [1, 3, 2]]),
      ...moving(r.pick(['valid', 'same']), 1, 2, [1, 2, 1]),
      useBias: r.chance(0.7),
      activation: this.activation(),
      ...this.rules(),
    });
    return [
      ...kinds,
      [1.5, () => l.conv3d({ ...window(), filters: r.int(1, 3) })],
      [1, () => l.conv3dTranspose({ ...window(), filters: r.int(1, 3) })],
      [
        1,
        () =>
          l.timeDistributed({
            layer: l.conv2d({
              filters: r.int(1, 3),
              kernelSize: r.int(1, 3),
              padding: 'same',
              activation: r.pick(kPlain),
            }),
          }),
      ],
      [1.5, () => this.convolvedSteps()],
    ];
  }

  convolvedSteps() {
    const { tf: l, random: r } = this;
    const cell = {
      filters: r.int(1, 3),
      kernelSize: r.int(1, 3),
      padding: r.pick(['valid', 'same']),
      useBias: r.chance(0.8),
      recurrentInitializer: 'glorotUniform',
      activation: r.pick(kPlain),
      recurrentActivation: r.pick(['sigmoid', 'hardSigmoid', 'tanh']),
    };
    return l.convLstm2d({ ...cell, returnSequences: r.chance(0.5), goBackwards: r.chance(0.2) });
  }

  /** Returns a layer that merges several tensors of one shape. */
  merge(shape) {
    const { tf: l, random: r } = this;
    return r.weighed([
      [2, () => l.concatenate({ axis: r.pick([-1, r.int(1, shape.length - 1)]) })],
      [1, () => l.add()],
      [1, () => l.multiply()],
      [1, () => l.average()],
      [1, () => l.maximum()],
      [1, () => l.minimum()],
    ])();
  }
}
