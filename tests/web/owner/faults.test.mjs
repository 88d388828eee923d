// Faults of TensorFlow.js 4.22, a test for each: none of these passes there.
import { afterEach, test } from 'node:test';
import * as debugBuild from '../../../dist/debug/index.js';
import { assert, iris, leavesNothing, leavesNothingAsync, pause, says, tf } from '../expect.mjs';

afterEach(() => {
  tf.setMemoryBudget(null);
  debugBuild.debug.fail();
});

test('an op on a disposed tensor names the op, the argument and the tensor', () => {
  leavesNothing(() => {
    const [gone, x] = [tf.ones([2, 3]), tf.ones([2, 3])];
    gone.dispose();
    const name = String.raw`#\d+ float32\[2,3\]`;
    const uses = {
      [String.raw`\[add\] Tensor is disposed: argument 1 \('a'\), ${name}`]: () => tf.add(gone, x),
      [String.raw`\[add\] Tensor is disposed: argument 2 \('b'\), ${name}`]: () => x.add(gone),
      [String.raw`\[exp\] Tensor is disposed: argument 1 \('x'\), ${name}`]: () => tf.exp(gone),
      [String.raw`\[concat\] Tensor is disposed: argument 2 \('tensors\[1\]'\), ${name}`]: () => tf.concat([x, gone]),
      [String.raw`\[matMul\] Tensor is disposed: argument 2 \('b'\), ${name}`]: () => tf.matMul(x, gone, false, true),
      [String.raw`\[dataSync\] Tensor is disposed: ${name}`]: () => gone.dataSync(),
    };
    for (const [message, use] of Object.entries(uses)) {
      assert.throws(use, says('DisposedError', new RegExp(`^${message}`)));
    }
    x.dispose();
  });
});

test('tensors made after an await in a scope are freed with it', async () => {
  await leavesNothingAsync(async () => {
    await tf.scopeAsync(async () => {
      for (let i = 0; i < 5; i++) {
        await pause();
        tf.ones([10]).add(i);
      }
    });
  });
});

test('two interleaved scopes do not affect each other’s tensors', async () => {
  await leavesNothingAsync(async () => {
    const work = (turns) =>
      tf.scopeAsync(async () => {
        let sum = tf.scalar(0);
        for (let i = 0; i < turns; i++) {
          const previous = sum;
          sum = sum.add(1);
          await pause();
          assert.deepEqual([previous.isDisposed, sum.isDisposed], [false, false]);
        }
        return sum.arraySync();
      });
    assert.deepEqual(await Promise.all([3, 7, 5].map(work)), [3, 7, 5]);
  });
});

test('tidy keeps what it returns in a Map and in a Set', () => {
  leavesNothing(() => {
    const result = tf.tidy(() => ({ map: new Map([['a', tf.scalar(1)]]), set: new Set([tf.scalar(2)]) }));
    assert.equal(result.map.get('a').arraySync(), 1);
    assert.equal([...result.set][0].arraySync(), 2);
    tf.dispose(result);
  });
});

test('a getter that throws in a result does not leave the scope open', () => {
  leavesNothing(() => {
    const result = () => ({
      x: tf.scalar(1),
      get broken() {
        throw new Error('mine');
      },
    });
    assert.throws(() => tf.tidy(result), /mine/);
    const after = tf.scalar(2);
    assert.equal(tf.memory().detail.scopes, 0);
    tf.tidy(() => {});
    assert.equal(after.isDisposed, false);
    after.dispose();
  });
});

test('keep({t}) keeps t', () => {
  leavesNothing(() => {
    const { t } = tf.tidy(() => tf.keep({ t: tf.scalar(1) }));
    let inside;
    tf.tidy(() => void (inside = tf.keep(new Map([['deep', [tf.scalar(2)]]]))));
    assert.deepEqual([t.arraySync(), inside.get('deep')[0].arraySync()], [1, 2]);
    tf.dispose([t, inside]);
  });
});

