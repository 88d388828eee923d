// Where TensorFlow.js computes something else than Keras, whose models these are: each repair makes it do as Keras does,
// and gives back what undoes that. The rows are the README's too (differences.mjs).

/** Sets properties of an object; gives what undoes it. */
function change(object, properties) {
  const before = Object.keys(properties).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]);
  Object.assign(object, properties);
  return () => before.forEach(([key, old]) => (old ? Object.defineProperty(object, key, old) : delete object[key]));
}

/** Every layer of a model, those of nested models and wrapped ones included. */
function* layersOf(layer) {
  yield layer;
  for (const inner of layer.layers ?? []) yield* layersOf(inner);
  for (const inner of [layer.layer, layer.forwardLayer, layer.backwardLayer]) if (inner) yield* layersOf(inner);
}

/** A repair that changes layers of some classes. */
const ofLayers = (pattern, properties) => (tf, model) => {
  const undo = [...layersOf(model)].filter((layer) => pattern.test(layer.getClassName())).map((layer) => change(layer, properties(tf, layer)));
  return () => undo.forEach((one) => one());
};

const kMerges = /^(Add|Multiply|Average|Maximum|Minimum)$/;

/** A model's own `call`, whose masks go from layer to layer, where `predict` hands a mask on to all that run later. */
export const flow = {
  name: 'masks that stay',
  theirs: 'hands a mask in `predict` on to every layer that runs later, whether it follows or not',
  ours: 'passes a mask to the layers that follow, as Keras does',
  apply: (tf, model) => {
    const undo = [...layersOf(model)].map((layer) => {
      const { apply } = layer;
      // All layers are given one object, with what those before were given in it; in a model within the model that is also
      // how masks get in.
      const changes = {
        apply: (inputs, kwargs = {}) => {
          const own = { ...kwargs };
          delete kwargs.initialState;
          if (model.layers.includes(layer)) delete kwargs.mask;
          return apply.call(layer, inputs, own);
        },
      };
      if (!layer.supportsMasking && !layer.layers) changes.computeMask = () => null;
      if (layer.layers) changes.supportsMasking = true;
      if (layer.cell || layer.forwardLayer) {
        const { call, computeMask } = layer;
        changes.call = (inputs, kwargs) => {
          const [x, ...initialState] = [inputs].flat();
          const mask = [kwargs.mask].flat()[0];
          return call.call(layer, x, { ...kwargs, mask, ...(initialState.length > 0 ? { initialState } : {}) });
        };
        changes.computeMask = (inputs, mask) => {
          if (!layer.returnState || !layer.cell) return computeMask.call(layer, inputs, mask);
          return [layer.returnSequences ? [mask].flat()[0] : null, ...[layer.cell.stateSize].flat().map(() => null)];
        };
      }
      return change(layer, changes);
    });
    return () => undo.forEach((one) => one());
  },
};

