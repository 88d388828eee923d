// Places where TensorFlow.js computes something other than Keras, whose models these are: each repair makes it do as Keras
// does, and returns a function that undoes it. The rows are part of docs/differences.md (differences.mjs).

/** Sets properties of an object; returns a function that restores them. */
function change(object, properties) {
  const before = Object.keys(properties).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]);
  Object.assign(object, properties);
  return () => before.forEach(([key, old]) => (old ? Object.defineProperty(object, key, old) : delete object[key]));
}

/** Yields every layer of a model, those of nested models and wrapped ones included. */
function* layersOf(layer) {
  yield layer;
  for (const inner of layer.layers ?? []) yield* layersOf(inner);
  for (const inner of [layer.layer, layer.forwardLayer, layer.backwardLayer]) if (inner) yield* layersOf(inner);
}

/** Returns a repair that changes layers of some classes. */
const ofLayers = (pattern, properties) => (tf, model) => {
  const undo = [...layersOf(model)]
    .filter((layer) => pattern.test(layer.getClassName()))
    .map((layer) => change(layer, properties(tf, layer)));
  return () => undo.forEach((one) => one());
};

const kMerges = /^(Add|Multiply|Average|Maximum|Minimum)$/;

/** Replaces a model's `call`: masks propagate from layer to layer, where `predict` passes a mask on to all later layers. */
export const flow = {
  name: 'masks that stay',
  theirs: '`predict` passes a mask to all layers that run later, whether they follow the masking layer or not.',
  ours: 'Passes a mask to the layers that follow.',
  why: 'As in Keras.',
  apply: (tf, model) => {
    const undo = [...layersOf(model)].map((layer) => {
      const { apply } = layer;
      // All layers share one object of call arguments, which includes those of earlier layers; nested models also receive masks
      // through it.
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
    theirs: '`add`, `multiply` and other merging layers use the mask of one input, or none if one input has none.',
    ours: 'Counts the steps that all inputs count.',
    why: 'As in Keras.',
    apply: ofLayers(kMerges, (tf) => ({
      computeMask: (_, masks) =>
        [masks]
          .flat()
          .filter(Boolean)
          .reduce((all, mask) => (all ? tf.logicalAnd(all, mask) : mask), null),
    })),
  },
  {
    name: 'masks of concatenate',
    theirs: "`concatenate` throws if only some inputs have a mask, and passes on the first one's.",
    ours: 'Joins the masks along the axis of the steps; along other axes, counts the steps that all inputs count.',
    why: 'As in Keras.',
    apply: ofLayers(/^Concatenate$/, (tf, layer) => ({
      computeMask: (inputs, masks) => {
        const given = [masks].flat().filter(Boolean);
        if (given.length === 0) return null;
        const axis = layer.axis < 0 ? layer.axis + inputs[0].rank : layer.axis;
        if (axis >= given[0].rank) return given.reduce((all, mask) => tf.logicalAnd(all, mask));
        return tf.concat(
          inputs.map((x, i) => masks[i] ?? tf.ones(x.shape.slice(0, given[0].rank), 'bool')),
          axis,
        );
      },
    })),
  },
  {
    name: 'masks through activations',
    theirs: '`leakyReLU`, `elu` and `thresholdedReLU` layers lose the mask; `softmax` adds it to its input.',
    ours: 'Passes it on.',
    why: 'As in Keras.',
    apply: ofLayers(
      /^(LeakyReLU|ELU|ThresholdedReLU|Softmax|LayerNormalization|Dropout|SpatialDropout1D)$/,
      (_, layer) => {
        const { call } = layer;
        return {
          supportsMasking: true,
          computeMask: (_, mask) => mask,
          call: (inputs, kwargs) => call.call(layer, inputs, { ...kwargs, mask: undefined }),
        };
      },
    ),
  },
  {
    name: 'averages of masked steps',
    theirs: '`globalAveragePooling1d` counts masked steps.',
    ours: 'Leaves them out.',
    why: 'As in Keras.',
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
    theirs: '`batchNormalization` repeats its parameters along the last axis, whatever its `axis`.',
    ours: 'Normalizes along its axis.',
    why: 'As in Keras.',
    apply: ofLayers(/^BatchNormalization$/, (tf, layer) => ({
      call: (inputs) => {
        const [x] = [inputs].flat();
        const axis = layer.axis < 0 ? layer.axis + x.rank : layer.axis;
        const spread = (weight) =>
          tf.reshape(
            weight.read(),
            x.shape.map((extent, i) => (i === axis ? extent : 1)),
          );
        const scaled = tf.div(
          tf.sub(x, spread(layer.movingMean)),
          tf.sqrt(tf.add(spread(layer.movingVariance), layer.epsilon)),
        );
        const stretched = layer.scale ? tf.mul(scaled, spread(layer.gamma)) : scaled;
        return layer.center ? tf.add(stretched, spread(layer.beta)) : stretched;
      },
    })),
  },
  {
    name: 'separable layers with channels first',
    theirs: '`separableConv2d` layers with `channelsFirst` add the bias to the wrong axis.',
    ours: 'Adds it to the channels.',
    why: 'As in Keras.',
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
    theirs: '`depthwiseConv2d` layers ignore `dilationRate`, and so do their output shapes.',
    ours: 'Dilates.',
    why: 'As in Keras.',
    apply: ofLayers(/^DepthwiseConv2D$/, (tf, layer) => ({
      call: (inputs) => {
        const first = layer.dataFormat === 'channelsFirst';
        const [x] = [inputs].flat();
        const image = first ? tf.transpose(x, [0, 2, 3, 1]) : x;
        const spread = tf.depthwiseConv2d(
          image,
          layer.depthwiseKernel.read(),
          layer.strides,
          layer.padding,
          'NHWC',
          layer.dilationRate,
        );
        const shifted = layer.useBias ? tf.add(spread, layer.bias.read()) : spread;
        const result = first ? tf.transpose(shifted, [0, 3, 1, 2]) : shifted;
        return layer.activation ? layer.activation.apply(result) : result;
      },
    })),
  },
];

/**
 * True if the output shape that TensorFlow.js infers may be wrong: it ignores that causal padding keeps the steps, and the
 * dilation of depthwise layers.
 */
export const expectsOther = (topology) => /"padding":"causal"|"DepthwiseConv2D"/.test(JSON.stringify(topology));

/** Features that TensorFlow.js lacks. */
export const limits = [
  {
    name: 'states that are outputs too',
    theirs: 'Frees an output of a recurrent layer that is also its state before other layers have read it.',
    ours: 'Keeps it until the last layer has read it.',
    why: 'Otherwise the prediction fails.',
    words: /Cannot read properties of undefined \(reading 'backend'\)|^Tensor is disposed/,
  },
  {
    name: 'batchNorm of volumes',
    theirs: '`batchNormalization` layers throw for tensors of rank 5.',
    ours: 'Normalizes them.',
    why: 'As in Keras.',
    words: /batchNormalization is not implemented for array of rank 5 yet/,
  },
  {
    name: 'causal conv1d with a bias',
    theirs: '`conv1d` layers with causal padding throw if they have a bias.',
    ours: 'Computes them.',
    why: 'As in Keras.',
    words: /CAUSAL padding mode in conv1dWithBias is not implemented/,
  },
  {
    name: 'softmax along other axes',
    theirs: '`softmax` layers throw for any axis but the last.',
    ours: 'Accepts any axis.',
    why: 'As in Keras.',
    words: /Softmax along a non-last dimension is not yet supported/,
  },
];