test('out of memory is an error, and changes no other tensor’s values', () => {
  leavesNothing(() => {
    const witnesses = Array.from({ length: 20 }, (_, i) => tf.fill([i * 50 + 1], i));
    tf.setMemoryBudget(tf.memory().detail.heapUsed + 100_000);
    let failures = 0;
    const made = [];
    try {
      for (let i = 0; i < 100; i++) made.push(tf.fill([5000], -1));
    } catch (error) {
      assert.equal(error.name, 'OutOfMemoryError');
      failures++;
    }
    tf.setMemoryBudget(null);
    assert.equal(failures, 1);
    assert.throws(() => tf.zeros([2 ** 30]), { name: 'OutOfMemoryError' });
    witnesses.forEach((x, i) => assert.ok(x.dataSync().every((value) => value === i)));
    assert.equal(
      tf.tidy(() => witnesses[7].sum().arraySync()),
      7 * 351,
    );
    tf.dispose([witnesses, made]);
  });
});

test('an op that fails half-way leaks no intermediates', () => {
  const { tf: dev, count } = {
    tf: debugBuild,
    count: () => ({ ...debugBuild.memory(), detail: debugBuild.memory().detail.scopes }),
  };
  const x = dev.tensor2d([
    [1, 2],
    [3, 4],
  ]);
  const ops = {
    moments: () => Object.values(dev.moments(x, 0)),
    norm: () => dev.norm(x),
    split: () => dev.split(x, 2),
    stack: () =>
      dev.stack([
        x,
        [
          [5, 6],
          [7, 8],
        ],
      ]),
    logSumExp: () => dev.logSumExp(x),
    variable: () => dev.variable(x, true, undefined, 'int32'),
    tidy: () => dev.tidy(() => x.mul(2).add([1, 2]).softmax()),
    batchNorm: () => dev.batchNorm(x, [1, 2], [3, 4]),
  };
  for (const [name, run] of Object.entries(ops)) {
    for (const kind of ['afterOps', 'afterAllocations']) {
      let after = 0;
      for (; ; after++) {
        const before = count();
        dev.debug.fail({ [kind]: after });
        let result;
        try {
          result = run();
        } catch (error) {
          assert.match(error.message, /injected failure/, name);
        }
        dev.debug.fail();
        dev.dispose(result);
        assert.deepEqual(count(), before, `${name}, ${kind} ${after}`);
        if (result) break;
      }
      assert.ok(after > 0, name);
    }
  }
  x.dispose();
});

test('pooled memory can be released', () => {
  leavesNothing(() => {
    for (let i = 0; i < 40; i++) tf.ones([1000 * i]).dispose();
    assert.ok(tf.memory().detail.cpuPool > 100_000);
    tf.trim();
    assert.equal(tf.memory().detail.cpuPool, 0);
  });
});

test('disposing a model frees all its memory, however often it was called', async () => {
  tf.trim();
  const before = tf.memory();
  const model = await tf.loadLayersModel(iris);
  for (let batch = 1; batch < 20; batch++) tf.tidy(() => void model.predict(tf.ones([batch, 4])));
  const gone = tf.ones([1, 4]);
  gone.dispose();
  assert.throws(() => model.predict(gone), { name: 'DisposedError' });
  model.dispose();
  tf.trim();
  const after = tf.memory();
  for (const name of ['numTensors', 'numDataBuffers', 'numBytes']) assert.equal(after[name], before[name]);
  assert.equal(after.detail.heapUsed, before.detail.heapUsed);
});

test('a tensor may be disposed while its data is being read', async () => {
  await leavesNothingAsync(async () => {
    const x = tf.tensor([1, 2, 3]);
    const reads = [x.data(), x.array(), x.bytes(), x.buffer()];
    x.dispose();
    // Reuses the slot that was freed.
    const other = tf.tensor([7, 8, 9]);
    const [data, array, bytes, buffer] = await Promise.all(reads);
    assert.deepEqual([[...data], array, bytes.length, buffer.get(2)], [[1, 2, 3], [1, 2, 3], 12, 3]);
    other.dispose();
    await assert.rejects(x.data(), { name: 'DisposedError' });
  });
});

test('values given in a tensor’s place are freed, also when the op throws', () => {
  leavesNothing(() => {
    tf.add([1, 2], [3, 4]).dispose();
    assert.throws(() => tf.add([1, 2], [3, 4, 5]));
    assert.throws(() => tf.matMul([[1, 2]], [[1, 2]]));
    assert.throws(() => tf.concat([[1, 2], [[3]]]));
  });
});
