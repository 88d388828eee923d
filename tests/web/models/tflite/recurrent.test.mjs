// Recurrent layers of TensorFlow Lite, compared with their formulas. Their states are variables of the model.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { randomFloats } from '../../../bench/random.mjs';
import { float32, int32, int8, oneNode } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

const kTime = 3;
const kInput = 2;
const kHidden = 4;
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
let seed = 0;
const constant = (shape) => ({ shape, isConstant: true, values: Array.from(randomFloats(sizeOf(shape), ++seed)) });
const variable = (shape, name) => ({ shape, isVariable: true, name });

const sigmoid = (value) => 1 / (1 + Math.exp(-value));
const times = ({ values, shape: [rows, columns] }, x) =>
  Array.from({ length: rows }, (_, i) => x.reduce((sum, value, k) => sum + value * values[i * columns + k], 0));
const plus = (...lists) =>
  lists[0].map((_, i) =>
    lists.reduce((sum, list) => sum + (list ? (Array.isArray(list) ? list : list.values)[i] : 0), 0),
  );

/** Runs a model on sequences, one call for each; returns the outputs as lists. */
async function outputsOf(node, calls) {
  const before = tf.memory().numTensors;
  const model = await tf.loadTFLiteModel(oneNode(node));
  const results = calls.map((call) => tf.tidy(() => Array.from(model.predict(tf.tensor(call)).dataSync())));
  model.dispose();
  assert.equal(tf.memory().numTensors, before);
  return results;
}

function assertClose(got, want) {
  assert.equal(got.length, want.length);
  got.forEach((value, i) => assert.ok(Math.abs(value - want[i]) < 1e-5, `${value} at ${i}, expected ${want[i]}`));
}

const sequences = () =>
  [1, 2].map((call) => [Array.from({ length: kTime }, (_, t) => [Math.sin(call + t), Math.cos(3 * call * t)])]);

for (const couples of [false, true]) {
  for (const peepholes of [false, true]) {
    for (const projects of [false, true]) {
      const name = `UNIDIRECTIONAL_SEQUENCE_LSTM${couples ? ', coupled' : ''}${peepholes ? ', peepholes' : ''}${projects ? ', projection' : ''}`;
      test(name, async () => {
        const kOut = projects ? 3 : kHidden;
        const gates = [0, 1, 2, 3];
        const has = (gate) => !(couples && gate === 0);
        const list = (make) => gates.map((gate) => (has(gate) ? make() : null));
        const [w, r, b] = [
          list(() => constant([kHidden, kInput])),
          list(() => constant([kHidden, kOut])),
          list(() => constant([kHidden])),
        ];
        const p = [0, 1, 3].map((gate) => (peepholes && has(gate) ? constant([kHidden]) : null));
        const projection = projects ? constant([kOut, kHidden]) : null;
        const node = {
          code: 44,
          inputs: [
            { shape: [1, kTime, kInput] },
            ...w,
            ...r,
            ...p,
            ...b,
            projection,
            null,
            variable([1, kOut], 'h'),
            variable([1, kHidden], 'c'),
            ...[null, null, null, null],
          ],
          outputs: [{ shape: [1, kTime, kOut] }],
          type: 71,
          options: [int8(4), float32(0), float32(0), int8(0)],
        };
        let [h, c] = [new Array(kOut).fill(0), new Array(kHidden).fill(0)];
        const want = sequences().map(([steps]) =>
          steps.flatMap((x) => {
            const sums = gates.map((gate) =>
              has(gate) ? plus(times(w[gate], x), times(r[gate], h), b[gate]) : undefined,
            );
            const peep = (sum, i, cell) =>
              sum.map((value, k) => sigmoid(value + (p[i] ? p[i].values[k] * cell[k] : 0)));
            const forget = peep(sums[1], 1, c);
            const input = couples ? forget.map((value) => 1 - value) : peep(sums[0], 0, c);
            c = c.map((value, k) => forget[k] * value + input[k] * Math.tanh(sums[2][k]));
            const output = peep(sums[3], 2, c);
            h = output.map((value, k) => value * Math.tanh(c[k]));
            if (projection) h = times(projection, h);
            return h;
          }),
        );
        const got = await outputsOf(node, sequences());
        got.forEach((values, i) => assertClose(values, want[i]));
      });
    }
  }
}

