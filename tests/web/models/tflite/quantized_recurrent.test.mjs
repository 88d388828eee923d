// Quantized recurrent layers and variables of TensorFlow Lite, compared with their formulas. The values of states are rounded to
// what their types can hold.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { randomFloats } from '../../../bench/random.mjs';
import { quantizationFor, store } from '../../../tflite/quantized_cases.mjs';
import { float32, int32, int8, oneNode, text, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kUnit = 1.001;
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
const roundTo =
  ({ scale, zeroPoint }, low, high) =>
  (value) =>
    scale * (Math.min(Math.max(Math.round(value / scale) + zeroPoint, low), high) - zeroPoint);
let seed = 0;

/** Returns a constant with real numbers from -1 to 1 in `values`. */
function weightsOf(type, quantization, shape) {
  const values = Array.from(randomFloats(sizeOf(shape), ++seed, -1, 1));
  const stored = store(values, quantization, type);
  return {
    tensor: { shape, type, quantization, values: stored, isConstant: true },
    values: stored.map((value) => (value - quantization.zeroPoint) * quantization.scale),
    shape,
  };
}
const weights = (shape) => weightsOf('int8', { ...quantizationFor(-1, 1), zeroPoint: 0 }, shape);

function bias(size, scale) {
  const stored = Array.from(randomFloats(size, ++seed, -0.5, 0.5), (value) => Math.round(value / scale));
  return {
    tensor: { shape: [size], type: 'int32', quantization: { scale, zeroPoint: 0 }, values: stored, isConstant: true },
    values: stored.map((value) => value * scale),
  };
}

const times = ({ values, shape: [rows, columns] }, x) =>
  Array.from({ length: rows }, (_, i) => x.reduce((sum, value, k) => sum + value * values[i * columns + k], 0));
const sigmoid = (value) => 1 / (1 + Math.exp(-value));

function assertUnits(got, want, { scale }) {
  assert.equal(got.length, want.length);
  got.forEach((value, i) =>
    assert.ok(Math.abs(value - want[i]) <= kUnit * scale, `${value} at ${i}, expected ${want[i]} in steps of ${scale}`),
  );
}

test('an int8 layer of singular value decomposition filters', () =>
  leavesNothingAsync(async () => {
    const [filters, rank, memory] = [6, 2, 3];
    const x = quantizationFor(-3, 3);
    const state = quantizationFor(-4, 4, 'int16');
    const y = quantizationFor(0, 6);
    const features = weights([filters, 2]);
    const time = weights([filters, memory]);
    const offset = bias(filters / rank, state.scale * time.tensor.quantization.scale);
    const model = await tf.loadTFLiteModel(
      oneNode({
        code: 27,
        version: 3,
        inputs: [
          { shape: [1, 2], type: 'int8', quantization: x },
          features.tensor,
          time.tensor,
          offset.tensor,
          { shape: [1, filters * memory], type: 'int16', quantization: state, isVariable: true, name: 'state' },
        ],
        outputs: [{ shape: [1, filters / rank], type: 'int8', quantization: y }],
        type: 6,
        options: [int32(rank), int8(1)],
      }),
    );
    const past = Array.from({ length: filters }, () => new Array(memory).fill(0));
    for (const step of [
      [1, 2],
      [-1, 3],
      [0.5, 0],
      [2, 2],
    ]) {
      const given = step.map(roundTo(x, -128, 127));
      times(features, given)
        .map(roundTo(state, -32768, 32767))
        .forEach((value, i) => past[i].splice(0, memory, ...past[i].slice(1), value));
      const sums = past.map((list, i) => list.reduce((sum, value, k) => sum + value * time.values[i * memory + k], 0));
      const want = offset.values.map((value, unit) => Math.max(value + sums[2 * unit] + sums[2 * unit + 1], 0));
      const got = tf.tidy(() => Array.from(model.predict(tf.tensor([step])).dataSync()));
      assertUnits(got, want, y);
    }
    model.dispose();
  }));

test('an int8 layer of long short-term memory', () =>
  leavesNothingAsync(async () => {
    const [steps, hidden] = [5, 4];
    const x = quantizationFor(-2, 2);
    const h = quantizationFor(-1, 1);
    const c = { scale: 2 ** -12, zeroPoint: 0 };
    const gates = [0, 1, 2, 3];
    const w = gates.map(() => weights([hidden, 2]));
    const r = gates.map(() => weights([hidden, hidden]));
    const b = w.map(({ tensor }) => bias(hidden, x.scale * tensor.quantization.scale));
    const tensors = (list) => list.map(({ tensor }) => tensor);
    const state = (shape, type, quantization, name) => ({ shape, type, quantization, isVariable: true, name });
    const model = await tf.loadTFLiteModel(
      oneNode({
        code: 44,
        inputs: [
          { shape: [1, steps, 2], type: 'int8', quantization: x },
          ...tensors([...w, ...r]),
          ...[null, null, null],
          ...tensors(b),
          ...[null, null],
          state([1, hidden], 'int8', h, 'h'),
          state([1, hidden], 'int16', c, 'c'),
          ...[null, null, null, null],
        ],
        outputs: [{ shape: [1, steps, hidden], type: 'int8', quantization: h }],
        type: 71,
        options: [int8(4), float32(0), float32(0), int8(0)],
      }),
    );
    let [last, cell] = [new Array(hidden).fill(0), new Array(hidden).fill(0)];
    for (let call = 0; call < 2; ++call) {
      const sequence = Array.from({ length: steps }, (_, t) => [2 * Math.sin(call + t), 2 * Math.cos(3 * call * t)]);
      const want = sequence.flatMap((step) => {
        const given = step.map(roundTo(x, -128, 127));
        const [i, f, g, o] = gates.map((gate) => {
          const recurrent = times(r[gate], last);
          return times(w[gate], given).map((value, k) => value + recurrent[k] + b[gate].values[k]);
        });
        cell = cell
          .map((value, k) => sigmoid(f[k]) * value + sigmoid(i[k]) * Math.tanh(g[k]))
          .map(roundTo(c, -32768, 32767));
        return (last = o.map((value, k) => sigmoid(value) * Math.tanh(cell[k])).map(roundTo(h, -128, 127)));
      });
      const got = tf.tidy(() => Array.from(model.predict(tf.tensor([sequence])).dataSync()));
      assertUnits(got, want, h);
    }
    model.dispose();
  }));

/** A quantized layer of the kernel type BASIC, in the scales that LiteRT's kernel has, and its formula. */
function basicLstm(biasRest) {
  const [width, hidden] = [2, 4];
  const activations = { scale: 2 ** -7, zeroPoint: 128 };
  const cells = { scale: 2 ** -11, zeroPoint: 0 };
  const w = weightsOf('uint8', { scale: 1 / 64, zeroPoint: 100 }, [4 * hidden, width + hidden]);
  const b = bias(4 * hidden, activations.scale * w.tensor.quantization.scale);
  const tensor = (size, type, quantization, rest) => ({ shape: [1, size], type, quantization, ...rest });
  const node = {
    code: 16,
    version: 2,
    inputs: [
      tensor(width, 'uint8', activations),
      tensor(hidden, 'uint8', activations, { isVariable: true, name: 'h' }),
      w.tensor,
      { ...b.tensor, ...biasRest },
      tensor(hidden, 'int16', cells, { isVariable: true, name: 'c' }),
    ],
    outputs: [
      tensor(hidden, 'uint8', activations),
      tensor(hidden, 'int16', cells),
      tensor(width + hidden, 'uint8', activations),
      tensor(4 * hidden, 'int16', { scale: 2 ** -12, zeroPoint: 0 }),
    ],
    type: 14,
    options: [int8(4), float32(0), float32(0), int8(1)],
  };
  const step = (x, { h, c }) => {
    const sums = times(w, [...x, ...h]).map((value, k) =>
      roundTo({ scale: 2 ** -12, zeroPoint: 0 }, -32768, 32767)(value + b.values[k]),
    );
    const [i, g, f, o] = [0, 1, 2, 3].map((gate) => sums.slice(gate * hidden, (gate + 1) * hidden));
    const next = c
      .map((value, k) => sigmoid(f[k]) * value + sigmoid(i[k]) * Math.tanh(g[k]))
      .map(roundTo(cells, -32768, 32767));
    return {
      sums,
      c: next,
      h: o.map((value, k) => sigmoid(value) * Math.tanh(next[k])).map(roundTo(activations, 0, 255)),
    };
  };
  // LiteRT fills a uint8 variable with zeros, whatever its zero point is.
  const first = { h: new Array(hidden).fill(-activations.zeroPoint * activations.scale), c: new Array(hidden).fill(0) };
  return { node, step, first, activations, cells };
}

test('a uint8 layer of the kernel type BASIC', () =>
  leavesNothingAsync(async () => {
    const { node, step, first, activations, cells } = basicLstm();
    const model = await tf.loadTFLiteModel(oneNode(node));
    for (let round = 0; round < 2; ++round) {
      let want = first;
      for (const x of [
        [0.5, -1],
        [0.99, 0.25],
        [-0.5, 0.75],
        [0, -0.125],
      ]) {
        want = step(x.map(roundTo(activations, 0, 255)), want);
        const got = tf.tidy(() => model.predict(tf.tensor([x])).map((y) => Array.from(y.dataSync())));
        assertUnits(got[0], want.h, activations);
        assertUnits(got[1], want.c, cells);
        assertUnits(got[3], want.sums, { scale: 2 ** -12 });
      }
      model.resetStates();
    }
    model.dispose();
  }));

test('the sums of a uint8 layer of the kernel type BASIC are below 8', () =>
  leavesNothingAsync(async () => {
    const { node } = basicLstm({ values: new Array(16).fill(2 ** 20) });
    const model = await tf.loadTFLiteModel(oneNode(node));
    const sums = tf.tidy(() => Array.from(model.predict(tf.zeros([1, 2]))[3].dataSync()));
    assert.deepEqual(sums, new Array(16).fill(8 - 2 ** -12));
    model.dispose();
  }));

test('a uint8 layer of the kernel type BASIC with a bias that has no scale is an error', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(oneNode(basicLstm({ quantization: undefined }).node));
    assert.throws(() => tf.tidy(() => model.predict(tf.zeros([1, 2]))), /its bias has no scale/);
    model.dispose();
  }));

