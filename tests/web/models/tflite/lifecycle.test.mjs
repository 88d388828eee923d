// TensorFlow Lite models after calls that fail, and after their disposal in the middle of a call.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { int32, int8, tfliteFile } from '../../../tflite/writer.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

/** A model of z = sum of the last two inputs, and y = Step(z), a custom op. */
const remembering = () =>
  tfliteFile({
    graphs: [
      {
        tensors: [
          { name: 'x', shape: [1, 1] },
          { name: 'features', shape: [1, 1], values: [1] },
          { name: 'time', shape: [1, 2], values: [1, 1] },
          { name: 'state', shape: [1, 2], isVariable: true },
          { name: 'z', shape: [1, 1] },
          { name: 'y', shape: [1, 1] },
        ],
        inputs: [0],
        outputs: [5],
        operators: [
          { code: 27, inputs: [0, 1, 2, -1, 3], outputs: [4], type: 6, options: [int32(1), int8(0)] },
          { custom: 'Step', inputs: [4], outputs: [5] },
        ],
      },
    ],
  });

/**
 * Runs `body` with a loaded model, whose custom op calls `step`, and with a function that asserts that nothing is left of the
 * model.
 */
const withModel = (step, body) =>
  leavesNothingAsync(async () => {
    tf.registerOp('Step', ({ inputs: [z] }) => step(z));
    try {
      const before = tf.memory().numTensors;
      const model = await tf.loadTFLiteModel(remembering());
      await body(model, () => assert.equal(tf.memory().numTensors, before));
      model.dispose();
      model.dispose();
    } finally {
      tf.deregisterOp('Step');
    }
  });

const predict = (model, value) => tf.tidy(() => model.predict(tf.tensor([[value]])).dataSync()[0]);

test('a call that throws keeps no tensors, and leaves the variables as they were', async () => {
  let fails = false;
  const step = (z) => {
    const doubled = tf.mul(z, 2);
    if (fails) throw new Error('stop');
    return doubled;
  };
  await withModel(step, async (model) => {
    assert.equal(predict(model, 1), 2);
    const before = tf.memory().numTensors;
    fails = true;
    assert.throws(() => predict(model, 5), /stop/);
    const x = tf.tensor([[5]]);
    await assert.rejects(model.executeAsync({ x }), /stop/);
    x.dispose();
    assert.equal(tf.memory().numTensors, before);
    fails = false;
    assert.equal(predict(model, 2), 6);
  });
});

test('a model may be disposed while it runs', async () => {
  let resume;
  const step = async (z) => {
    await new Promise((resolve) => (resume = resolve));
    return tf.mul(z, 2);
  };
  await withModel(step, async (model, leavesNothing) => {
    const x = tf.tensor([[1]]);
    const running = model.executeAsync({ x });
    model.dispose();
    resume();
    await running.then(
      (y) => y.dispose(),
      (error) => assert.match(error.message, /disposed|no graph|graph/),
    );
    x.dispose();
    leavesNothing();
  });
  let disposed;
  await withModel(
    (z) => {
      disposed.dispose();
      return tf.mul(z, 2);
    },
    async (model, leavesNothing) => {
      disposed = model;
      try {
        predict(model, 1);
      } catch (error) {
        assert.match(error.message, /disposed|no graph|graph/);
      }
      leavesNothing();
    },
  );
});

test('a model that was disposed, while it was loaded or after, can be loaded again', () =>
  withModel(
    (z) => z.clone(),
    async (model) => {
      const other = new tf.TFLiteModel(remembering());
      const loading = other.load();
      other.dispose();
      await assert.rejects(loading, { name: 'DisposedError', message: /disposed while it was loaded/ });
      assert.equal(predict(model, 1), 1);
      for (const each of [other, model]) {
        each.dispose();
        await each.load();
        assert.equal(predict(each, 2), 2);
        each.dispose();
      }
    },
  ));

test('a disposed model says so', () =>
  withModel(
    (z) => z.clone(),
    async (model) => {
      model.dispose();
      const x = tf.tensor([[1]]);
      assert.throws(() => model.predict(x), /disposed/);
      assert.throws(() => model.resetStates(), /disposed/);
      await assert.rejects(model.executeAsync(x), /disposed/);
      x.dispose();
    },
  ));

test('errors of inputs name the input, and what was expected', () =>
  withModel(
    (z) => z.clone(),
    async (model) => {
      const [x, wide, integers] = [tf.tensor([[1]]), tf.ones([2, 3]), tf.tensor([[1]], [1, 1], 'int32')];
      const before = tf.memory().numTensors;
      for (const [inputs, message] of [
        [{}, /x/],
        [{ other: x, x }, /other/],
        [[x, x], /1 .*2 input tensors/],
        [[], /1 .*0 input tensors/],
        [wide, /'x'.*\[1,1\].*\[2,3\]/],
        [integers, /'x'.*float32.*int32/],
        [{ x: [1] }, /Tensor for its input x/],
        [null, /null/],
        ['x', /string|x/],
      ]) {
        assert.throws(() => model.predict(inputs), message, JSON.stringify(inputs));
        assert.equal(tf.memory().numTensors, before);
      }
      tf.dispose([x, wide, integers]);
    },
  ));
