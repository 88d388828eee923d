// The layers of transformers as exporters write them in ONNX's own ops: normalizations and attention in parts, shapes computed from
// shapes. Weights are random.
import { onnxModel } from '../bench/onnx.mjs';
import { randomFloats, sizeOf } from '../bench/random.mjs';

const kFirstSeed = 500;

/** The nodes and constants of a model whose layers have `heads` heads of `size` values. Methods return the names of values. */
export class TransformerLayers {
  #nodes = [];
  #constants = {};
  #seed = kFirstSeed;
  #heads;
  #size;
  #convert;

  /** `convert` returns the type, if it is not float32, and the values of weights that are given as float32. */
  constructor({ heads, size, convert = (values) => ({ values }) }) {
    this.#heads = heads;
    this.#size = size;
    this.#convert = convert;
  }

  get hidden() {
    return this.#heads * this.#size;
  }

  /** Adds a node with one output. */
  node(op, inputs, attributes = {}, output = `v${this.#nodes.length + 1}`) {
    this.#nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }
  weights(name, shape, scale = 0.3) {
    this.#constants[name] = { shape, ...this.#convert(randomFloats(sizeOf(shape), ++this.#seed, -scale, scale)) };
    return name;
  }
  integers(...values) {
    const name = `integers ${values.join(' ')}`;
    this.#constants[name] = { shape: [values.length], values };
    return name;
  }
  number(value) {
    const name = `number ${value}`;
    this.#constants[name] = { shape: [], values: Float32Array.of(value) };
    return name;
  }

  /** Returns the extent of an axis as a vector of one integer. */
  extent(x, axis) {
    return this.node('Gather', [this.node('Shape', [x]), this.integers(axis)]);
  }
  scalar(x) {
    return this.node('Squeeze', [x]);
  }
  range(begin, end) {
    return this.node('Range', [this.scalar(begin), this.scalar(end), this.scalar(this.integers(1))]);
  }

  normalize(name, x) {
    const centered = this.node('Sub', [x, this.node('ReduceMean', [x], { axes: [-1] })]);
    const variance = this.node('ReduceMean', [this.node('Pow', [centered, this.number(2)])], { axes: [-1] });
    const deviation = this.node('Sqrt', [this.node('Add', [variance, this.number(1e-5)])]);
    const scaled = this.node('Div', [centered, deviation]);
    return this.node('Add', [
      this.node('Mul', [scaled, this.weights(`${name} scale`, [this.hidden], 1)]),
      this.weights(`${name} bias`, [this.hidden]),
    ]);
  }
  dense(name, x, from, to) {
    const product = this.node('MatMul', [x, this.weights(`${name} weight`, [from, to])]);
    return this.node('Add', [this.weights(`${name} bias`, [to]), product]);
  }
  gelu(x) {
    const erf = this.node('Erf', [this.node('Div', [x, this.number(Math.SQRT2)])]);
    const scaled = this.node('Mul', [x, this.node('Add', [erf, this.number(1)])]);
    return this.node('Mul', [scaled, this.number(0.5)]);
  }

  /** Returns a projection of [1, positions, hidden] as [1, heads, positions, size]. */
  heads(name, x, output) {
    const whole = this.dense(name, x, this.hidden, this.hidden);
    const counts = [this.integers(this.#heads), this.integers(this.#size)];
    const parts = this.node('Concat', [this.integers(1), this.extent(whole, 1), ...counts], { axis: 0 });
    return this.node('Transpose', [this.node('Reshape', [whole, parts])], { perm: [0, 2, 1, 3] }, output);
  }
  /** Returns attention as [1, positions, hidden], with a mask that is added to the scores if there is one. */
  attend(name, [query, key, value], mask) {
    const products = this.node('MatMul', [query, this.node('Transpose', [key], { perm: [0, 1, 3, 2] })]);
    const scores = this.node('Div', [products, this.number(Math.sqrt(this.#size))]);
    const masked = mask ? this.node('Add', [scores, mask]) : scores;
    const mixed = this.node('MatMul', [this.node('Softmax', [masked], { axis: -1 }), value]);
    const rows = this.node('Transpose', [mixed], { perm: [0, 2, 1, 3] });
    const joined = this.node('Concat', [this.integers(1), this.extent(rows, 1), this.integers(this.hidden)], {
      axis: 0,
    });
    return this.dense(name, this.node('Reshape', [rows, joined]), this.hidden, this.hidden);
  }
  /** Returns x and what a layer's two products with GELU between them add to it. */
  feedForward(i, x) {
    const { hidden } = this;
    const inner = this.dense(`up ${i}`, this.normalize(`feed ${i}`, x), hidden, 4 * hidden);
    return this.node('Add', [x, this.dense(`down ${i}`, this.gelu(inner), 4 * hidden, hidden)]);
  }

  /** Returns the bytes of the model. */
  write(inputs, outputs) {
    return onnxModel({ nodes: this.#nodes, constants: this.#constants, inputs, outputs });
  }
}