const quantization = { scale: 0.5, zeroPoint: -8 };
const quantized = (name, rest) => ({ name, shape: [2], type: 'int8', quantization, ...rest });
const start = { code: 129, inputs: [], outputs: [], type: 103, options: [int32(1)] };
const handle = (outputs) => ({ code: 142, inputs: [], outputs, type: 111, options: [undefined, text('total')] });

/**
 * A model of total = total + x, from 5 on. `read` is the quantization of the value that is read, `first` that of the 5,
 * which is assigned by the last node if it `startsLate`.
 */
const running = (read = quantization, first = quantization, startsLate = false) =>
  tfliteFile({
    graphs: [
      {
        tensors: [
          quantized('x'),
          { name: 'handle', shape: [], type: 'resource' },
          quantized('before', { quantization: read }),
          quantized('after'),
        ],
        inputs: [0],
        outputs: [3],
        operators: [
          ...(startsLate ? [] : [start]),
          handle([1]),
          { code: 143, inputs: [1], outputs: [2] },
          { code: 0, inputs: [0, 2], outputs: [3], type: 11, options: [int8(0)] },
          { code: 144, inputs: [1, 3], outputs: [] },
          ...(startsLate ? [start] : []),
        ],
      },
      {
        tensors: [
          { name: 'handle', shape: [], type: 'resource' },
          quantized('five', { values: [2, 2], quantization: first }),
        ],
        inputs: [],
        outputs: [],
        operators: [handle([0]), { code: 144, inputs: [0, 1], outputs: [] }],
      },
    ],
  });

