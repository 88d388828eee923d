// `node tests/conformance/graphs.mjs [--seed S] [--count N] [--only I]`: runs random graphs on Tenure and on TensorFlow.js's
// converter. Prints each whose outputs differ, and fails if one does or if tensors are left.
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import * as tf from '../../dist/index.js';
import { root } from '../../cpp/toolchain/use.mjs';
import { Random } from './random/random.mjs';
import { usePeers } from './specs.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
});

const list = (i) => ({ list: { i: i.map(String) } });
const text = (s) => ({ s: btoa(s) });
const size = (shape) => shape.reduce((a, b) => a * b, 1);

/** A graph under construction: each value has a name, a shape and a type. */
class Graph {
  nodes = [];
  weights = [];
  values = [];
  #count = 0;

  constructor(random) {
    this.random = random;
  }
  add(op, inputs, shape, attr = {}, dtype = 'float32', output = '') {
    const name = `n${this.#count++}`;
    this.nodes.push({ name, op, input: inputs.map((input) => input.name), attr });
    const value = { name: name + output, shape, dtype };
    this.values.push(value);
    return value;
  }
  constant(values, shape, dtype = 'float32') {
    const name = `c${this.#count++}`;
    this.nodes.push({ name, op: 'Const', input: [], attr: {} });
    this.weights.push({ name, shape, dtype, values });
    return { name, shape, dtype };
  }
  ints(values) {
    return this.constant(values, [values.length], 'int32');
  }
  int(value) {
    return this.constant([value], [], 'int32');
  }
  floats(shape) {
    return this.constant(
      Array.from({ length: size(shape) }, () => Math.fround(this.random.real(-1, 1))),
      shape,
    );
  }
  /** Returns a random value that satisfies `fit`, or a new constant of this shape. */
  any(fit = () => true, shape = [2, 3]) {
    const fits = this.values.filter((value) => value.dtype === 'float32' && size(value.shape) <= 500 && fit(value));
    return fits.length > 0 ? this.random.pick(fits) : this.floats(shape);
  }
  image() {
    return this.any(({ shape }) => shape.length === 4 && shape[1] >= 2 && shape[2] >= 2, [1, 4, 5, 3]);
  }
}

const kUnary = [
  'Relu',
  'Relu6',
  'Sigmoid',
  'Tanh',
  'Abs',
  'Neg',
  'Exp',
  'Square',
  'Softplus',
  'Elu',
  'Selu',
  'Sin',
  'Floor',
  'Ceil',
  'Sign',
  'LeakyRelu',
  'Erf',
  'Identity',
  'Reciprocal',
  'ZerosLike',
  'OnesLike',
];
const kBinary = ['Add', 'AddV2', 'Sub', 'Mul', 'Maximum', 'Minimum', 'SquaredDifference', 'RealDiv', 'DivNoNan'];
const kFused = ['Relu', 'Relu6', 'Elu', 'Sigmoid', 'LeakyRelu', undefined];

const strided = (extent, window, stride, padding) =>
  padding === 'SAME' ? Math.ceil(extent / stride) : Math.floor((extent - window) / stride) + 1;

function windowed(g) {
  const x = g.image();
  const [, h, w] = x.shape;
  const window = g.random.int(1, Math.min(3, h, w));
  const stride = g.random.int(1, 2);
  const padding = g.random.pick(['SAME', 'VALID']);
  const attr = { strides: list([1, stride, stride, 1]), padding: text(padding) };
  return { x, window, attr, extents: [strided(h, window, stride, padding), strided(w, window, stride, padding)] };
}

function fusedAttr(g, activation) {
  return {
    leakyrelu_alpha: { f: 0.25 },
    fused_ops: { list: { s: ['BiasAdd', activation].filter(Boolean).map((op) => btoa(op)) } },
    num_args: { i: 1 },
  };
}

