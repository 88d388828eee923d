import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, pause, tf } from '../expect.mjs';

test('scopeAsync frees what its awaits leave, and keeps what is returned', async () => {
  await leavesNothingAsync(async () => {
    let between;
    const result = await tf.scopeAsync('frame', async (scope) => {
      const x = tf.tensor([1, 2, 3]);
      await pause();
      between = x.square();
      await between.data();
      assert.equal(scope.numTensors, 2);
      return new Map([['sum', between.add(1)]]);
    });
    assert.ok(between.isDisposed);
    assert.deepEqual(result.get('sum').arraySync(), [2, 5, 10]);
    tf.dispose(result);
  });
});

test('a rejection frees everything and propagates', async () => {
  await leavesNothingAsync(async () => {
    const failing = tf.scopeAsync(async () => {
      tf.scalar(1);
      await pause();
      tf.scalar(2);
      throw new Error('mine');
    });
    await assert.rejects(failing, /mine/);
    await assert.rejects(
      tf.scopeAsync(() => {
        tf.scalar(1);
        throw new Error('at once');
      }),
      /at once/,
    );
    await assert.rejects(tf.scopeAsync('name'), /provide a function/);
  });
});

test('concurrent scopes follow their own awaits, with tidy inside', async () => {
  await leavesNothingAsync(async () => {
    const work = (turns) =>
      tf.scopeAsync(String(turns), async (scope) => {
        let x = tf.scalar(0);
        for (let i = 1; i <= turns; i++) {
          await pause();
          x = tf.tidy(() => x.add(tf.scalar(1)));
          assert.equal(scope.numTensors, i + 1);
        }
        return x.dataSync()[0];
      });
    assert.deepEqual(await Promise.all([1, 2, 5, 3].map(work)), [1, 2, 5, 3]);
  });
});

test('a scope inside hands its result to the one around it', async () => {
  await leavesNothingAsync(async () => {
    let result;
    await tf.scopeAsync('outer', async (outer) => {
      result = await tf.scopeAsync('inner', async (inner) => {
        await pause();
        const x = tf.scalar(1);
        assert.equal(inner.numTensors, 1);
        return x;
      });
      assert.deepEqual([result.isDisposed, outer.numTensors], [false, 1]);
      await pause();
      result.add(1);
      assert.equal(outer.numTensors, 2);
    });
    assert.ok(result.isDisposed);
  });
});

test('other code is in no scope while an async scope runs', async () => {
  await leavesNothingAsync(async () => {
    let mine;
    const other = pause()
      .then(pause)
      .then(() => (mine = tf.scalar(1)));
    await tf.scopeAsync(async () => {
      for (let i = 0; i < 5; i++) {
        tf.scalar(i);
        await pause();
      }
    });
    await other;
    assert.equal(mine.isDisposed, false);
    mine.dispose();
  });
});

test('its scope may be closed early', async () => {
  await leavesNothingAsync(async () => {
    await tf.scopeAsync(async (scope) => {
      await pause();
      tf.scalar(1);
      scope.close();
      await pause();
      tf.scalar(2).dispose();
    });
  });
  leavesNothing(() => tf.tidy(() => void tf.scalar(1)));
});

test('a scope waits for nested ones, also if one of them fails', async () => {
  await leavesNothingAsync(async () => {
    let finished = false;
    const slow = async () => {
      for (let i = 0; i < 5; i++) {
        tf.scalar(i);
        await pause();
      }
      finished = true;
    };
    const fast = async () => {
      await pause();
      throw new Error('mine');
    };
    await assert.rejects(
      tf.scopeAsync(() => Promise.all([tf.scopeAsync(slow), tf.scopeAsync(fast)])),
      /mine/,
    );
    assert.equal(finished, true);
  });
});

test('code that continues after its scope was closed belongs to the scope around', async () => {
  await leavesNothingAsync(async () => {
    await tf.scopeAsync(async (outer) => {
      await tf.scopeAsync(async (inner) => {
        await pause();
        inner.close();
        await pause();
        tf.scalar(1);
        assert.equal(outer.numTensors, 1);
      });
    });
  });
});

test('run() of an outer scope takes precedence over the followed scope', async () => {
  await leavesNothingAsync(async () => {
    await tf.scopeAsync(async (outer) => {
      await pause();
      let x;
      await tf.scopeAsync(async () => void (x = outer.run(() => tf.scalar(1))));
      assert.equal(x.isDisposed, false);
      assert.equal(outer.numTensors, 1);
    });
  });
});

test('a scopeAsync() started in a tidy belongs to the scope around it, and continues', async () => {
  await leavesNothingAsync(async () => {
    const made = [];
    const work = async () => {
      made.push(tf.scalar(1));
      await pause();
      made.push(tf.scalar(2));
      await pause();
      return made[1].add(1);
    };
    const begin = () => tf.tidy(() => [tf.tidy(() => [tf.scopeAsync(work)])]).flat()[0];
    const result = await begin();
    assert.deepEqual(
      made.map((x) => x.isDisposed),
      [true, true],
    );
    assert.deepEqual(result.arraySync(), 3);
    result.dispose();

    made.length = 0;
    await tf.scopeAsync(async (outer) => {
      const late = begin();
      await pause();
      assert.equal(outer.numTensors, 2);
      assert.deepEqual((await late).arraySync(), 3);
    });
  });
});

test('a loop that schedules its next turn inside a scope retains nothing of earlier turns', async () => {
  await leavesNothingAsync(async () => {
    const turn = (left, done) =>
      tf.scopeAsync(async () => {
        tf.scalar(left);
        await null;
        setImmediate(() => (left > 0 ? turn(left - 1, done) : done(heapUsed())));
      });
    const heapUsed = () => (globalThis.gc(), process.memoryUsage().heapUsed);
    const loop = (times) => new Promise((done) => void turn(times, done));
    // A debug build keeps some records of disposed tensors.
    await loop(10_000);
    const before = await loop(100);
    const grown = (await loop(10_000)) - before;
    assert.ok(grown < 1e6, `${grown} bytes`);
  });
});

test('tensors that the then() of a scope’s result makes belong to the scope', async () => {
  await leavesNothingAsync(async () => {
    const result = { then: (resolve) => (tf.scalar(1), setImmediate(() => resolve(5))) };
    assert.equal(await tf.scopeAsync(() => result), 5);
  });
});
