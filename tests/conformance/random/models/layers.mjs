// Random layers of TensorFlow.js for a tensor of a given shape: what each rank can be given to.

const kActivations = [
  'linear', 'elu', 'selu', 'relu', 'relu6', 'sigmoid', 'hardSigmoid', 'softplus', 'softsign', 'tanh', 'softmax', 'logSoftmax',
  'swish', 'mish', 'gelu',
];
const kPlain = kActivations.filter((name) => !/softmax/i.test(name));

/** Makes layers of the library `tf` with numbers of `random`. */
export class Layers {
  constructor(tf, random) {
    this.tf = tf.layers;
    this.random = random;
  }

  activation() {
    return this.random.chance(0.4) ? undefined : this.random.pick(kActivations);
  }

  /** A layer that takes one tensor of this shape, null being unknown; undefined where none was found. */
  unary(shape) {
    const byRank = { 2: this.vector, 3: this.sequence, 4: this.image }[shape.length];
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
      [0.5, () => l.thresholdedReLU({ theta: r.pick([0.1, 1]) })],
      [0.5, () => l.softmax({ axis: r.pick([axis, -1]) })],
      [0.3, () => l.dropout({ rate: 0.3 })],
      [0.3, () => l.gaussianNoise({ stddev: 1 })],
      [0.3, () => l.gaussianDropout({ rate: 0.3 })],
      [0.3, () => l.alphaDropout({ rate: 0.3 })],
      ...(last === null ? [] : [
        [1, () => l.dense({ units: r.int(1, 6), activation: this.activation(), useBias: r.chance(0.7) })],
        [1, () => l.batchNormalization({ center: r.chance(0.7), scale: r.chance(0.7), epsilon: r.pick([1e-3, 1e-2]) })],
        [1, () => l.layerNormalization({ center: r.chance(0.7), scale: r.chance(0.7) })],
      ]),
      ...(shape[axis] === null || shape.length === 2 ? [] : [[0.5, () => l.batchNormalization({ axis })]]),
      ...(isOpen ? [] : [
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
    const pool = () => ({ poolSize: r.int(1, 3), strides: r.pick([undefined, 1, 2]), padding: r.pick(['valid', 'same']) });
    const rest = [
      [0.7, () => l.globalAveragePooling1d({})],
      [0.7, () => l.globalMaxPooling1d({})],
      [0.7, () => l.maxPooling1d(pool())],
      [0.7, () => l.averagePooling1d(pool())],
      [0.7, () => l.masking({ maskValue: 0 })],
      [0.2, () => l.spatialDropout1d({ rate: 0.3 })],
    ];
    if (features === null || (steps !== null && steps < 1)) return rest;
    return [
      ...rest,
      [2, () => this.recurrent(r.chance(0.5))],
      [1, () => l.bidirectional({ layer: this.recurrent(r.chance(0.5), false), mergeMode: r.pick(['sum', 'mul', 'concat', 'ave']) })],
      [1, () => l.timeDistributed({ layer: l.dense({ units: r.int(1, 4), activation: r.pick(kPlain) }) })],
      [1, () => l.conv1d({
        filters: r.int(1, 4), kernelSize: r.int(1, 3), padding: r.pick(['valid', 'same', 'causal']), useBias: r.chance(0.7),
        activation: this.activation(), ...(r.chance(0.5) ? { strides: r.int(1, 2) } : { dilationRate: r.int(1, 2) }),
      })],
    ];
  }

  recurrent(returnSequences, withCells = true) {
    const { tf: l, random: r } = this;
    const shared = {
      units: r.int(1, 4), useBias: r.chance(0.8), activation: r.pick(kPlain), recurrentActivation: r.pick(['sigmoid', 'hardSigmoid', 'tanh']),
    };
    const whole = { returnSequences, goBackwards: r.chance(0.2) };
    const simple = { ...shared, recurrentActivation: undefined };
    return r.pick([
      () => l.simpleRNN({ ...simple, ...whole }),
      () => l.gru({ ...shared, ...whole }),
      () => l.lstm({ ...shared, ...whole }),
      ...(withCells ? [
        () => l.rnn({ cell: r.pick([l.gruCell(shared), l.lstmCell(shared), l.simpleRNNCell(simple)]), ...whole }),
        () => l.rnn({ cell: l.stackedRNNCells({ cells: [l.lstmCell(shared), l.gruCell({ ...shared, units: 2 })] }), ...whole }),
      ] : []),
    ])();
  }

  image([, height, , channels]) {
    const { tf: l, random: r } = this;
    const dataFormat = r.chance(0.3) ? 'channelsFirst' : 'channelsLast';
    const pool = () => ({ poolSize: r.int(1, 3), strides: r.pick([undefined, 1, 2]), padding: r.pick(['valid', 'same']), dataFormat });
    const known = dataFormat === 'channelsFirst' ? height : channels;
    // TensorFlow.js pads dilated windows as if they were square: a matter of its ops.
    const window = (isSquare = false) => ({
      kernelSize: r.pick([1, 2, 3, ...(isSquare ? [] : [[1, 3], [3, 2]])]), padding: r.pick(['valid', 'same']), dataFormat, useBias: r.chance(0.7),
      activation: this.activation(),
    });
    const moving = () => (r.chance(0.5) ? { ...window(), strides: r.pick([1, 2]) } : { ...window(true), dilationRate: r.int(1, 2) });
    const kinds = [
      [0.5, () => l.maxPooling2d(pool())],
      [0.5, () => l.averagePooling2d(pool())],
      [0.4, () => l.globalAveragePooling2d({ dataFormat })],
      [0.4, () => l.globalMaxPooling2d({ dataFormat })],
      [0.5, () => l.zeroPadding2d({ padding: r.pick([1, [1, 2], [[0, 1], [2, 0]]]), dataFormat })],
      [0.5, () => l.cropping2D({ cropping: r.pick([[[0, 0], [0, 1]], [[1, 0], [0, 0]]]), dataFormat })],
      [0.5, () => l.upSampling2d({ size: r.pick([[2, 2], [1, 2], [3, 2]]), dataFormat, interpolation: r.pick(['nearest', 'bilinear']) })],
      [0.3, () => l.timeDistributed({ layer: l.globalMaxPooling1d({}) })],
    ];
    if (known === null) return kinds;
    return [
      ...kinds,
      [2, () => l.conv2d({ ...moving(), filters: r.int(1, 4) })],
      [1, () => l.depthwiseConv2d({ ...moving(), depthMultiplier: r.int(1, 2) })],
      [1, () => l.separableConv2d({ ...window(), strides: r.int(1, 2), filters: r.int(1, 4) })],
      [1, () => l.conv2dTranspose({ ...window(), strides: r.int(1, 2), filters: r.int(1, 3) })],
    ];
  }

  /** A layer that joins several tensors of one shape. */
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