const steps = {
  unary(g) {
    const x = g.any();
    g.add(g.random.pick(kUnary), [x], x.shape, { alpha: { f: 0.25 } });
  },
  binary(g) {
    const x = g.any();
    const shape = x.shape.map((extent) => (g.random.chance(0.2) ? 1 : extent)).slice(g.random.chance(0.2) ? 1 : 0);
    const y = g.random.chance(0.5)
      ? g.any((other) => String(other.shape) === String(x.shape), x.shape)
      : g.floats(shape);
    g.add(g.random.pick(kBinary), g.random.chance(0.5) ? [x, y] : [y, x], x.shape);
  },
  addN(g) {
    const x = g.any();
    g.add('AddN', [x, g.floats(x.shape), x], x.shape);
  },
  conv(g) {
    const { x, window, attr, extents } = windowed(g);
    const [batch, , , channels] = x.shape;
    const isDepthwise = g.random.chance(0.4);
    const out = g.random.int(1, 4);
    const filter = g.floats([window, window, channels, isDepthwise ? 1 : out]);
    const shape = [batch, ...extents, isDepthwise ? channels : out];
    // TensorFlow.js ignores the slope of a LeakyRelu after a depthwise convolution.
    const activation = g.random.pick(isDepthwise ? kFused.filter((op) => op !== 'LeakyRelu') : kFused);
    if (g.random.chance(0.5)) {
      const y = g.add(isDepthwise ? 'DepthwiseConv2dNative' : 'Conv2D', [x, filter], shape, attr);
      if (g.random.chance(0.5)) g.add('BiasAdd', [y, g.floats([shape[3]])], shape);
    } else {
      const op = isDepthwise ? 'FusedDepthwiseConv2dNative' : '_FusedConv2D';
      g.add(op, [x, filter, g.floats([shape[3]])], shape, { ...attr, ...fusedAttr(g, activation) });
    }
  },
  pool(g) {
    const { x, window, attr, extents } = windowed(g);
    g.add(g.random.pick(['MaxPool', 'AvgPool']), [x], [x.shape[0], ...extents, x.shape[3]], {
      ...attr,
      ksize: list([1, window, window, 1]),
    });
  },
  norm(g) {
    const x = g.image();
    const channels = x.shape[3];
    const variance = g.constant(
      Array.from({ length: channels }, () => g.random.real(0.5, 2)),
      [channels],
    );
    const [scale, offset, mean] = [0, 0, 0].map(() => g.floats([channels]));
    g.add('FusedBatchNormV3', [x, scale, offset, mean, variance], x.shape, { epsilon: { f: 0.01 } });
  },
  resize(g) {
    const x = g.image();
    const to = [g.random.int(1, 6), g.random.int(1, 6)];
    const halfPixels = g.random.chance(0.5);
    g.add(
      g.random.pick(['ResizeBilinear', 'ResizeNearestNeighbor']),
      [x, g.ints(to)],
      [x.shape[0], ...to, x.shape[3]],
      {
        half_pixel_centers: { b: halfPixels },
        align_corners: { b: !halfPixels && g.random.chance(0.5) },
      },
    );
  },
  product(g) {
    const x = g.any(({ shape }) => shape.length === 2, [2, 3]);
    const out = g.random.int(1, 5);
    const w = g.floats([x.shape[1], out]);
    const activation = g.random.pick(kFused);
    if (g.random.chance(0.5)) g.add('MatMul', [x, w], [x.shape[0], out]);
    else g.add('_FusedMatMul', [x, w, g.floats([out])], [x.shape[0], out], fusedAttr(g, activation));
  },
  flat(g) {
    const x = g.any(({ shape }) => shape.length > 1, [2, 2, 2]);
    // As exporters write it: the batch from the shape, the rest is -1.
    const shape = g.add('Shape', [x], [x.shape.length], {}, 'int32');
    const batch = g.add(
      'StridedSlice',
      [shape, g.ints([0]), g.ints([1]), g.ints([1])],
      [],
      { shrink_axis_mask: { i: '1' } },
      'int32',
    );
    const to = g.add('Pack', [batch, g.int(-1)], [2], { axis: { i: '0' } }, 'int32');
    if (x.shape[0] > 0) g.add('Reshape', [x, to], [x.shape[0], size(x.shape) / x.shape[0]]);
  },
  transpose(g) {
    const x = g.any();
    const perm = x.shape.map((_, i) => i).sort(() => g.random.next() - 0.5);
    g.add(
      'Transpose',
      [x, g.ints(perm)],
      perm.map((i) => x.shape[i]),
    );
  },
  concat(g) {
    const x = g.any(({ shape }) => shape.length > 0);
    const axis = g.random.int(0, x.shape.length - 1);
    const y = g.floats(x.shape.map((extent, i) => (i === axis ? g.random.int(1, 3) : extent)));
    const shape = x.shape.map((extent, i) => (i === axis ? extent + y.shape[i] : extent));
    g.add('ConcatV2', [x, y, g.int(g.random.chance(0.5) ? axis : axis - x.shape.length)], shape, { N: { i: '2' } });
  },
  pack(g) {
    const x = g.any(({ shape }) => shape.length < 4);
    const axis = g.random.int(0, x.shape.length);
    g.add('Pack', [x, g.floats(x.shape)], x.shape.toSpliced(axis, 0, 2), { axis: { i: String(axis) }, N: { i: '2' } });
  },
  unpack(g) {
    const x = g.any(({ shape }) => shape.length > 1 && shape.every((extent) => extent > 0), [3, 2]);
    const axis = g.random.int(0, x.shape.length - 1);
    const place = g.random.int(0, x.shape[axis] - 1);
    g.add(
      'Unpack',
      [x],
      x.shape.toSpliced(axis, 1),
      { axis: { i: String(axis) }, num: { i: String(x.shape[axis]) } },
      'float32',
      place === 0 ? '' : `:${place}`,
    );
  },
  split(g) {
    const x = g.any(({ shape }) => shape.some((extent) => extent % 2 === 0 && extent > 0), [2, 4]);
    const axis = x.shape.findIndex((extent) => extent % 2 === 0 && extent > 0);
    const shape = x.shape.with(axis, x.shape[axis] / 2);
    g.add('Split', [g.int(axis), x], shape, { num_split: { i: '2' } }, 'float32', g.random.pick(['', ':1']));
  },
  slice(g) {
    const x = g.any(({ shape }) => shape.length > 0 && shape.every((extent) => extent > 0));
    const begin = x.shape.map((extent) => g.random.int(0, extent - 1));
    const count = x.shape.map((extent, i) => g.random.int(1, extent - begin[i]));
    if (g.random.chance(0.5)) {
      g.add('Slice', [x, g.ints(begin), g.ints(count)], count);
    } else {
      const end = begin.map((at, i) => at + count[i]);
      g.add('StridedSlice', [x, g.ints(begin), g.ints(end), g.ints(begin.map(() => 1))], count, {
        begin_mask: { i: '0' },
        end_mask: { i: '0' },
      });
    }
  },
  pad(g) {
    const x = g.any(({ shape }) => shape.length > 0);
    const pads = x.shape.map(() => [g.random.int(0, 1), g.random.int(0, 2)]);
    const shape = x.shape.map((extent, i) => extent + pads[i][0] + pads[i][1]);
    g.add('Pad', [x, g.constant(pads.flat(), [pads.length, 2], 'int32')], shape);
  },
  tile(g) {
    const x = g.any(({ shape }) => shape.length > 0 && size(shape) < 100);
    const reps = x.shape.map(() => g.random.int(1, 2));
    g.add(
      'Tile',
      [x, g.ints(reps)],
      x.shape.map((extent, i) => extent * reps[i]),
    );
  },
  gather(g) {
    const x = g.any(({ shape }) => shape.length > 0 && shape.every((extent) => extent > 0));
    const axis = g.random.int(0, x.shape.length - 1);
    const indices = Array.from({ length: 3 }, () => g.random.int(0, x.shape[axis] - 1));
    g.add('GatherV2', [x, g.ints(indices), g.int(axis)], x.shape.toSpliced(axis, 1, 3), { batch_dims: { i: '0' } });
  },
  expand(g) {
    const x = g.any(({ shape }) => shape.length < 4);
    const axis = g.random.int(0, x.shape.length);
    const y = g.add('ExpandDims', [x, g.int(axis)], x.shape.toSpliced(axis, 0, 1));
    if (g.random.chance(0.5)) g.add('Squeeze', [y], x.shape, { squeeze_dims: list([axis]) });
  },
  reduce(g) {
    const x = g.any(({ shape }) => shape.length > 0 && shape.every((extent) => extent > 0));
    const axes = x.shape.map((_, i) => i).filter(() => g.random.chance(0.5));
    const keep = g.random.chance(0.5);
    const shape = keep
      ? x.shape.map((extent, i) => (axes.includes(i) ? 1 : extent))
      : x.shape.filter((_, i) => !axes.includes(i));
    g.add(g.random.pick(['Sum', 'Mean', 'Max', 'Min', 'Prod']), [x, g.ints(axes)], shape, { keep_dims: { b: keep } });
  },
  arg(g) {
    const x = g.any(({ shape }) => shape.length > 0 && shape.every((extent) => extent > 0));
    const axis = g.random.int(0, x.shape.length - 1);
    g.add(g.random.pick(['ArgMax', 'ArgMin']), [x, g.int(axis)], x.shape.toSpliced(axis, 1), {}, 'int32');
  },
  softmax(g) {
    const x = g.any(({ shape }) => shape.length > 0);
    g.add(g.random.pick(['Softmax', 'LogSoftmax']), [x], x.shape);
  },
  select(g) {
    const x = g.any();
    const test = g.add(g.random.pick(['Greater', 'LessEqual', 'NotEqual']), [x, g.floats([])], x.shape, {}, 'bool');
    g.add('SelectV2', [test, x, g.floats(x.shape)], x.shape);
    g.add('Cast', [test], x.shape, { DstT: { type: 'DT_FLOAT' } });
  },
  clip(g) {
    const x = g.any();
    g.add('ClipByValue', [x, g.constant([-0.5], []), g.constant([0.5], [])], x.shape);
  },
  range(g) {
    const y = g.add('Range', [g.constant([0], []), g.constant([6], []), g.constant([2], [])], [3], {
      Tidx: { type: 'DT_FLOAT' },
    });
    g.add('BroadcastTo', [y, g.ints([2, 3])], [2, 3]);
  },
};