test('LSTM of one step', async () => {
  const gates = [0, 1, 2, 3];
  const [w, r, b] = [[kHidden, kInput], [kHidden, kHidden], [kHidden]].map((shape) => gates.map(() => constant(shape)));
  const states = [variable([1, kHidden], 'h'), variable([1, kHidden], 'c')];
  const node = {
    code: 16,
    inputs: [{ shape: [1, kInput] }, ...w, ...r, null, null, null, ...b, null, null, ...states],
    outputs: [{ shape: [1, kHidden] }],
    type: 14,
    options: [int8(4), float32(0.5), float32(0), int8(0)],
  };
  const steps = [
    [3, -2],
    [1, 4],
  ];
  let [h, c] = [new Array(kHidden).fill(0), new Array(kHidden).fill(0)];
  const want = steps.map((x) => {
    const [i, f, g, o] = gates.map((gate) => plus(times(w[gate], x), times(r[gate], h), b[gate]));
    c = c.map((value, k) => sigmoid(f[k]) * value + sigmoid(i[k]) * Math.tanh(g[k]));
    c = c.map((value) => Math.min(Math.max(value, -0.5), 0.5));
    return (h = o.map((value, k) => sigmoid(value) * Math.tanh(c[k])));
  });
  const got = await outputsOf(
    node,
    steps.map((x) => [x]),
  );
  got.forEach((values, i) => assertClose(values, want[i]));
});

/** An LSTM of the kernel type BASIC, whose previous activations and state are `h` and `c`. */
function basicLstm(weights, bias, h, c, outputs = 4) {
  const state = { shape: [1, kHidden] };
  return {
    code: 16,
    version: 2,
    inputs: [{ shape: [1, kInput] }, h, weights, bias, c],
    outputs: [state, state, { shape: [1, kInput + kHidden] }, { shape: [1, 4 * kHidden] }].slice(0, outputs),
    type: 14,
    options: [int8(4), float32(0), float32(0), int8(1)],
  };
}

/** Returns the next { h, c, sums } of an LSTM of the kernel type BASIC. */
function stepBasicLstm(weights, bias, x, { h, c }) {
  const sums = plus(times(weights, [...x, ...h]), bias);
  const [i, g, f, o] = [0, 1, 2, 3].map((gate) => sums.slice(gate * kHidden, (gate + 1) * kHidden));
  const next = c.map((value, k) => sigmoid(f[k]) * value + sigmoid(i[k]) * Math.tanh(g[k]));
  return { h: o.map((value, k) => sigmoid(value) * Math.tanh(next[k])), c: next, sums };
}

test('LSTM of one step, of the kernel type BASIC', () =>
  leavesNothingAsync(async () => {
    const [weights, bias] = [constant([4 * kHidden, kInput + kHidden]), constant([4 * kHidden])];
    const x = [3, -2];
    const [h, c] = [
      [0.1, -0.2, 0.3, 0.4],
      [0.5, -1, 2, 0.25],
    ];
    const state = { shape: [1, kHidden] };
    const model = await tf.loadTFLiteModel(oneNode(basicLstm(weights, bias, state, state)));
    const want = stepBasicLstm(weights, bias, x, { h, c });
    tf.tidy(() => {
      const got = model.predict([x, h, c].map((list) => tf.tensor([list]))).map((one) => Array.from(one.dataSync()));
      assertClose(got[0], want.h);
      assertClose(got[1], want.c);
      assertClose(got[3], want.sums);
    });
    model.dispose();
  }));

test('LSTM of the kernel type BASIC keeps states that are variables', () =>
  leavesNothingAsync(async () => {
    const [weights, bias] = [constant([4 * kHidden, kInput + kHidden]), constant([4 * kHidden])];
    const states = [variable([1, kHidden], 'h'), variable([1, kHidden], 'c')];
    const model = await tf.loadTFLiteModel(oneNode(basicLstm(weights, bias, ...states)));
    for (let round = 0; round < 2; ++round) {
      let want = { h: new Array(kHidden).fill(0), c: new Array(kHidden).fill(0) };
      for (const x of [
        [3, -2],
        [1, 4],
        [-1, 0.5],
      ]) {
        want = stepBasicLstm(weights, bias, x, want);
        const got = tf.tidy(() => model.predict(tf.tensor([x])).map((one) => Array.from(one.dataSync())));
        [want.h, want.c].forEach((values, i) => assertClose(got[i], values));
      }
      model.resetStates();
    }
    model.dispose();
  }));

test('LSTM of the kernel type BASIC with other inputs or outputs is an error', () =>
  leavesNothingAsync(async () => {
    const [weights, bias] = [constant([4 * kHidden, kInput + kHidden]), constant([4 * kHidden])];
    const state = (name) => variable([1, kHidden], name);
    const many = basicLstm(weights, bias, state('h'), state('c'));
    many.inputs = [many.inputs[0], ...new Array(17).fill(weights), state('h'), state('c')];
    for (const [node, message] of [
      [basicLstm(weights, bias, state('h'), state('c'), 3), /it has 3 outputs, expected 4/],
      [many, /the kernel type BASIC has 5 inputs/],
    ]) {
      const model = await tf.loadTFLiteModel(oneNode(node));
      assert.throws(() => tf.tidy(() => model.predict(tf.zeros([1, kInput]))), message);
      model.dispose();
    }
  }));

