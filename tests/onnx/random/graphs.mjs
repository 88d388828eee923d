// Random graphs of float32: passes fold, fuse and reorder their nodes.
import { int64s, floats, range, sizeOf } from './values.mjs';

const kMaxElements = 4000;
const kUnary = [
  'Relu',
  'Sigmoid',
  'Tanh',
  'Neg',
  'Abs',
  'Softplus',
  'HardSwish',
  'LeakyRelu',
  'Elu',
  'Identity',
  'Floor',
  'Erf',
  'HardSigmoid',
];
const kBinary = ['Add', 'Mul', 'Sub', 'Max', 'Min'];
/** Permutations between the layouts of images, which passes cancel. */
const kLayouts = [
  [0, 2, 3, 1],
  [0, 3, 1, 2],
];

class GraphBuilder {
  nodes = [];
  inputs = [];
  values = [];
  #used = new Set();

  constructor(r) {
    this.r = r;
    for (let i = r.int(1, 2); i > 0; --i)
      this.values.push(
        this.#addInput(
          r.tensor(
            'float32',
            r.chance(0.6) ? [r.int(1, 2), r.pick([2, 4, 6]), r.int(3, 6), r.int(3, 6)] : r.dims(1, 4, 5, 0),
          ),
        ),
      );
  }

  #addInput(tensor) {
    const value = { name: `x${this.inputs.length}`, shape: tensor.shape };
    this.inputs.push(tensor);
    return value;
  }

  /** Adds a constant, or sometimes an input. Returns its name. */
  fixed(tensor, share = 0.85) {
    return this.#addInput(this.r.mayFix(tensor, share)).name;
  }
  weights(shape, span) {
    return this.fixed(this.r.tensor('float32', shape, { low: -1, high: 1, ...span }));
  }
  list(values) {
    return this.fixed(int64s(values), 0.95);
  }

  /** Adds a node of one output of a shape. Unless it is too large, it is a value for later nodes. */
  add(op, inputs, shape, attributes = {}) {
    if (sizeOf(shape) > kMaxElements || shape.length > 5) return;
    const output = `v${this.nodes.length}`;
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    for (const name of inputs) this.#used.add(name);
    this.values.push({ name: output, shape });
  }

  /** Returns the case: its outputs are the values that no node takes, and a few others. */
  finish(version) {
    const made = this.nodes.map(({ outputs: [name] }) => name);
    const outputs = made.filter((name) => !this.#used.has(name) || this.r.chance(0.1));
    const names = new Map(outputs.map((name, i) => [name, `y${i}`]));
    const rename = (list) => list.map((name) => names.get(name) ?? name);
    const nodes = this.nodes.map((one) => ({ ...one, inputs: rename(one.inputs), outputs: rename(one.outputs) }));
    return { nodes, version, inputs: this.inputs, outputs: outputs.length, types: outputs.map(() => 'float32') };
  }
}