/** Returns the artifacts and inputs of the graph at a position of a seed's sequence. */
function make(seed, place) {
  const random = new Random(seed, place);
  const g = new Graph(random);
  const inputs = random.pick([[[2, 3]], [[1, 5, 4, 3]], [[2, 4, 4, 2], [3]], [[4], [2, 2, 2]], [[]], [[3, 0]]]);
  inputs.forEach((shape, i) => {
    const attr = {
      dtype: { type: 'DT_FLOAT' },
      shape: { shape: { dim: shape.map((extent) => ({ size: String(extent) })) } },
    };
    g.nodes.push({ name: `x${i}`, op: 'Placeholder', input: [], attr });
    g.values.push({ name: `x${i}`, shape, dtype: 'float32' });
  });
  const count = random.int(1, 14);
  for (let i = 0; i < count; i++) steps[random.pick(Object.keys(steps))](g);
  const outputs = g.values.slice(inputs.length).filter(() => random.chance(0.4));
  const wanted = (outputs.length > 0 ? outputs : [g.values.at(-1)]).map(({ name }) => name);
  const kinds = { float32: Float32Array, int32: Int32Array };
  const data = g.weights.map(({ values, dtype }) => new Uint8Array(kinds[dtype].from(values).buffer));
  return {
    artifacts: {
      modelTopology: { node: g.nodes, library: {}, versions: { producer: 1, minConsumer: 1 } },
      weightSpecs: g.weights.map(({ name, shape, dtype }) => ({ name, shape, dtype })),
      weightData: new Uint8Array(Buffer.concat(data)).buffer,
    },
    inputs: inputs.map((shape) => ({
      shape,
      values: Float32Array.from({ length: size(shape) }, () => random.real(-2, 2)),
    })),
    wanted,
  };
}

