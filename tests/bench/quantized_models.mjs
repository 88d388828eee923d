// Transformers with weights in 16, 8 or 4 bits, as onnxruntime's converters and quantizers write them, and their twins in float32.
// The weights are random.
import { toHalves } from './halves.mjs';
import { onnxModel } from './onnx.mjs';
import { randomFloats, sizeOf } from './random.mjs';

const kMicrosoft = 'com.microsoft';
const kOpsets = { '': 17, [kMicrosoft]: 1 };
const kBlock = 32;
/** Numbers of element types, for Cast. */
const kFloat32 = 1;
const kFloat16 = 10;

/** Collects the nodes and constants of a graph. */
export class GraphWriter {
  nodes = [];
  constants = {};
  #seed = 100;
  #count = 0;

  floats(name, shape, low = -0.3, high = 0.3) {
    this.constants[name] = { shape, values: randomFloats(sizeOf(shape), ++this.#seed, low, high) };
    return name;
  }
  halves(name, shape, low = -0.3, high = 0.3) {
    this.constants[name] = {
      type: 'float16',
      shape,
      values: toHalves(randomFloats(sizeOf(shape), ++this.#seed, low, high)),
    };
    return name;
  }
  bytes(name, shape, type = 'uint8') {
    const [View, low, high] = type === 'int8' ? [Int8Array, -127, 127] : [Uint8Array, 0, 256];
    this.constants[name] = { type, shape, values: View.from(randomFloats(sizeOf(shape), ++this.#seed, low, high)) };
    return name;
  }
  integers(name, values) {
    this.constants[name] = { shape: [values.length], values };
    return name;
  }
  node(op, inputs, attributes = {}, outputs = [`v${++this.#count}`], domain = '') {
    this.nodes.push({ op, inputs, outputs, attributes, domain });
    return outputs[0];
  }
  contrib(op, inputs, attributes, outputs) {
    return this.node(op, inputs, attributes, outputs, kMicrosoft);
  }
  model(inputs, outputs) {
    return onnxModel({ nodes: this.nodes, constants: this.constants, inputs, outputs, opsets: kOpsets });
  }

  /** Adds x * W, W [depth, width]: of float32 or float16, or quantized dynamically with weights of 8 bits. */
  product(name, x, depth, width, bits) {
    if (bits === 4) {
      const blocks = Math.ceil(depth / kBlock);
      const packed = this.bytes(`${name} weight`, [width, blocks, kBlock / 2]);
      const scales = this.floats(`${name} scales`, [width * blocks], 0.001, 0.004);
      return this.contrib('MatMulNBits', [x, packed, scales], { K: depth, N: width, bits: 4, block_size: kBlock });
    }
    if (bits !== 8) {
      const weight = this[bits === 16 ? 'halves' : 'floats'](`${name} weight`, [depth, width], -0.05, 0.05);
      return this.node('MatMul', [x, weight]);
    }
    const [quantized, scale, zero] = this.#quantize(x);
    const weights = this.bytes(`${name} weight`, [depth, width], 'int8');
    this.constants[`${name} zero`] = { type: 'int8', shape: [], values: Int8Array.of(0) };
    this.constants[`${name} scale`] = { shape: [], values: Float32Array.of(0.0004) };
    const sums = this.node('MatMulInteger', [quantized, weights, zero, `${name} zero`]);
    const scales = this.node('Mul', [scale, `${name} scale`]);
    return this.node('Mul', [this.node('Cast', [sums], { to: 1 }), scales]);
  }
  /** Adds what `build` adds to x. With 16 bits, its values are float16 between two casts. */
  ofType(bits, x, build) {
    const cast = (value, to) => (bits === 16 ? this.node('Cast', [value], { to }) : value);
    return cast(build(cast(x, kFloat16)), kFloat32);
  }
  #quantized = new Map();
  #quantize(x) {
    if (!this.#quantized.has(x)) {
      const outputs = ['quantized', 'scale', 'zero'].map((name) => `${name} of ${x}`);
      this.node('DynamicQuantizeLinear', [x], {}, outputs);
      this.#quantized.set(x, outputs);
    }
    return this.#quantized.get(x);
  }
}

/** Returns a product x * W as a model: x is [rows, depth]. */
export function makeProduct({ rows, depth, width, bits }) {
  const graph = new GraphWriter();
  const y = graph.ofType(bits, 'x', (x) => graph.product('product', x, depth, width, bits));
  return { bytes: graph.model([{ name: 'x', shape: [rows, depth] }], [{ name: y }]), shape: [rows, depth], output: y };
}

/** Returns an encoder of the shape of MiniLM, without its embedding. */
export function makeEncoder({ layers = 6, length = 128, hidden = 384, heads = 12, inner = 1536, bits }) {
  const graph = new GraphWriter();
  const size = hidden / heads;
  const linear = (name, x, depth, width) =>
    graph.node('Add', [graph.product(name, x, depth, width, bits), graph.floats(`${name} bias`, [width])]);
  const split = graph.integers('split', [1, length, heads, size]);
  const join = graph.integers('join', [1, length, hidden]);
  const scalar = (name, value) => {
    graph.constants[name] = { shape: [], values: Float32Array.of(value) };
    return name;
  };
  const [root, one, half, root2] = [
    scalar('root', Math.sqrt(size)),
    scalar('one', 1),
    scalar('half', 0.5),
    scalar('root2', Math.SQRT2),
  ];
  const toHeads = (x, perm) => graph.node('Transpose', [graph.node('Reshape', [x, split])], { perm });
  const normalize = (name, x) =>
    graph.node(
      'LayerNormalization',
      [x, graph.floats(`${name} scale`, [hidden], 0.5, 1), graph.floats(`${name} shift`, [hidden])],
      {
        epsilon: { float: 1e-6 },
      },
    );
  let x = 'x';
  for (let i = 0; i < layers; ++i) {
    const query = toHeads(linear(`query ${i}`, x, hidden, hidden), [0, 2, 1, 3]);
    const key = toHeads(linear(`key ${i}`, x, hidden, hidden), [0, 2, 3, 1]);
    const value = toHeads(linear(`value ${i}`, x, hidden, hidden), [0, 2, 1, 3]);
    const weights = graph.node('Softmax', [graph.node('Div', [graph.node('MatMul', [query, key]), root])]);
    const context = graph.node('Transpose', [graph.node('MatMul', [weights, value])], { perm: [0, 2, 1, 3] });
    const attended = linear(`attended ${i}`, graph.node('Reshape', [context, join]), hidden, hidden);
    x = normalize(`attention ${i}`, graph.node('Add', [attended, x]));
    const up = linear(`up ${i}`, x, hidden, inner);
    const erf = graph.node('Add', [graph.node('Erf', [graph.node('Div', [up, root2])]), one]);
    const gelu = graph.node('Mul', [graph.node('Mul', [up, erf]), half]);
    x = normalize(`output ${i}`, graph.node('Add', [linear(`down ${i}`, gelu, inner, hidden), x]));
  }
  const shape = [1, length, hidden];
  return { bytes: graph.model([{ name: 'x', shape }], [{ name: x }]), shape, output: x };
}

/** Returns the products of a step of a decoder, and its normalizations: a token without attention to others. */
export function makeDecoderStep({ layers = 6, hidden = 768, inner = 3072, vocabulary = 32000, rows = 1, bits }) {
  const graph = new GraphWriter();
  const y = graph.ofType(bits, 'x', (first) => {
    let x = first;
    for (let i = 0; i < layers; ++i) {
      const scale = graph[bits === 16 ? 'halves' : 'floats'](`norm ${i}`, [hidden], 0.5, 1);
      const normalized = graph.node('SimplifiedLayerNormalization', [x, scale], { epsilon: { float: 1e-6 } });
      const [query, key, value] = ['query', 'key', 'value'].map((name) =>
        graph.product(`${name} ${i}`, normalized, hidden, hidden, bits),
      );
      const mixed = graph.node('Mul', [graph.node('Add', [query, key]), value]);
      x = graph.node('Add', [x, graph.product(`attended ${i}`, mixed, hidden, hidden, bits)]);
      const gate = graph.product(`gate ${i}`, x, hidden, inner, bits);
      const up = graph.product(`up ${i}`, x, hidden, inner, bits);
      const gated = graph.node('Mul', [graph.node('Mul', [gate, graph.node('Sigmoid', [gate])]), up]);
      x = graph.node('Add', [x, graph.product(`down ${i}`, gated, inner, hidden, bits)]);
    }
    return graph.product('head', x, hidden, vocabulary, bits);
  });
  const shape = [rows, hidden];
  return { bytes: graph.model([{ name: 'x', shape }], [{ name: y }]), shape, output: y };
}
