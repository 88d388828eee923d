// Small graphs as artifacts of models.
import { tf } from '../expect.mjs';

/** Returns a node; its attributes are written as in TensorFlow's JSON. */
export const node = (name, op, input = [], attr = {}) => ({ name, op, input, attr });

export const placeholder = (name, shape) =>
  node(name, 'Placeholder', [], {
    dtype: { type: 'DT_FLOAT' },
    ...(shape && { shape: { shape: { dim: shape.map((size) => ({ size: String(size) })) } } }),
  });

/** Returns a model's artifacts: `weights` are typed arrays or numbers by the names of Const nodes, which are added. */
export function graph(nodes, { weights = {}, ...rest } = {}) {
  const entries = Object.entries(weights).map(([name, { values, shape }]) => ({ name, values, shape }));
  const dtype = (values) =>
    values instanceof Int32Array ? 'int32' : values instanceof Uint8Array ? 'bool' : 'float32';
  const bytes = entries.flatMap(({ values }) => [
    ...new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  ]);
  return {
    modelTopology: {
      node: [...entries.map(({ name }) => node(name, 'Const')), ...nodes],
      library: {},
      versions: { producer: 1, minConsumer: 2 },
    },
    format: 'graph-model',
    weightSpecs: entries.map(({ name, values, shape }) => ({
      name,
      shape: shape ?? [values.length],
      dtype: dtype(values),
    })),
    weightData: Uint8Array.from(bytes).buffer,
    ...rest,
  };
}

export const load = (artifacts) => tf.loadGraphModelSync(artifacts);
