/**
 * Returns the files of a graph model whose outputs have given shapes: a ramp from 0 to 1, times a number that depends on the
 * input. `inputs` are `{ name: [dtype, shape] }`, `outputs` `{ name: shape }`.
 */
export function artifactsOf(inputs, outputs) {
  const [[input]] = Object.entries(inputs);
  const nodes = Object.entries(inputs).map(([name, [dtype, shape]]) => ({
    name,
    op: 'Placeholder',
    attr: { dtype: { type: dtype }, shape: { shape: { dim: shape.map((size) => ({ size: String(size) })) } } },
  }));
  const weights = [];
  const bytes = [];
  const constant = (name, dtype, shape, values) => {
    nodes.push({
      name,
      op: 'Const',
      input: [],
      attr: { dtype: { type: dtype === 'int32' ? 'DT_INT32' : 'DT_FLOAT' } },
    });
    weights.push({ name, dtype, shape });
    bytes.push(Buffer.from((dtype === 'int32' ? Int32Array : Float32Array).from(values).buffer));
  };
  const rank = inputs[input][1].length;
  constant(
    'axes',
    'int32',
    [rank],
    Array.from({ length: rank }, (_, i) => i),
  );
  constant('least', 'float32', [], [0.001]);
  nodes.push({ name: 'real', op: 'Cast', input: [input], attr: { DstT: { type: 'DT_FLOAT' } } });
  nodes.push({ name: 'mean', op: 'Mean', input: ['real', 'axes'], attr: { keep_dims: { b: false } } });
  nodes.push({ name: 'scaled', op: 'Mul', input: ['mean', 'least'], attr: {} });
  nodes.push({ name: 'factor', op: 'Sigmoid', input: ['scaled'], attr: {} });
  for (const [name, shape] of Object.entries(outputs)) {
    const size = shape.reduce((a, b) => a * b, 1);
    constant(
      `${name}/ramp`,
      'float32',
      shape,
      Array.from({ length: size }, (_, i) => (((i * 37) % size) + 1) / size),
    );
    nodes.push({ name, op: 'Mul', input: [`${name}/ramp`, 'factor'], attr: {} });
  }
  const tensor = (name, shape = []) => ({
    name: `${name}:0`,
    dtype: 'DT_FLOAT',
    tensorShape: { dim: shape.map((size) => ({ size: String(size) })) },
  });
  const model = {
    format: 'graph-model',
    signature: {
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([name, [dtype, shape]]) => [name, { ...tensor(name, shape), dtype }]),
      ),
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, shape]) => [name, tensor(name, shape)])),
    },
    modelTopology: { node: nodes, versions: { producer: 1, minConsumer: 1 } },
    weightsManifest: [{ paths: ['weights.bin'], weights }],
  };
  return { 'model.json': JSON.stringify(model), 'weights.bin': Buffer.concat(bytes) };
}
