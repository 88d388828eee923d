// Cases of @tensorflow/tfjs-converter: the graphs of ../shared/models, and small ones defined here.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { kGoldenGraphs, modelsFolder } from '../../golden_models.mjs';

const text = (s) => ({ s: btoa(s) });
const placeholder = (name, dtype, sizes) => ({
  name,
  op: 'Placeholder',
  attr: { dtype: { type: dtype }, shape: { shape: { dim: sizes.map((size) => ({ size: String(size) })) } } },
});
const node = (name, op, input = [], attr = {}) => ({ name, op, input, attr });

/** Graphs defined here: nodes, weights, inputs, outputs. */
const kGraphs = {
  where: {
    nodes: [
      placeholder('x', 'DT_FLOAT', [-1]),
      node('zero', 'Const'),
      node('more', 'Greater', ['x', 'zero']),
      node('at', 'Where', ['more']),
    ],
    weights: { zero: [[], 'float32', [0]] },
    inputs: { x: [[4], 'float32', [1, -1, 2, -2]] },
    outputs: ['at'],
  },
  suppression: {
    nodes: [
      placeholder('boxes', 'DT_FLOAT', [-1, 4]),
      placeholder('scores', 'DT_FLOAT', [-1]),
      ...['most', 'overlap', 'least'].map((name) => node(name, 'Const')),
      node('chosen', 'NonMaxSuppressionV3', ['boxes', 'scores', 'most', 'overlap', 'least']),
    ],
    weights: { most: [[], 'int32', [3]], overlap: [[], 'float32', [0.5]], least: [[], 'float32', [0.1]] },
    inputs: {
      boxes: [[3, 4], 'float32', [0, 0, 1, 1, 0, 0, 1, 0.9, 2, 2, 3, 3]],
      scores: [[3], 'float32', [0.9, 0.8, 0.7]],
    },
    outputs: ['chosen'],
  },
  strings: {
    nodes: [
      placeholder('x', 'DT_STRING', [-1]),
      node('splitter', 'Const'),
      node('parts', 'StringSplit', ['x', 'splitter'], { skip_empty: { b: true } }),
    ],
    weights: { splitter: [[], 'string', [' ']] },
    inputs: { x: [[2], 'string', ['a bc', 'd']] },
    outputs: ['parts', 'parts:1', 'parts:2'],
  },
  loop: {
    nodes: [
      placeholder('x', 'DT_FLOAT', []),
      node('limit', 'Const'),
      node('one', 'Const'),
      node('enter', 'Enter', ['x'], { frame_name: text('while'), is_constant: { b: false } }),
      node('limit_in', 'Enter', ['limit'], { frame_name: text('while'), is_constant: { b: true } }),
      node('one_in', 'Enter', ['one'], { frame_name: text('while'), is_constant: { b: true } }),
      node('merge', 'Merge', ['enter', 'next']),
      node('less', 'Less', ['merge', 'limit_in']),
      node('cond', 'LoopCond', ['less']),
      node('switch', 'Switch', ['merge', 'cond']),
      node('body', 'AddV2', ['switch:1', 'one_in']),
      node('next', 'NextIteration', ['body']),
      node('exit', 'Exit', ['switch']),
    ],
    weights: { limit: [[], 'float32', [5]], one: [[], 'float32', [1]] },
    inputs: { x: [[], 'float32', [0.5]] },
    outputs: ['exit'],
  },
  list: {
    nodes: [
      placeholder('x', 'DT_FLOAT', [-1, 2]),
      node('shape', 'Const'),
      node('list', 'TensorListFromTensor', ['x', 'shape'], { element_dtype: { type: 'DT_FLOAT' } }),
      node('all', 'TensorListStack', ['list', 'shape'], {
        element_dtype: { type: 'DT_FLOAT' },
        num_elements: { i: '-1' },
      }),
    ],
    weights: { shape: [[1], 'int32', [2]] },
    inputs: { x: [[3, 2], 'float32', [1, 2, 3, 4, 5, 6]] },
    outputs: ['all'],
  },
  table: {
    nodes: [
      placeholder('x', 'DT_STRING', [-1]),
      node('none', 'Const'),
      node('table', 'HashTableV2', [], {
        key_dtype: { type: 'DT_STRING' },
        value_dtype: { type: 'DT_FLOAT' },
        shared_name: text('t'),
      }),
      node('found', 'LookupTableFindV2', ['table', 'x', 'none'], {
        Tin: { type: 'DT_STRING' },
        Tout: { type: 'DT_FLOAT' },
      }),
    ],
    weights: { none: [[], 'float32', [-1]], keys: [[2], 'string', ['a', 'b']], values: [[2], 'float32', [1, 2]] },
    initializer: [
      node('keys', 'Const'),
      node('values', 'Const'),
      node('table', 'HashTableV2', [], {
        key_dtype: { type: 'DT_STRING' },
        value_dtype: { type: 'DT_FLOAT' },
        shared_name: text('t'),
      }),
      node('fill', 'LookupTableImportV2', ['table', 'keys', 'values'], {
        Tin: { type: 'DT_STRING' },
        Tout: { type: 'DT_FLOAT' },
      }),
    ],
    inputs: { x: [[3], 'string', ['b', 'c', 'a']] },
    outputs: ['found'],
  },
};

