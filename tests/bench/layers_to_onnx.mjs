// Converts a sequential layers model to ONNX, so that one model.json runs on every engine.
import { kToChannelsFirst, permute } from './layout.mjs';
import { lstmLayer } from './lstm_to_onnx.mjs';
import { onnxModel } from './onnx.mjs';
import { sizeOf } from './random.mjs';

const kFilterOrder = [3, 2, 0, 1];
const kDepthwiseOrder = [2, 3, 0, 1];

const activations = {
  linear: () => {},
  relu: (graph) => graph.node('Relu'),
  sigmoid: (graph) => graph.node('Sigmoid'),
  softmax: (graph) => graph.node('Softmax', [], { axis: -1 }),
};

function convolution(graph, config, kernel, groups) {
  if (config.padding !== 'same') throw new Error(`${config.name}: only 'same' padding is written as ONNX`);
  const parameters = [graph.constant('kernel', kernel)];
  if (config.use_bias) parameters.push(graph.constant('bias', graph.weight('bias')));
  graph.node('Conv', parameters, { auto_pad: 'SAME_UPPER', strides: config.strides, group: groups });
  activations[config.activation](graph);
}

const layers = {
  InputLayer: () => {},
  Dropout: () => {},
  LSTM: lstmLayer,

  Dense(graph, { activation }) {
    graph.node(
      'Gemm',
      ['kernel', 'bias'].map((name) => graph.constant(name, graph.weight(name))),
    );
    activations[activation](graph);
  },

  Conv2D(graph, config) {
    const { values, shape } = graph.weight('kernel');
    convolution(graph, config, permute(values, shape, kFilterOrder), 1);
  },

  DepthwiseConv2D(graph, config) {
    const { values, shape } = graph.weight('depthwise_kernel');
    convolution(graph, config, permute(values, shape, kDepthwiseOrder), shape[2]);
  },

  BatchNormalization(graph, { epsilon }) {
    const names = ['gamma', 'beta', 'moving_mean', 'moving_variance'];
    const parameters = names.map((name) => graph.constant(name, graph.weight(name)));
    graph.node('BatchNormalization', parameters, { epsilon: { float: epsilon } });
  },

  ReLU(graph, { max_value: limit }) {
    const bound = (name, value) => graph.constant(name, { values: Float32Array.of(value), shape: [] });
    graph.node('Clip', [bound('low', 0), bound('high', limit)]);
  },

  GlobalAveragePooling2D(graph) {
    graph.node('GlobalAveragePool');
    graph.node('Flatten');
  },
};

/** Returns the model file and its input shape, channels first for images. */
export function layersToOnnx({ modelTopology, weightSpecs, weightData }) {
  const weights = weightsByName(weightSpecs, weightData);
  const { config } = modelTopology.model_config ?? modelTopology;
  const list = config.layers ?? config;
  const shape = [1, ...list[0].config.batch_input_shape.slice(1)];
  const images = shape.length === 4;
  const input = { name: 'x', shape: images ? kToChannelsFirst.map((axis) => shape[axis]) : shape };

  const nodes = [];
  const constants = {};
  let last = input.name;
  for (const { class_name: type, config: layer } of list) {
    if (!layers[type]) throw new Error(`${layer.name}: no ONNX for the layer ${type}`);
    layers[type](
      {
        weight: (name) => weights[`${layer.name}/${name}`],
        constant: (name, tensor) => {
          constants[`${layer.name}/${name}`] = tensor;
          return `${layer.name}/${name}`;
        },
        node: (op, parameters = [], attributes = {}, output = 0) => {
          const outputs = Array.from({ length: output }, () => '').concat(`t${nodes.length}`);
          nodes.push({ op, inputs: [last, ...parameters], outputs, attributes });
          last = outputs[output];
        },
      },
      layer,
    );
  }
  return { bytes: onnxModel({ nodes, constants, input, output: { name: last } }), input, output: last };
}

/** Returns the weights of a layers model as { values, shape } by name. */
export function weightsByName(specs, data) {
  let offset = 0;
  const weights = {};
  for (const { name, shape, dtype } of specs) {
    if (dtype !== 'float32') throw new Error(`${name}: only float32 weights are written as ONNX`);
    weights[name] = { values: new Float32Array(data.slice(offset, offset + 4 * sizeOf(shape))), shape };
    offset += 4 * sizeOf(shape);
  }
  return weights;
}