export const repairs = [
  {
    name: 'masks of merges',
    theirs: 'uses the mask of one input of `add`, `multiply` and their kind, and none where one input has none',
    ours: 'counts the steps that all inputs count, as Keras does',
    apply: ofLayers(kMerges, (tf) => ({
      computeMask: (_, masks) => [masks].flat().filter(Boolean).reduce((all, mask) => (all ? tf.logicalAnd(all, mask) : mask), null),
    })),
  },
  {
    name: 'masks of concatenate',
    theirs: 'fails where only some inputs of `concatenate` have a mask, and hands on that of the first to what follows',
    ours: 'joins them along the steps, and counts the steps that all inputs count along any other axis',
    apply: ofLayers(/^Concatenate$/, (tf, layer) => ({
      computeMask: (inputs, masks) => {
        const given = [masks].flat().filter(Boolean);
        if (given.length === 0) return null;
        const axis = layer.axis < 0 ? layer.axis + inputs[0].rank : layer.axis;
        if (axis >= given[0].rank) return given.reduce((all, mask) => tf.logicalAnd(all, mask));
        return tf.concat(inputs.map((x, i) => masks[i] ?? tf.ones(x.shape.slice(0, given[0].rank), 'bool')), axis);
      },
    })),
  },
  {
    name: 'masks through activations',
    theirs: 'loses the mask in `leakyReLU`, `elu`, `thresholdedReLU` and `softmax`, which adds it to its input',
    ours: 'passes it on, as Keras does',
    apply: ofLayers(/^(LeakyReLU|ELU|ThresholdedReLU|Softmax|LayerNormalization|Dropout|SpatialDropout1D)$/, (_, layer) => {
      const { call } = layer;
      return { supportsMasking: true, computeMask: (_, mask) => mask, call: (inputs, kwargs) => call.call(layer, inputs, { ...kwargs, mask: undefined }) };
    }),
  },
  {
    name: 'averages of masked steps',
    theirs: 'counts masked steps in `globalAveragePooling1d`',
    ours: 'leaves them out, as Keras does',
    apply: ofLayers(/^GlobalAveragePooling1D$/, (tf) => ({
      call: (inputs, { mask }) => {
        const [x, steps] = [[inputs].flat()[0], [mask].flat()[0]];
        if (!steps) return tf.mean(x, 1);
        const counted = tf.cast(tf.expandDims(steps, 2), 'float32');
        return tf.div(tf.sum(tf.mul(x, counted), 1), tf.sum(counted, 1));
      },
    })),
  },
  {
    name: 'batchNorm along other axes',
    theirs: 'repeats the parameters of `batchNormalization` along the last axis, whatever its `axis`',
    ours: 'normalizes along its axis',
    apply: ofLayers(/^BatchNormalization$/, (tf, layer) => ({
      call: (inputs) => {
        const [x] = [inputs].flat();
        const axis = layer.axis < 0 ? layer.axis + x.rank : layer.axis;
        const spread = (weight) => tf.reshape(weight.read(), x.shape.map((extent, i) => (i === axis ? extent : 1)));
        const scaled = tf.div(tf.sub(x, spread(layer.movingMean)), tf.sqrt(tf.add(spread(layer.movingVariance), layer.epsilon)));
        const stretched = layer.scale ? tf.mul(scaled, spread(layer.gamma)) : scaled;
        return layer.center ? tf.add(stretched, spread(layer.beta)) : stretched;
      },
    })),
  },
  {
    name: 'separable layers with channels first',
    theirs: 'adds the bias of `separableConv2d` layers to the wrong axis where channels come first',
    ours: 'adds it to the channels',
    apply: ofLayers(/^SeparableConv2D$/, (tf, layer) => ({
      call: (inputs) => {
        const first = layer.dataFormat === 'channelsFirst';
        const [x] = [inputs].flat();
        const image = first ? tf.transpose(x, [0, 2, 3, 1]) : x;
        const { strides, padding, dilationRate } = layer;
        const kernels = [layer.depthwiseKernel.read(), layer.pointwiseKernel.read()];
        const sums = tf.separableConv2d(image, ...kernels, strides, padding, dilationRate, 'NHWC');
        const shifted = layer.useBias ? tf.add(sums, layer.bias.read()) : sums;
        const result = first ? tf.transpose(shifted, [0, 3, 1, 2]) : shifted;
        return layer.activation ? layer.activation.apply(result) : result;
      },
    })),
  },
  {
    name: 'dilated depthwise layers',
    theirs: 'ignores `dilationRate` in `depthwiseConv2d` layers',
    ours: 'dilates',
    apply: ofLayers(/^DepthwiseConv2D$/, (tf, layer) => ({
      call: (inputs) => {
        const first = layer.dataFormat === 'channelsFirst';
        const [x] = [inputs].flat();
        const image = first ? tf.transpose(x, [0, 2, 3, 1]) : x;
        const spread = tf.depthwiseConv2d(image, layer.depthwiseKernel.read(), layer.strides, layer.padding, 'NHWC', layer.dilationRate);
        const shifted = layer.useBias ? tf.add(spread, layer.bias.read()) : spread;
        const result = first ? tf.transpose(shifted, [0, 3, 1, 2]) : shifted;
        return layer.activation ? layer.activation.apply(result) : result;
      },
    })),
  },
];

/**
 * Whether a shape that TensorFlow.js expects of a model's output may be another: it forgets that causal pads keep the
 * steps, and dilation in depthwise layers.
 */
export const expectsOther = (topology) => /"padding":"causal"|"DepthwiseConv2D"/.test(JSON.stringify(topology));

/** What random models are not made to meet (layers.mjs). */
export const unmet = [
  {
    theirs: 'reads weights wherever a model.json names them, also at `../` and on other hosts',
    ours: 'refuses those outside of the folder of model.json, or of `weightPathPrefix`, unless `allowWeightsOutsideFolder` is set',
  },
  {
    theirs: 'goes on with what an optimizer remembers of a variable that was disposed, for the next one in its place',
    ours: 'frees it when the optimizer goes on',
  },
  {
    theirs: 'divides the gradient of an average pool by the size of the window also where part of that is padding, which the average leaves out',
    ours: 'divides by what was counted',
  },
  {
    theirs: 'adds no loss for what regularizes the weights of recurrent layers, and that of a shared layer once for each call',
    ours: 'adds each once, as Keras does',
  },
  {
    theirs: 'begins beside the volume in 3-D convolutions and pools with `same` padding whose windows are narrower than their steps',
    ours: 'begins where the volume does, as TensorFlow does',
  },
  {
    theirs: 'fails in models with `resizing`, and lets `centerCrop` and `categoryEncoding` change the shape of the symbolic tensor that they take',
    ours: 'runs them, and leaves it',
  },
  {
    theirs: 'runs a loop of a graph model for as long as its condition holds',
    ours: 'throws after 2^20 steps and calls of functions in one run',
  },
];

/** What TensorFlow.js does not do at all. */
export const limits = [
  {
    name: 'states that are outputs too',
    theirs: 'frees an output of a recurrent layer that is its state too, although other layers are still to read it',
    ours: 'keeps it',
    words: /Cannot read properties of undefined \(reading 'backend'\)|^Tensor is disposed/,
  },
  {
    name: 'batchNorm of volumes',
    theirs: 'throws for a `batchNormalization` layer over tensors of rank 5',
    ours: 'normalizes them',
    words: /batchNormalization is not implemented for array of rank 5 yet/,
  },
  {
    name: 'causal conv1d with a bias',
    theirs: 'throws for `conv1d` layers with causal padding and a bias',
    ours: 'computes them',
    words: /CAUSAL padding mode in conv1dWithBias is not implemented/,
  },
  {
    name: 'softmax along other axes',
    theirs: 'throws for a `softmax` layer along any axis but the last',
    ours: 'takes any axis',
    words: /Softmax along a non-last dimension is not yet supported/,
  },
];
