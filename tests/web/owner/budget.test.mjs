import { afterEach, test } from 'node:test';
import { inUse } from '../common.mjs';
import { assert, iris, isDebug, leavesNothing, leavesNothingAsync, says, tf } from '../expect.mjs';

const kilobytes = (count) => count * 1024;

/** Sets the budget to `bytes` more than are in use. */
function leaveRoom(bytes) {
  tf.trim();
  tf.setMemoryBudget(tf.memory().detail.heapUsed + bytes);
}

/** Returns a model of one dense layer with 64 inputs and outputs, from memory. */
function dense(units = 64) {
  const kernel = new Float32Array(64 * units).map((_, i) => Math.sin(i));
  return {
    modelTopology: {
      class_name: 'Sequential',
      config: {
        name: 'dense',
        layers: [{ class_name: 'Dense', config: { name: 'd', units, use_bias: false, batch_input_shape: [null, 64] } }],
      },
    },
    weightSpecs: [{ name: 'd/kernel', shape: [64, units], dtype: 'float32' }],
    weightData: kernel.buffer,
  };
}

afterEach(() => tf.setMemoryBudget(null));

test('allocating a power of two of bytes has a small overhead', () => {
  for (let bytes = 1024; bytes <= 2 ** 20; bytes *= 2) {
    const before = tf.memory().detail.tensorBytes;
    const x = tf.zeros([bytes / 4]);
    x.dataSync();
    const taken = tf.memory().detail.tensorBytes - before;
    assert.ok(taken >= bytes && taken <= bytes + 256, `${bytes} bytes take ${taken}`);
    x.dispose();
  }
});

test('a tensor beyond the budget is refused, and the message names the largest tensors', () => {
  leavesNothing(() => {
    const large = [1, 2].map(() => tf.ones([100, 64]));
    const small = tf.scalar(1, 'bool');
    leaveRoom(kilobytes(16));
    try {
      tf.ones([64, 1024]);
      assert.fail('the budget was passed');
    } catch (error) {
      assert.ok(error instanceof tf.OutOfMemoryError && error instanceof Error);
      says(
        'OutOfMemoryError',
        /^\[fill\] out of memory: cannot allocate \d+ bytes; \d+ bytes are in use of a budget of \d+\. The largest: 2 x float32\[100,64\] \(51200 bytes\), bool\[\] \(1 byte\)$/,
      )(error);
      assert.equal(error.holders, error.largestTensors);
      assert.deepEqual(
        error.largestTensors.map(({ site, ...rest }) => [site !== '', rest]),
        [
          [isDebug, { dtype: 'float32', shape: [100, 64], count: 2, bytes: 51200 }],
          [isDebug, { dtype: 'bool', shape: [], count: 1, bytes: 1 }],
        ],
      );
    }
    tf.setMemoryBudget(null);
    tf.dispose([large, small, tf.ones([64, 1024])]);
  });
});

test('20,000 small tensors are counted as one group', () => {
  leavesNothing(() => {
    const many = Array.from({ length: 20_000 }, () => tf.scalar(1));
    leaveRoom(0);
    assert.throws(
      () => tf.ones([10_000]),
      (error) => error.largestTensors.length === 1 && error.largestTensors[0].count === 20_000,
    );
    tf.dispose(many);
  });
});

test('pools are trimmed before anything is refused', () => {
  leavesNothing(() => {
    leaveRoom(kilobytes(400));
    for (let i = 1; i <= 5; i++) tf.ones([i * 10_000]).dispose();
    assert.ok(tf.memory().detail.cpuPool > kilobytes(150));
    tf.ones([90_000]).dispose();
  });
});

test('a budget that is already exceeded affects no live tensor', () => {
  leavesNothing(() => {
    const x = tf.fill([5000], 3);
    tf.setMemoryBudget(0);
    assert.throws(() => tf.ones([10_000]), { name: 'OutOfMemoryError' });
    assert.ok(x.dataSync().every((value) => value === 3));
    x.dispose();
  });
  for (const bad of [-1, NaN, 'many']) assert.throws(() => tf.setMemoryBudget(bad), /setMemoryBudget/);
});

test('a deferred op that runs out of memory is named by the error, and can be read later', () => {
  leavesNothing(() => {
    const x = tf.ones([1 << 20]);
    const y = tf.tidy(() => x.mul(2).add(1));
    tf.setMemoryBudget(inUse(tf) + (1 << 20));
    try {
      const refused = says('OutOfMemoryError', /^\[add\] out of memory: cannot allocate \d+ bytes; /);
      assert.throws(() => y.dataSync(), refused);
      assert.throws(() => y.dataSync(), refused, 'a second time');
      assert.throws(() => y.sum(), refused);
    } finally {
      tf.setMemoryBudget(null);
    }
    assert.equal(y.dataSync()[1], 3);
    tf.dispose([x, y]);
  });
});