test('a quantized variable with a handle keeps its value', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadTFLiteModel(running());
    const next = (values) => tf.tidy(() => Array.from(model.predict(tf.tensor(values)).dataSync()));
    assert.deepEqual(next([1, 2.2]), [6, 7]);
    assert.deepEqual(next([1, -3]), [7, 4]);
    model.resetStates();
    assert.deepEqual(next([0.5, 0]), [5.5, 5]);
    model.dispose();
    const stored = await tf.loadTFLiteModel(running(), { quantized: true });
    assert.deepEqual(
      tf.tidy(() => Array.from(stored.predict(tf.tensor([-8, -6], [2], 'int32')).dataSync())),
      [2, 4],
    );
    stored.dispose();
    await assert.rejects(
      tf.loadTFLiteModel(running({ scale: 0.25, zeroPoint: 0 })),
      /node 2 \(READ_VARIABLE.*another type or scale than others of "variable \/total"/,
    );
    await assert.rejects(
      tf.loadTFLiteModel(running(quantization, { scale: 0.25, zeroPoint: 0 }, true)),
      /node 4 \(CALL_ONCE.*another type or scale than others of "variable \/total"/,
    );
  }));

test('quantized values pass the borders of subgraphs', () =>
  leavesNothingAsync(async () => {
    const own = (name, rest) => quantized(name, { shape: [2], ...rest });
    const branch = (code, type) => ({
      tensors: [own('a'), own('b', { values: [-4, 0] }), own('c')],
      inputs: [0],
      outputs: [2],
      operators: [{ code, inputs: [0, 1], outputs: [2], type, options: [int8(0)] }],
    });
    const main = {
      tensors: [own('x'), { name: 'holds', shape: [], type: 'bool' }, own('y'), own('z')],
      inputs: [0, 1],
      outputs: [2, 3],
      operators: [
        { code: 118, inputs: [1, 0], outputs: [2], type: 92, options: [int32(1), int32(2)] },
        { code: 119, inputs: [2], outputs: [3], type: 93, options: [int32(3), int32(1)] },
      ],
    };
    // True while the greatest value is below 10.
    const condition = {
      tensors: [
        own('a'),
        { name: 'axes', shape: [1], type: 'int32', values: [0] },
        { ...own('greatest'), shape: [] },
        { ...own('limit', { values: [12] }), shape: [] },
        { name: 'isBelow', shape: [], type: 'bool' },
      ],
      inputs: [0],
      outputs: [4],
      operators: [
        { code: 82, inputs: [0, 1], outputs: [2], type: 27, options: [int8(0)] },
        { code: 58, inputs: [2, 3], outputs: [4] },
      ],
    };
    // The constants are 2 and 4; the scale is 0.5.
    const model = await tf.loadTFLiteModel(tfliteFile({ graphs: [main, branch(0, 11), branch(18, 21), condition] }));
    const run = (holds) =>
      tf.tidy(() => model.predict([tf.tensor([1, 1.5]), tf.tensor(holds, [], 'bool')]).map((y) => y.arraySync()));
    assert.deepEqual(run(1), [
      [3, 5.5],
      [7, 13.5],
    ]);
    assert.deepEqual(run(0), [
      [2, 6],
      [4, 10],
    ]);
    model.dispose();
  }));

test('a tensor that two nodes write has the value of the last one', () =>
  leavesNothingAsync(async () => {
    const tensors = ['x', 'once', 'square', 'negative'].map((name) => quantized(name, { quantization: { scale: 1 } }));
    const operators = [
      { code: 59, inputs: [0], outputs: [1] },
      { code: 92, inputs: [1], outputs: [2] },
      { code: 101, inputs: [0], outputs: [1] },
      { code: 59, inputs: [1], outputs: [3] },
    ];
    const model = await tf.loadTFLiteModel(
      tfliteFile({ graphs: [{ tensors, inputs: [0], outputs: [2, 3], operators }] }),
    );
    const results = tf.tidy(() => model.predict(tf.tensor([3, -2])).map((y) => y.arraySync()));
    assert.deepEqual(results, [
      [9, 4],
      [-3, -2],
    ]);
    model.dispose();
  }));
