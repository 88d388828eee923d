// A decoder as exporters write it in ONNX's own ops: normalizations and attention in parts, shapes computed from shapes, and a
// cache of keys and values that a program keeps. Its weights are random.
import { onnxModel } from '../bench/onnx.mjs';
import { randomFloats, sizeOf } from '../bench/random.mjs';

const kVocabulary = 50;

/** Returns the bytes of a model of `layers` layers with `heads` heads of `size` values. */
export function makePlainDecoder({ layers = 2, heads = 4, size = 16 } = {}) {
  const hidden = heads * size;
  const nodes = [];
  const constants = {};
  let count = 0;
  let seed = 500;
  const node = (op, inputs, attributes = {}, output = `v${++count}`) => {
    nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  };
  const weights = (name, shape, scale = 0.3) => {
    constants[name] = { shape, values: randomFloats(sizeOf(shape), ++seed, -scale, scale) };
    return name;
  };
  const integers = (...values) => {
    const name = `integers ${values.join(' ')}`;
    constants[name] = { shape: [values.length], values };
    return name;
  };
  const number = (value) => {
    const name = `number ${value}`;
    constants[name] = { shape: [], values: Float32Array.of(value) };
    return name;
  };
  const extent = (x, axis) => node('Gather', [node('Shape', [x]), integers(axis)]);
  const normalize = (name, x) => {
    const centered = node('Sub', [x, node('ReduceMean', [x], { axes: [-1] })]);
    const variance = node('ReduceMean', [node('Pow', [centered, number(2)])], { axes: [-1] });
    const scaled = node('Div', [centered, node('Sqrt', [node('Add', [variance, number(1e-5)])])]);
    return node('Add', [
      node('Mul', [scaled, weights(`${name} scale`, [hidden], 1)]),
      weights(`${name} bias`, [hidden]),
    ]);
  };
  const dense = (name, x, from, to) =>
    node('Add', [weights(`${name} bias`, [to]), node('MatMul', [x, weights(`${name} weight`, [from, to])])]);

  const total = extent('attention_mask', 1);
  const length = extent('input_ids', 1);
  const past = node('Sub', [total, length]);
  const scalar = (x) => node('Squeeze', [x]);
  const positions = node('Range', [scalar(past), scalar(total), scalar(integers(1))]);
  const tokens = node('Gather', [weights('tokens', [kVocabulary, hidden], 1), 'input_ids']);
  let x = node('Add', [tokens, node('Gather', [weights('positions', [1024, hidden], 0.5), positions])]);
  // Position i of the tokens sees all positions up to its own.
  const keys = node('Range', [scalar(integers(0)), scalar(total), scalar(integers(1))]);
  const hides = node('Greater', [node('Unsqueeze', [keys, integers(0)]), node('Unsqueeze', [positions, integers(1)])]);
  const mask = node('Mul', [node('Cast', [hides], { to: 1 }), number(-1e9)]);

  const inputs = [
    { name: 'input_ids', type: 'int64', shape: [1, 'length'] },
    { name: 'attention_mask', type: 'int64', shape: [1, 'total'] },
  ];
  const outputs = [{ name: 'logits' }];
  for (let i = 0; i < layers; ++i) {
    const normal = normalize(`attention ${i}`, x);
    const split = (name) => {
      const whole = dense(`${name} ${i}`, normal, hidden, hidden);
      const parts = node('Concat', [integers(1), extent(whole, 1), integers(heads), integers(size)], { axis: 0 });
      return node('Transpose', [node('Reshape', [whole, parts])], { perm: [0, 2, 1, 3] });
    };
    const query = split('query');
    const [key, value] = ['key', 'value'].map((name) => {
      inputs.push({ name: `past.${i}.${name}`, shape: [1, heads, 'past', size] });
      outputs.push({ name: `present.${i}.${name}` });
      return node('Concat', [`past.${i}.${name}`, split(name)], { axis: 2 }, `present.${i}.${name}`);
    });
    const scores = node('MatMul', [query, node('Transpose', [key], { perm: [0, 1, 3, 2] })]);
    const masked = node('Add', [node('Div', [scores, number(Math.sqrt(size))]), mask]);
    const mixed = node('MatMul', [node('Softmax', [masked], { axis: -1 }), value]);
    const rows = node('Transpose', [mixed], { perm: [0, 2, 1, 3] });
    const joined = node('Concat', [integers(1), extent(rows, 1), integers(hidden)], { axis: 0 });
    x = node('Add', [x, dense(`output ${i}`, node('Reshape', [rows, joined]), hidden, hidden)]);
    const inner = dense(`up ${i}`, normalize(`feed ${i}`, x), hidden, 4 * hidden);
    const erf = node('Erf', [node('Div', [inner, number(Math.SQRT2)])]);
    const active = node('Mul', [node('Mul', [inner, node('Add', [erf, number(1)])]), number(0.5)]);
    x = node('Add', [x, dense(`down ${i}`, active, 4 * hidden, hidden)]);
  }
  node('MatMul', [normalize('last', x), weights('head', [hidden, kVocabulary])], {}, 'logits');
  return onnxModel({ nodes, constants, inputs, outputs });
}

/** Returns the inputs of a run for some tokens, after `before` tokens whose caches are `caches`, by name. */
export function plainDecoderInputs(tokens, before, caches) {
  const ids = (values) => ({ type: 'int64', shape: [1, values.length], values: BigInt64Array.from(values, BigInt) });
  const all = Array.from({ length: before + tokens.length }, () => 1);
  return { input_ids: ids(tokens), attention_mask: ids(all), ...caches };
}

/** Returns the caches for a run: those in the results of the run before, by name, or empty ones. */
export function plainDecoderCaches({ layers = 2, heads = 4, size = 16 } = {}, results = undefined) {
  const names = Array.from({ length: layers }, (_, i) => [`${i}.key`, `${i}.value`]).flat();
  return Object.fromEntries(
    names.map((name) => {
      const { dims, data } = results?.[`present.${name}`] ?? { dims: [1, heads, 0, size], data: new Float32Array(0) };
      return [`past.${name}`, { type: 'float32', shape: dims, values: data }];
    }),
  );
}