test('a composed op that fails leaks none of its intermediates', () => {
  leavesNothing(() => {
    const x = tf.randomUniform([200, 200], 0, 1, 'float32', 7);
    const ops = {
      moments: () => tf.moments(x, 0),
      softmax: () => tf.logSoftmax(x),
      split: () => tf.split(x, 10),
      norm: () => tf.norm(x.mul(2).add(1)),
      stack: () => tf.stack([x, [...x.arraySync()]]),
      meanSquare: () =>
        tf.tidy(() =>
          x
            .sub(tf.ones([200, 200]))
            .square()
            .mean(),
        ),
    };
    for (const [name, run] of Object.entries(ops)) {
      let refusals = 0;
      const before = inUse(tf);
      // From no room at all to enough, in increments smaller than a tensor.
      for (let room = 0, done = false; !done; room += kilobytes(40)) {
        leaveRoom(room);
        const scope = tf.scope(name);
        try {
          scope.run(run);
          done = true;
        } catch (error) {
          assert.equal(error.name, 'OutOfMemoryError', `${name}: ${error.message}`);
          refusals++;
        }
        scope.close();
        assert.equal(inUse(tf), before, name);
      }
      assert.ok(refusals > 0, name);
    }
    tf.setMemoryBudget(null);
    tf.dispose(x);
  });
});

test('a prediction that exceeds the budget leaves the model unchanged', async () => {
  const model = await tf.loadLayersModel({ load: async () => dense() });
  // From here on, weights have the layout that predictions read.
  tf.tidy(() => model.predict(tf.ones([1, 64])));
  leavesNothing(() => {
    const x = tf.ones([64, 64]);
    const expected = tf.tidy(() => [...model.predict(x).dataSync()]);
    let refusals = 0;
    for (let room = 0, done = false; !done; room += kilobytes(4)) {
      leaveRoom(room);
      const before = inUse(tf);
      try {
        model.predict(x).dispose();
        done = true;
      } catch (error) {
        assert.equal(error.name, 'OutOfMemoryError', error.message);
        // A plan may exist already if its output is what does not fit.
        tf.trim();
        assert.equal(inUse(tf), before);
        refusals++;
      }
    }
    assert.ok(refusals > 2, String(refusals));
    tf.setMemoryBudget(null);
    assert.deepEqual(
      tf.tidy(() => [...model.predict(x).dataSync()]),
      expected,
    );
    x.dispose();
  });
  model.dispose();
});

test('a model that exceeds the budget leaks nothing', async () => {
  const { numTensors } = tf.memory();
  const before = inUse(tf);
  let refusals = 0;
  for (let room = 0, model; !model; room += kilobytes(8)) {
    leaveRoom(room);
    try {
      model = await tf.loadLayersModel({ load: async () => dense(200) });
      assert.equal(tf.memory().numTensors, numTensors + 1);
      model.dispose();
    } catch (error) {
      assert.equal(error.name, 'OutOfMemoryError', error.message);
      refusals++;
    }
    assert.deepEqual([tf.memory().numTensors, inUse(tf)], [numTensors, before]);
  }
  assert.ok(refusals > 3, String(refusals));
});

test('a real model under a budget predicts the same, or throws and recovers', async () => {
  await leavesNothingAsync(async () => {
    const model = await tf.loadLayersModel(iris);
    const flowers = Float32Array.from({ length: 4 * 2000 }, (_, i) => 3 + Math.sin(i));
    const predict = (batch) =>
      tf.tidy(() => model.predict(tf.tensor(flowers.subarray(0, 4 * batch), [batch, 4])).dataSync());
    const batches = Array.from({ length: 154 }, (_, i) => 1 + 13 * i);
    const expected = batches.map(predict);
    leaveRoom(kilobytes(8));
    let refused = 0;
    for (const [i, batch] of batches.entries()) {
      let found = expected[i];
      try {
        found = predict(batch);
      } catch (error) {
        assert.equal(error.name, 'OutOfMemoryError', error.message);
        refused++;
      }
      assert.deepEqual(found, expected[i]);
    }
    assert.ok(refused > 0 && refused < 150, String(refused));
    tf.setMemoryBudget(null);
    assert.deepEqual(batches.map(predict), expected);
    model.dispose();
  });
});