/** Returns an implementation's result: shapes, types and values, or the error. */
async function outcome(tf, loadGraphModelSync, { artifacts, inputs, wanted }) {
  let model;
  const given = {};
  try {
    model = loadGraphModelSync({ load: () => artifacts });
    inputs.forEach(({ shape, values }, i) => (given[`x${i}`] = tf.tensor(values, shape)));
    const results = [];
    for (let call = 0; call < 2; call++) {
      const outputs = [model.execute(given, wanted)].flat();
      results.push(outputs.map((y) => ({ shape: y.shape, dtype: y.dtype, values: [...y.dataSync()] })));
      new Set(outputs).forEach((y) => y.dispose());
    }
    return { results };
  } catch (error) {
    return { error: error.message };
  } finally {
    tf.dispose(given);
    model?.dispose();
  }
}

function isClose(a, b, scale) {
  if (Number.isNaN(a) || Number.isNaN(b) || !Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
  return Math.abs(a - b) <= 1e-3 * Math.max(1, Math.abs(b), scale);
}

/** Returns a description of the difference, or undefined. */
function compare(ours, theirs) {
  // Tenure may accept what TensorFlow.js refuses.
  if (theirs.error) return undefined;
  if (ours.error) return `throws: ${ours.error}`;
  for (const [call, outputs] of ours.results.entries()) {
    for (const [i, { shape, dtype, values }] of outputs.entries()) {
      const want = theirs.results[call][i];
      if (String(shape) !== String(want.shape)) return `output ${i} has shape [${shape}], not [${want.shape}]`;
      if (dtype !== want.dtype) return `output ${i} is ${dtype}, not ${want.dtype}`;
      const scale =
        want.values.reduce((sum, value) => sum + (Number.isFinite(value) ? Math.abs(value) : 0), 0) /
        Math.max(1, want.values.length);
      const at = values.findIndex((value, k) => !isClose(value, want.values[k], scale));
      if (at >= 0) return `output ${i}, element ${at} is ${values[at]}, not ${want.values[at]}`;
    }
  }
  return undefined;
}

usePeers();
const outfile = path.join(root, 'build/conformance/converter.cjs');
await build({
  stdin: {
    contents: `
      import '@tensorflow/tfjs-backend-cpu';
      export * from '@tensorflow/tfjs-core';
      export { loadGraphModelSync } from '@tensorflow/tfjs-converter';`,
    resolveDir: path.join(root, 'tests/conformance'),
  },
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'cjs',
  outfile,
  logLevel: 'error',
});
const peer = createRequire(import.meta.url)(outfile);
await peer.setBackend('cpu');
await tf.ready();

const [seed, count] = [Number(options.seed), Number(options.count)];
const places = options.only === undefined ? Array.from({ length: count }, (_, i) => i) : [Number(options.only)];
const before = tf.memory().numTensors;
let differ = 0;
let refused = 0;
for (const place of places) {
  const graph = make(seed, place);
  const theirs = await outcome(peer, peer.loadGraphModelSync, graph);
  const ours = await outcome(tf, tf.loadGraphModelSync, graph);
  if (theirs.error) {
    refused++;
    if (options.only !== undefined) console.log(theirs.error);
  }
  if (options.only !== undefined) console.log(JSON.stringify({ ...graph, theirs, ours }));
  const words = compare(ours, theirs);
  if (!words) continue;
  differ++;
  console.log(
    `--seed ${seed} --only ${place}  ${words}\n    ${graph.artifacts.modelTopology.node
      .map(({ op }) => op)
      .filter((op) => op !== 'Const')
      .join(' ')}`,
  );
}
const left = tf.memory().numTensors - before;
console.log(`${places.length} graphs, ${refused} refused by TensorFlow.js, ${differ} differ, ${left} tensors left`);
process.exitCode = differ > 0 || left > 0 ? 1 : 0;
