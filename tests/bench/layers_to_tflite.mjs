// Converts a sequential layers model to .tflite as TensorFlow's converter does: batch norms folded, ReLUs fused.
import { permute } from './layout.mjs';
import { weightsByName } from './layers_to_onnx.mjs';
import { sizeOf } from './random.mjs';
import { tfliteModel } from './tflite.mjs';

const kConvOrder = [3, 0, 1, 2];
const zeros = (count) => ({ values: new Float32Array(count), shape: [count] });

function convolution(builder, op, kernel, config) {
  if (config.padding !== 'same') throw new Error(`${config.name}: only 'same' padding is written as .tflite`);
  const channels = kernel.shape.at(op === 'Conv' ? 0 : 3);
  const [batch, height, width] = builder.shape;
  const [stride] = config.strides;
  const bias = config.use_bias ? builder.weight('bias') : zeros(channels);
  builder.step(op, [batch, Math.ceil(height / stride), Math.ceil(width / stride), channels], [kernel, bias], {
    stride,
  });
  builder.activate(config.activation);
}

const layers = {
  InputLayer: () => {},
  Dropout: () => {},

  Dense(builder, { activation }) {
    const { values, shape } = builder.weight('kernel');
    builder.step('MatMul', [builder.shape[0], shape[1]], [permute(values, shape, [1, 0]), builder.weight('bias')]);
    builder.activate(activation);
  },

  Conv2D(builder, config) {
    const { values, shape } = builder.weight('kernel');
    convolution(builder, 'Conv', permute(values, shape, kConvOrder), config);
  },

  DepthwiseConv2D(builder, config) {
    const { values, shape } = builder.weight('depthwise_kernel');
    convolution(builder, 'Depthwise', { values: values.slice(), shape: [1, shape[0], shape[1], shape[2]] }, config);
  },

  BatchNormalization(builder, { epsilon }) {
    const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
      (name) => builder.weight(name).values,
    );
    const {
      op,
      constants: [kernel, bias],
    } = builder.last;
    const scale = gamma.map((value, i) => value / Math.sqrt(variance[i] + epsilon));
    const inner = op === 'Conv' ? kernel.values.length / scale.length : 1;
    kernel.values = kernel.values.map((value, i) => value * scale[Math.floor(i / inner) % scale.length]);
    bias.values = bias.values.map((value, i) => (value - mean[i]) * scale[i] + beta[i]);
  },

  ReLU: (builder, { max_value: limit }) => builder.activate(limit === 6 ? 'relu6' : 'relu'),

  GlobalAveragePooling2D(builder) {
    const [batch, , , channels] = builder.shape;
    builder.step('Mean', [batch, channels], [{ values: Int32Array.of(1, 2), shape: [2] }]);
  },
};

/** Returns the model file and its input shape. */
export function layersToTflite({ modelTopology, weightSpecs, weightData }) {
  const weights = weightsByName(weightSpecs, weightData);
  const { config } = modelTopology.model_config ?? modelTopology;
  const list = config.layers ?? config;
  const input = [1, ...list[0].config.batch_input_shape.slice(1)];
  const steps = [];
  const builder = {
    shape: input,
    get last() {
      return steps.at(-1);
    },
    step(op, shape, constants = [], options = {}) {
      steps.push({ op, shape, constants, options });
      builder.shape = shape;
    },
    activate(name) {
      if (name === 'linear') return;
      if (name === 'softmax') builder.step('Softmax', builder.shape);
      else if (name === 'sigmoid') builder.step('Sigmoid', builder.shape);
      else builder.last.options.activation = name;
    },
  };
  for (const { class_name: type, config: layer } of list) {
    if (!layers[type]) throw new Error(`${layer.name}: no .tflite for the layer ${type}`);
    builder.weight = (name) => ({ ...weights[`${layer.name}/${name}`] });
    layers[type](builder, layer);
  }
  return { bytes: tfliteModel(input, steps), shape: input, size: sizeOf(input) };
}