test('UNIDIRECTIONAL_SEQUENCE_RNN and RNN', async () => {
  const [w, r, b] = [constant([kHidden, kInput]), constant([kHidden, kHidden]), constant([kHidden])];
  const inputs = [w, r, b, variable([1, kHidden], 'h')];
  let h = new Array(kHidden).fill(0);
  const step = (x) => (h = plus(times(w, x), times(r, h), b).map(Math.tanh));
  const want = sequences().map(([steps]) => steps.flatMap(step));
  const sequence = await outputsOf(
    {
      code: 35,
      inputs: [{ shape: [1, kTime, kInput] }, ...inputs],
      outputs: [{ shape: [1, kTime, kHidden] }],
      type: 31,
      options: [int8(0), int8(4)],
    },
    sequences(),
  );
  sequence.forEach((values, i) => assertClose(values, want[i]));
  const single = await outputsOf(
    {
      code: 24,
      inputs: [{ shape: [1, kInput] }, ...inputs],
      outputs: [{ shape: [1, kHidden] }],
      type: 7,
      options: [int8(4)],
    },
    sequences().flatMap(([steps]) => steps.map((x) => [x])),
  );
  assertClose(single.flat(), want.flat());
});

test('SVDF', async () => {
  const kRank = 2;
  const kFilters = 6;
  const kMemory = 3;
  const [features, weights, bias] = [
    constant([kFilters, kInput]),
    constant([kFilters, kMemory]),
    constant([kFilters / kRank]),
  ];
  const node = {
    code: 27,
    inputs: [{ shape: [1, kInput] }, features, weights, bias, variable([1, kFilters * kMemory], 'state')],
    outputs: [{ shape: [1, kFilters / kRank] }],
    type: 6,
    options: [int32(kRank), int8(1)],
  };
  const steps = [
    [1, 2],
    [-1, 3],
    [0.5, 0],
    [2, 2],
  ];
  const past = Array.from({ length: kFilters }, () => new Array(kMemory).fill(0));
  const want = steps.map((x) => {
    times(features, x).forEach((value, i) => past[i].splice(0, kMemory, ...past[i].slice(1), value));
    const sums = past.map((list, i) =>
      list.reduce((sum, value, k) => sum + value * weights.values[i * kMemory + k], 0),
    );
    return bias.values.map((value, unit) => Math.max(value + sums[2 * unit] + sums[2 * unit + 1], 0));
  });
  const got = await outputsOf(
    node,
    steps.map((x) => [x]),
  );
  got.forEach((values, i) => assertClose(values, want[i]));
});

/** Returns the two sequences of a call of a bidirectional layer; the first only, unless it has another one. */
const bothSequences = (call) =>
  [0, 1].map((which) =>
    Array.from({ length: kTime }, (_, t) => [Math.sin(call + t + 2 * which), Math.cos(3 * call * t - which)]),
  );

/** Runs a bidirectional layer on two sequences; returns all outputs of each call as one list. */
async function bidirectionalOutputs(node, hasOther, isTimeMajor) {
  const before = tf.memory().numTensors;
  const model = await tf.loadTFLiteModel(oneNode(node));
  const results = [1, 2].map((call) =>
    tf.tidy(() => {
      const inputs = bothSequences(call)
        .slice(0, hasOther ? 2 : 1)
        .map((steps) => tf.tensor(isTimeMajor ? steps.map((step) => [step]) : [steps]));
      return [model.predict(inputs)].flat().flatMap((output) => Array.from(output.dataSync()));
    }),
  );
  model.dispose();
  assert.equal(tf.memory().numTensors, before);
  return results;
}

/** Returns the outputs of a step function in the sequence's order, computed from its last step on if `isBackward`. */
function overTime(steps, isBackward, step) {
  const order = steps.map((_, t) => t);
  const outputs = [];
  for (const t of isBackward ? order.reverse() : order) outputs[t] = step(t);
  return outputs;
}

const merged = (merges, forward, backward) =>
  merges ? forward.flatMap((values, t) => [...values, ...backward[t]]) : [...forward.flat(), ...backward.flat()];

