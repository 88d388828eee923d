import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as tf from '../../../dist/index.js';
import { Random } from '../../conformance/random/random.mjs';
import { inUse } from '../common.mjs';

const kSize = 1 << 19;
const kBytes = 4 * kSize;
const threshold = tf.env().get('WASM_LAZY_SIZE_THRESHOLD');
const floats = () => Math.round(tf.memory().detail.tensorBytes / kBytes);
const counted = (first) => tf.linspace(first, first + kSize - 1, kSize);
after(() => tf.env().set('WASM_LAZY_SIZE_THRESHOLD', threshold));

/** Returns the results of a program that runs eagerly, and of one that is deferred until it is read. */
function inBothWays(run) {
  return [Infinity, kSize].map((size) => {
    tf.env().set('WASM_LAZY_SIZE_THRESHOLD', size);
    return run();
  });
}

test('deferred ops use no memory, and have the eager result', () => {
  const { numTensors } = tf.memory();
  const found = inBothWays(() =>
    tf.tidy(() => {
      const x = counted(-1000);
      const y = x.mul(0.5).add(x).relu();
      const before = floats();
      const values = y.dataSync();
      return { before, after: floats(), values, sum: y.sub(1).sum().dataSync()[0] };
    }),
  );
  assert.deepEqual(
    found.map(({ before, after }) => [before, after]),
    [
      [4, 4],
      [1, 2],
    ],
  );
  assert.deepEqual(found[1].values, found[0].values);
  assert.equal(found[1].sum, found[0].sum);
  assert.equal(tf.memory().numTensors, numTensors);
});

test('a disposed tensor is freed at once, and ops deferred on it still compute', async () => {
  tf.env().set('WASM_LAZY_SIZE_THRESHOLD', kSize);
  const x = counted(0);
  const y = x.neg();
  const z = tf.tidy(() => y.add(x).sub(1));
  assert.equal(floats(), 1);
  x.dispose();
  assert.equal(floats(), 2);
  assert.deepEqual((await y.data()).subarray(0, 3), new Float32Array([-0, -1, -2]));
  assert.deepEqual((await z.data()).subarray(0, 3), new Float32Array([-1, -1, -1]));
  tf.dispose([y, z]);
  assert.equal(floats(), 0);
});

test('assigning a variable does not change deferred ops on its former value', () => {
  tf.env().set('WASM_LAZY_SIZE_THRESHOLD', kSize);
  const variable = tf.variable(counted(0));
  const doubled = variable.mul(2);
  variable.assign(tf.zeros([kSize]));
  const optimizer = tf.train.sgd(1);
  const tripled = variable.add(3);
  optimizer.applyGradients([{ name: variable.name, tensor: tf.ones([kSize]) }]);
  assert.deepEqual(
    [doubled, tripled, variable].map((x) => x.dataSync()[5]),
    [10, 3, -1],
  );
  tf.disposeVariables();
  tf.dispose([doubled, tripled]);
  optimizer.dispose();
});

test('ops are not deferred under a gradient or in a profile', async () => {
  tf.env().set('WASM_LAZY_SIZE_THRESHOLD', kSize);
  const x = counted(-3);
  const gradient = tf.grad((at) => at.relu().square().sum())(x);
  assert.deepEqual(gradient.dataSync().subarray(0, 6), new Float32Array([0, 0, 0, 0, 2, 4]));
  const { kernels } = await tf.profile(() => tf.tidy(() => x.relu().square().dataSync()));
  assert.deepEqual(
    kernels.map(({ name }) => name),
    ['Relu', 'Square'],
  );
  tf.dispose([x, gradient]);
});

const kShapes = [[6, 20], [20], [], [6, 1], [1, 20], [2, 6, 20]];
const kUnary = [
  'neg',
  'abs',
  'square',
  'relu',
  'relu6',
  'leakyRelu',
  'sigmoid',
  'floor',
  'sqrt',
  'sum',
  'mean',
  'softplus',
];
const kBinary = ['add', 'sub', 'mul', 'div', 'maximum', 'minimum', 'squaredDifference', 'prelu', 'divNoNan'];

/** Runs a random program that creates, reads, changes and disposes tensors, some of them variables; returns what it read. */
function runProgram(seed) {
  const random = new Random(seed);
  const seen = [];
  const read = (x) => void seen.push([x.shape, x.dataSync()]);
  const variables = [tf.tidy(() => tf.variable(tf.randomUniform([6, 20], -4, 4, 'float32', seed + 1)))];
  const tensors = kShapes.map((shape, i) => tf.randomUniform(shape, -4, 4, 'float32', seed + 2 + i));
  const make = (known, depth) => {
    const [x, y] = [random.pick(known), random.pick(known)];
    return random.weighed([
      [4, () => tf[random.pick(kUnary)](x)],
      [6, () => tf[random.pick(kBinary)](x, y)],
      [1, () => tf.clipByValue(x, -3, random.int(0, 4))],
      [1, () => tf.tidy(() => x.flatten().reshape(x.shape))],
      [depth < 3 ? 1 : 0, () => tf.tidy(() => makeMany([...known], depth + 1).at(-1))],
    ])();
  };
  const makeMany = (known, depth) => random.list(random.int(1, 8), () => known[known.push(make(known, depth)) - 1]);
  for (let step = 0; step < 60; step++) {
    const known = [...tensors, ...variables];
    random.weighed([
      [8, () => tensors.push(make(known, 0))],
      [2, () => tensors.length > 8 && tensors.splice(random.int(0, tensors.length - 1), 1)[0].dispose()],
      [1, () => read(random.pick(known))],
      [1, () => tf.tidy(() => variables[0].assign(random.pick(known.filter(({ shape }) => String(shape) === '6,20'))))],
      [1, () => tf.tidy(() => read(tf.grad((x) => x.mul(2).relu().sub(x).square().sum())(random.pick(known))))],
    ])();
  }
  [...tensors, ...variables].forEach(read);
  tf.dispose([tensors, variables]);
  return seen;
}

test('random programs read the same values, and leak nothing, with any deferral', () => {
  const { numTensors } = tf.memory();
  for (let seed = 0; seed < 150; seed++) {
    const [expected, ...found] = [Infinity, 1, 60].map((size) => {
      tf.env().set('WASM_LAZY_SIZE_THRESHOLD', size);
      const before = inUse(tf);
      const seen = runProgram(seed);
      assert.deepEqual([tf.memory().numTensors, inUse(tf) <= before], [numTensors, true], `seed ${seed}`);
      return seen;
    });
    for (const seen of found) assert.deepEqual(seen, expected, `seed ${seed}`);
  }
});