const numbers = async (y) => ({ shape: y.shape, dtype: y.dtype, values: Array.from(await y.data()).slice(0, 2000) });

async function executed(tf, model, inputs, outputs) {
  const before = tf.memory().numTensors;
  const results = [];
  for (let i = 0; i < 2; i++) {
    const ys = [await model.executeAsync(inputs, outputs)].flat();
    results.push(await Promise.all(ys.map(numbers)));
    tf.dispose(ys);
  }
  return { results, left: tf.memory().numTensors - before };
}

function golden(name) {
  const read = (file) => readFileSync(path.join(modelsFolder, name, file));
  return async (tf, _layers, { converter }) => {
    const { modelTopology, weightsManifest, ...rest } = JSON.parse(read('model.json'));
    const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
    const bytes = Buffer.concat(weightsManifest.flatMap(({ paths }) => paths.map(read)));
    const weightData = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const model = await converter.loadGraphModel({
      load: async () => ({ ...rest, modelTopology, weightSpecs, weightData }),
    });
    const inputs = Object.fromEntries(
      model.inputs.map(({ name: input, shape, dtype }) => {
        const extents = (shape ?? []).map((extent) => (extent > 0 ? extent : 1));
        const size = extents.reduce((a, b) => a * b, 1);
        const values = Array.from({ length: size }, (_, i) =>
          dtype === 'float32' ? ((i * 37) % 101) / 101 : (i * 37) % 101,
        );
        return [input, tf.tensor(values, extents, dtype)];
      }),
    );
    const result = await executed(
      tf,
      model,
      inputs,
      model.outputs.map(({ name: output }) => output),
    );
    tf.dispose(inputs);
    model.dispose();
    return result;
  };
}

/** `{ name: (tf, layers, { converter }) => results }` */
export const converterCases = Object.fromEntries([
  ...Object.entries(kGraphs).map(([name, { nodes, weights, inputs, outputs, initializer }]) => [
    `graph ${name}`,
    async (tf, _layers, { converter }) => {
      const given = Object.entries(weights).map(([key, [shape, dtype, values]]) => ({
        name: key,
        tensor: tf.tensor(values, shape, dtype),
      }));
      const { data, specs } = await tf.io.encodeWeights(given);
      tf.dispose(given);
      const artifacts = {
        modelTopology: { node: nodes, versions: { producer: 1, minConsumer: 1 } },
        weightSpecs: specs,
        weightData: data,
        ...(initializer && { modelInitializer: { node: initializer, versions: { producer: 1, minConsumer: 1 } } }),
      };
      const model = await converter.loadGraphModel({ load: async () => artifacts });
      const xs = Object.fromEntries(
        Object.entries(inputs).map(([key, [shape, dtype, values]]) => [key, tf.tensor(values, shape, dtype)]),
      );
      const result = await executed(tf, model, xs, outputs);
      tf.dispose(xs);
      model.dispose();
      return result;
    },
  ]),
  // Boxes of faceboxes are sorted by scores, many of which differ only in the sixth digit.
  ...kGoldenGraphs
    .filter((name) => name !== 'faceboxes' && existsSync(path.join(modelsFolder, name)))
    .map((name) => [`graph model ${name}`, golden(name)]),
  [
    'a custom op',
    async (tf, _layers, { converter }) => {
      converter.registerOp('Twice', (at) => [tf.mul(at.inputs[0], 2)]);
      const model = await converter.loadGraphModel({
        load: async () => ({
          modelTopology: { node: [placeholder('x', 'DT_FLOAT', [-1]), node('y', 'Twice', ['x'])], versions: {} },
          weightSpecs: [],
          weightData: new ArrayBuffer(0),
        }),
      });
      const x = tf.tensor1d([1, 2]);
      const result = await executed(tf, model, { x }, ['y']);
      x.dispose();
      model.dispose();
      converter.deregisterOp('Twice');
      return result;
    },
  ],
  [
    'error: an unknown op',
    async (tf, _layers, { converter }) => {
      const model = await converter.loadGraphModel({
        load: async () => ({
          modelTopology: { node: [placeholder('x', 'DT_FLOAT', [-1]), node('y', 'Nothing', ['x'])], versions: {} },
          weightSpecs: [],
          weightData: new ArrayBuffer(0),
        }),
      });
      return tf.tidy(() => model.predict(tf.tensor1d([1])));
    },
  ],
]);
