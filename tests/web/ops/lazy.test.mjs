import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as tf from '../../../dist/index.js';

const kSize = 1 << 19;
const kBytes = 4 * kSize;
const threshold = tf.env().get('WASM_LAZY_SIZE_THRESHOLD');
const floats = () => Math.round(tf.memory().detail.tensorBytes / kBytes);
const counted = (first) => tf.linspace(first, first + kSize - 1, kSize);
after(() => tf.env().set('WASM_LAZY_SIZE_THRESHOLD', threshold));

/** The same twice: at once, and once it is read. */
function inBothWays(run) {
  return [Infinity, kSize].map((size) => {
    tf.env().set('WASM_LAZY_SIZE_THRESHOLD', size);
    return run();
  });
}

test('what waits takes no memory, and is what it would have been', () => {
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
  assert.deepEqual(found.map(({ before, after }) => [before, after]), [[4, 4], [1, 2]]);
  assert.deepEqual(found[1].values, found[0].values);
  assert.equal(found[1].sum, found[0].sum);
  assert.equal(tf.memory().numTensors, numTensors);
});

test('a tensor that is disposed is free at once, and what waited for it is not lost', async () => {
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

test('a variable that moves on takes nothing from what waited for its value', () => {
  tf.env().set('WASM_LAZY_SIZE_THRESHOLD', kSize);
  const variable = tf.variable(counted(0));
  const doubled = variable.mul(2);
  variable.assign(tf.zeros([kSize]));
  const optimizer = tf.train.sgd(1);
  const tripled = variable.add(3);
  optimizer.applyGradients([{ name: variable.name, tensor: tf.ones([kSize]) }]);
  assert.deepEqual([doubled, tripled, variable].map((x) => x.dataSync()[5]), [10, 3, -1]);
  tf.disposeVariables();
  tf.dispose([doubled, tripled]);
  optimizer.dispose();
});

test('each op is computed as it is called under a gradient and in a profile', async () => {
  tf.env().set('WASM_LAZY_SIZE_THRESHOLD', kSize);
  const x = counted(-3);
  const gradient = tf.grad((at) => at.relu().square().sum())(x);
  assert.deepEqual(gradient.dataSync().subarray(0, 6), new Float32Array([0, 0, 0, 0, 2, 4]));
  const { kernels } = await tf.profile(() => tf.tidy(() => x.relu().square().dataSync()));
  assert.deepEqual(kernels.map(({ name }) => name), ['Relu', 'Square']);
  tf.dispose([x, gradient]);
});
