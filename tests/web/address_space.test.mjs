// Sizes that 32 bits cannot address are refused as out of memory, before anything is written.
import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from './expect.mjs';

/** Checks that `body` is refused and changes nothing. */
function outOfMemory(body) {
  leavesNothing(() => {
    const others = Array.from({ length: 8 }, () => tf.fill([2 ** 14], 7));
    assert.throws(body, { name: 'OutOfMemoryError' });
    assert.ok(others.every((other) => other.dataSync().every((value) => value === 7)));
    tf.dispose(others);
  });
}

test('a model with too large intermediate values', () => {
  for (const batch of [32768, 32769, 40000]) {
    outOfMemory(() => {
      const model = tf.sequential({
        layers: [tf.layers.dense({ units: 32768, inputShape: [1] }), tf.layers.dense({ units: 1 })],
      });
      const x = tf.ones([batch, 1]);
      try {
        model.predict(x);
      } finally {
        tf.dispose([x, model]);
      }
    });
  }
});

test('a graph with too large intermediate values', async () => {
  await leavesNothingAsync(async () => {
    const type = { T: { type: 'DT_FLOAT' }, Tmultiples: { type: 'DT_INT32' } };
    const node = (name, op, input = [], attr = type) => ({ name, op, input, attr });
    const model = await tf.loadGraphModel(
      tf.io.fromMemory({
        modelTopology: {
          node: [
            node('x', 'Placeholder', [], { dtype: { type: 'DT_FLOAT' } }),
            node('reps', 'Const'),
            node('wide', 'Tile', ['x', 'reps']),
            node('y', 'Neg', ['wide']),
          ],
        },
        weightSpecs: [{ name: 'reps', shape: [1], dtype: 'int32' }],
        weightData: Int32Array.of(2 ** 30).buffer,
      }),
    );
    outOfMemory(() => tf.tidy(() => model.predict(tf.ones([1]))));
    model.dispose();
  });
});

test('the gradient of a filter with a too large workspace', () => {
  outOfMemory(() =>
    tf.tidy(() =>
      tf.grad((filter) => tf.conv2d(tf.ones([1, 1, 1, 2 ** 25]), filter, 1, 'same').sum())(tf.ones([1, 1, 2 ** 25, 1])),
    ),
  );
});

test('more than 4 GB through views of shared buffers', async () => {
  const part = new Uint8Array(2 ** 20);
  const parts = (count) => new Array(count).fill(part.buffer);
  await leavesNothingAsync(async () => {
    for (const weightData of [parts(4096), [...parts(4096), new ArrayBuffer(1000)]]) {
      const modelTopology = { node: [{ name: 'x', op: 'Placeholder' }] };
      await assert.rejects(tf.loadGraphModel(tf.io.fromMemory({ modelTopology, weightSpecs: [], weightData })), {
        name: 'OutOfMemoryError',
      });
      assert.throws(() => tf.tensor1d(new Array(4096).fill(part), 'string'), { name: 'OutOfMemoryError' });
    }
    tf.ones([1]).dispose();
  });
});