const kSteps = {
  unary: (g, r, { name, shape }) => g.add(r.pick(kUnary), [name], shape),
  binary(g, r, { name, shape }) {
    const other = r.chance(0.4) && g.values.find((one) => one.shape.join() === shape.join() && one.name !== name);
    const second = other ? other.name : g.weights(r.narrowed(shape, 0.4));
    g.add(r.pick(kBinary), r.chance(0.5) ? [name, second] : [second, name], shape);
  },
  channelwise(g, r, { name, shape }) {
    if (shape.length < 3) return;
    g.add(r.pick(kBinary), [name, g.weights([shape[1], ...shape.slice(2).map(() => 1)])], shape);
  },
  transpose(g, r, { name, shape }) {
    const perm = shape.length === 4 && r.chance(0.7) ? r.pick(kLayouts) : r.shuffled(range(shape.length));
    g.add(
      'Transpose',
      [name],
      perm.map((axis) => shape[axis]),
      { perm },
    );
  },
  reshape(g, r, { name, shape }) {
    const wanted =
      r.chance(0.5) && shape.length > 1
        ? [shape[0], sizeOf(shape.slice(1))]
        : [...shape.slice(0, -2), sizeOf(shape.slice(-2))];
    g.add('Reshape', [name, g.list(wanted.map((extent, i) => (i === wanted.length - 1 ? -1 : extent)))], wanted);
  },
  unsqueeze(g, r, { name, shape }) {
    const axis = r.int(0, shape.length);
    g.add('Unsqueeze', [name, g.list([axis])], [...shape.slice(0, axis), 1, ...shape.slice(axis)]);
  },
  squeeze(g, r, { name, shape }) {
    const axis = shape.indexOf(1);
    if (axis >= 0) g.add('Squeeze', [name, g.list([axis])], shape.toSpliced(axis, 1));
  },
  concat(g, r, { name, shape }) {
    if (shape.length === 0) return;
    const axis = r.int(0, shape.length - 1);
    const others = g.values.filter(
      (one) => one.shape.length === shape.length && one.shape.every((extent, i) => i === axis || extent === shape[i]),
    );
    const parts = range(r.int(1, 2)).map(() => r.pick(others));
    const list = [{ name, shape }, ...parts];
    const whole = list.reduce((sum, one) => sum + one.shape[axis], 0);
    g.add(
      'Concat',
      list.map((one) => one.name),
      shape.with(axis, whole),
      { axis: r.chance(0.3) ? axis - shape.length : axis },
    );
  },
  slice(g, r, { name, shape }) {
    if (shape.length === 0) return;
    const axis = r.int(0, shape.length - 1);
    const start = r.int(0, shape[axis] - 1);
    const end = r.int(start + 1, shape[axis]);
    g.add('Slice', [name, g.list([start]), g.list([end]), g.list([axis])], shape.with(axis, end - start));
  },
  pad(g, r, { name, shape }) {
    const pads = range(2 * shape.length).map(() => (r.chance(0.3) ? r.int(0, 2) : 0));
    g.add(
      'Pad',
      [name, g.list(pads)],
      shape.map((extent, i) => extent + pads[i] + pads[i + shape.length]),
      { mode: r.pick(['constant', 'edge']) },
    );
  },
  reduce(g, r, { name, shape }) {
    if (shape.length === 0) return;
    const axes = r.axes(shape.length, r.int(1, shape.length));
    const isReduced = (i) => axes.includes(i) || axes.includes(i - shape.length);
    const keepdims = r.int(0, 1);
    g.add(
      r.pick(['ReduceMean', 'ReduceSum', 'ReduceMax', 'ReduceL2']),
      [name, g.list(axes)],
      shape.flatMap((extent, i) => (isReduced(i) ? (keepdims ? [1] : []) : [extent])),
      { keepdims },
    );
  },
  softmax: (g, r, { name, shape }) =>
    shape.length > 0 && g.add(r.pick(['Softmax', 'LogSoftmax']), [name], shape, { axis: r.axis(shape.length) }),
  matMul(g, r, { name, shape }) {
    if (shape.length < 2) return;
    const n = r.int(1, 6);
    g.add('MatMul', [name, g.weights([shape.at(-1), n])], shape.with(-1, n));
  },
  gemm(g, r, { name, shape }) {
    if (shape.length !== 2) return;
    const n = r.int(1, 6);
    const transB = r.int(0, 1);
    g.add(
      'Gemm',
      [name, g.weights(transB ? [n, shape[1]] : [shape[1], n]), g.weights(r.pick([[n], [1], [1, n]]))],
      [shape[0], n],
      { transB },
    );
  },
  conv(g, r, { name, shape }) {
    if (shape.length !== 4) return;
    const kernel = r.pick([1, 3]);
    const channels = shape[1];
    const group = r.pick([1, 1, channels, channels % 2 === 0 ? 2 : 1]);
    const filters = group * r.int(1, 3);
    const pad = kernel === 3 ? r.int(0, 1) : 0;
    const stride = r.pick([1, 1, 2]);
    const out = shape.slice(2).map((extent) => Math.floor((extent + 2 * pad - kernel) / stride) + 1);
    if (Math.min(...out) < 1) return;
    const inputs = [name, g.weights([filters, channels / group, kernel, kernel])];
    if (r.chance(0.6)) inputs.push(g.weights([filters]));
    g.add('Conv', inputs, [shape[0], filters, ...out], {
      group,
      pads: [pad, pad, pad, pad],
      strides: [stride, stride],
    });
  },
  pool(g, r, { name, shape }) {
    if (shape.length !== 4 || shape[2] < 2 || shape[3] < 2) return;
    const out = shape.slice(2).map((extent) => Math.floor((extent - 2) / 2) + 1);
    g.add(r.pick(['MaxPool', 'AveragePool']), [name], [shape[0], shape[1], ...out], {
      kernel_shape: [2, 2],
      strides: [2, 2],
    });
  },
  batchNorm(g, r, { name, shape }) {
    if (shape.length < 3) return;
    const vector = (span) => g.weights([shape[1]], span);
    g.add('BatchNormalization', [name, vector(), vector(), vector(), vector({ low: 0.5, high: 2 })], shape);
  },
  resize(g, r, { name, shape }) {
    if (shape.length !== 4) return;
    const attributes = r.pick([
      { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
      { mode: 'linear' },
    ]);
    g.add(
      'Resize',
      [name, '', g.fixed(floats([1, 1, 2, 2]), 1)],
      [shape[0], shape[1], 2 * shape[2], 2 * shape[3]],
      attributes,
    );
  },
  depthToSpace(g, r, { name, shape }) {
    if (shape.length === 4 && shape[1] % 4 === 0)
      g.add('DepthToSpace', [name], [shape[0], shape[1] / 4, 2 * shape[2], 2 * shape[3]], {
        blocksize: 2,
        mode: r.pick(['DCR', 'CRD']),
      });
  },
  layerNorm: (g, r, { name, shape }) =>
    shape.length > 0 &&
    shape.at(-1) > 2 &&
    g.add('LayerNormalization', [name, g.weights([shape.at(-1)]), g.weights([shape.at(-1)])], shape, {
      epsilon: { float: 0.1 },
    }),
  globalPool: (g, r, { name, shape }) =>
    shape.length === 4 && g.add(r.pick(['GlobalAveragePool', 'GlobalMaxPool']), [name], [shape[0], shape[1], 1, 1]),
  gather(g, r, { name, shape }) {
    if (shape.length === 0) return;
    const axis = r.int(0, shape.length - 1);
    const count = r.int(1, 4);
    g.add(
      'Gather',
      [name, g.list(range(count).map(() => r.int(-shape[axis], shape[axis] - 1)))],
      shape.with(axis, count),
      { axis },
    );
  },
  expand(g, r, { name, shape }) {
    const wanted = shape.map((extent) => (extent === 1 ? r.int(1, 3) : extent));
    g.add('Expand', [name, g.list(wanted)], wanted);
  },
  clip: (g, r, { name, shape }) =>
    g.add('Clip', [name, g.fixed(floats([r.pick([0, -1])], [])), g.fixed(floats([r.pick([1, 6])], []))], shape),
  /** A function that exporters write as many nodes. */
  gelu(g, r, { name, shape }) {
    const scalar = (value) => g.fixed(floats([value], []), 1);
    g.add('Div', [name, scalar(Math.SQRT2)], shape);
    const erf = (op, ...rest) => g.add(op, [g.values.at(-1).name, ...rest], shape);
    erf('Erf');
    erf('Add', scalar(1));
    erf('Mul', name);
    erf('Mul', scalar(0.5));
  },
  swish(g, r, { name, shape }) {
    g.add('Sigmoid', [name], shape);
    g.add('Mul', r.shuffled([name, g.values.at(-1).name]), shape);
  },
};

/** Returns a graph of a few random nodes. */
export function makeGraph(r) {
  const g = new GraphBuilder(r);
  const count = r.int(3, 12);
  const names = Object.keys(kSteps);
  for (let tries = 0; tries < 60 && g.nodes.length < count; ++tries) {
    // Chains of nodes are more often fused than trees.
    const value = r.chance(0.7) ? g.values.at(-1) : r.pick(g.values);
    kSteps[r.pick(names)](g, r, value);
  }
  return g.finish(r.int(18, 26));
}