for (const other of ['no other sequence', 'another backward sequence', 'a second sequence for both']) {
  for (const merges of [false, true]) {
    const isTimeMajor = merges;
    const hasOther = other !== 'no other sequence';
    const isShared = other === 'a second sequence for both';
    const sequenceShape = isTimeMajor ? [kTime, 1, kInput] : [1, kTime, kInput];
    const outputShape = (width) => ({ shape: isTimeMajor ? [kTime, 1, width] : [1, kTime, width] });
    const outputs = merges ? [outputShape(2 * kHidden)] : [outputShape(kHidden), outputShape(kHidden)];
    const aux = (shapes) => shapes.map((shape) => (isShared ? constant(shape) : null));
    /** Returns a step's input, and that of the second sequence, for each direction. */
    const inputsOf = (call, isBackward) => {
      const [first, second] = bothSequences(call);
      const own = hasOther && !isShared && isBackward ? second : first;
      return own.map((x, t) => [x, isShared ? second[t] : undefined]);
    };

    test(`BIDIRECTIONAL_SEQUENCE_LSTM, ${other}${merges ? ', merged' : ''}`, async () => {
      const gates = [0, 1, 2, 3];
      const direction = () => ({
        w: gates.map(() => constant([kHidden, kInput])),
        r: gates.map(() => constant([kHidden, kHidden])),
        b: gates.map(() => constant([kHidden])),
        other: aux(gates.map(() => [kHidden, kInput])),
      });
      const directions = [direction(), direction()];
      const node = {
        code: 52,
        inputs: [
          { shape: sequenceShape },
          ...directions.flatMap(({ w, r, b }) => [...w, ...r, null, null, null, ...b, null, null]),
          ...['h', 'c', 'back h', 'back c'].map((name) => variable([1, kHidden], name)),
          hasOther ? { shape: sequenceShape } : null,
          ...directions.flatMap((one) => one.other),
        ],
        outputs,
        type: 69,
        options: [int8(4), float32(0), float32(0), int8(merges ? 1 : 0), int8(isTimeMajor ? 1 : 0)],
      };
      const states = directions.map(() => ({ h: new Array(kHidden).fill(0), c: new Array(kHidden).fill(0) }));
      const want = [1, 2].map((call) => {
        const [forward, backward] = directions.map(({ w, r, b, other: weights }, i) => {
          const state = states[i];
          const steps = inputsOf(call, i === 1);
          return overTime(steps, i === 1, (t) => {
            const [x, second] = steps[t];
            const [input, forget, cell, output] = gates.map((gate) =>
              plus(
                times(w[gate], x),
                times(r[gate], state.h),
                b[gate],
                second ? times(weights[gate], second) : undefined,
              ),
            );
            state.c = state.c.map((value, k) => sigmoid(forget[k]) * value + sigmoid(input[k]) * Math.tanh(cell[k]));
            return (state.h = output.map((value, k) => sigmoid(value) * Math.tanh(state.c[k])));
          });
        });
        return merged(merges, forward, backward);
      });
      const got = await bidirectionalOutputs(node, hasOther, isTimeMajor);
      got.forEach((values, i) => assertClose(values, want[i]));
    });

    test(`BIDIRECTIONAL_SEQUENCE_RNN, ${other}${merges ? ', merged' : ''}`, async () => {
      const direction = () => [constant([kHidden, kInput]), constant([kHidden, kHidden]), constant([kHidden])];
      const directions = [direction(), direction()];
      const weights = aux([
        [kHidden, kInput],
        [kHidden, kInput],
      ]);
      const states = ['h', 'back h'].map((name) => variable([1, kHidden], name));
      const node = {
        code: 46,
        inputs: [
          { shape: sequenceShape },
          ...directions.flatMap((inputs, i) => [...inputs, states[i]]),
          hasOther ? { shape: sequenceShape } : null,
          ...weights,
        ],
        outputs,
        type: 70,
        options: [int8(isTimeMajor ? 1 : 0), int8(4), int8(merges ? 1 : 0)],
      };
      const hidden = directions.map(() => new Array(kHidden).fill(0));
      const want = [1, 2].map((call) => {
        const [forward, backward] = directions.map(([w, r, b], i) => {
          const steps = inputsOf(call, i === 1);
          return overTime(steps, i === 1, (t) => {
            const [x, second] = steps[t];
            const sums = plus(times(w, x), times(r, hidden[i]), b, second ? times(weights[i], second) : undefined);
            return (hidden[i] = sums.map(Math.tanh));
          });
        });
        return merged(merges, forward, backward);
      });
      const got = await bidirectionalOutputs(node, hasOther, isTimeMajor);
      got.forEach((values, i) => assertClose(values, want[i]));
    });
  }
}
