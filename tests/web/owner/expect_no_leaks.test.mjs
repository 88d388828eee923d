import { test } from 'node:test';
import { assert, iris, leavesNothing, leavesNothingAsync, pause, says, tf } from '../expect.mjs';

const leak = (message) => says('LeakError', message);

test('a function without leaks passes, and is called five times', () => {
  leavesNothing(() => {
    let calls = 0;
    const x = tf.ones([3]);
    const result = tf.expectNoLeaks(() => {
      calls++;
      tf.tidy(() => x.square().sum().dataSync());
      tf.dispose([x.add(1), tf.variable(x)]);
      tf.scope().close();
    });
    assert.equal(result, undefined);
    assert.equal(calls, 5);
    x.dispose();
  });
});

test('leaks are counted, named and freed, except those of the first call', () => {
  leavesNothing(() => {
    const made = [];
    const fn = () => {
      made.push(tf.ones([3]));
      made.push(made.at(-1).sum());
    };
    const words =
      '[expectNoLeaks] 8 tensors (64 bytes) left by 4 calls: 4 x float32[3] (48 bytes), 4 x float32[] (16 bytes)';
    assert.throws(() => tf.expectNoLeaks(fn), leak(words));
    assert.deepEqual(
      made.map((x) => x.isDisposed),
      [false, false, ...new Array(8).fill(true)],
    );
    tf.dispose(made);
  });
});

test('returned, kept and held tensors count as leaks', () => {
  const held = [];
  const note = (x) => (held.push(x), x);
  leavesNothing(() => {
    const list = new tf.TensorList();
    const leaks = {
      returned: () => note(tf.scalar(1)),
      kept: () => tf.tidy(() => void note(tf.keep(tf.scalar(1)))),
      detached: () => tf.tidy(() => void note(tf.scope().detach(tf.scalar(1)))),
      variable: () => void note(tf.tidy(() => tf.variable(tf.scalar(1)))),
      pushed: () => tf.tidy(() => list.push(tf.scalar(1))),
      inScope: () => void tf.scope('open').run(() => note(tf.scalar(1))),
    };
    for (const [name, fn] of Object.entries(leaks)) {
      assert.throws(() => tf.expectNoLeaks(fn), leak(/4 tensors \(16 bytes\) left by 4 calls/), name);
    }
    tf.dispose([held, list]);
  });
});

test('tensors moved to an outer scope count as leaks', async () => {
  await leavesNothingAsync(async () => {
    const session = tf.scope('session');
    const x = tf.scalar(1);
    const leaks = {
      attached: () => void session.attach(tf.scalar(1)),
      made: () => void session.run(() => tf.scalar(1)),
      borrowed: () => void session.borrow(x),
      inside: () => void session.child('inside').run(() => tf.scalar(1)),
      returned: () => {
        const inside = session.child();
        inside.ret(inside.run(() => tf.scalar(1)));
        inside.close();
      },
    };
    for (const [name, fn] of Object.entries(leaks)) {
      assert.throws(() => tf.expectNoLeaks(fn), leak(/4 tensors \(16 bytes\) left by 4 calls/), name);
      const late = async () => (await pause(), fn());
      await assert.rejects(tf.expectNoLeaks(late), leak(/4 tensors \(16 bytes\) left by 4 calls/), name);
    }
    tf.expectNoLeaks(() => {
      const inside = session.child();
      inside.run(() => tf.scalar(1));
      inside.attach(session.borrow(x));
      inside.close();
    });
    session.close();
    x.dispose();
  });
});

test('tensors from before the calls are no leaks', () => {
  leavesNothing(() => {
    const made = Array.from({ length: 5 }, () => tf.scalar(1));
    let next = 0;
    tf.expectNoLeaks(() => tf.tidy(() => tf.keep(made[next++]).add(1).dataSync()));
    tf.dispose(made);
  });
});

test('a cache that the first call fills is no leak', () => {
  leavesNothing(() => {
    let cache;
    tf.expectNoLeaks(() => tf.tidy(() => (cache ??= tf.keep(tf.ones([2]))).add(1).dataSync()));
    let plain;
    tf.expectNoLeaks(() => void (plain ??= tf.ones([2])));
    assert.deepEqual([cache.isDisposed, plain.isDisposed], [false, false]);
    let latest;
    tf.expectNoLeaks(() => {
      latest?.dispose();
      latest = tf.scalar(1);
    });
    tf.dispose([cache, plain, latest]);
  });
});

test('an error of the function propagates, and tensors made before it are freed', async () => {
  await leavesNothingAsync(async () => {
    let calls = 0;
    const fn = () => {
      calls++;
      tf.scalar(1);
      throw new Error('mine');
    };
    assert.throws(() => tf.expectNoLeaks(fn), /mine/);
    await assert.rejects(
      tf.expectNoLeaks(async () => pause().then(fn)),
      /mine/,
    );
    assert.equal(calls, 2);
  });
});

test('an async function is awaited, and tensors made after its awaits count', async () => {
  await leavesNothingAsync(async () => {
    await tf.expectNoLeaks(async () => {
      const x = tf.ones([2]);
      await pause();
      const y = x.add(1);
      await y.data();
      tf.dispose([x, y]);
      await tf.scopeAsync(async () => {
        await pause();
        tf.scalar(1);
      });
    });
    const made = [];
    await assert.rejects(
      tf.expectNoLeaks(
        async () => {
          await pause();
          made.push(tf.ones([2]));
          await tf.scopeAsync(async () => {
            await pause();
            made.push(tf.keep(tf.scalar(1)));
          });
        },
        { iterations: 3 },
      ),
      leak('[expectNoLeaks] 4 tensors (24 bytes) left by 2 calls: 2 x float32[2] (16 bytes), 2 x float32[] (8 bytes)'),
    );
    tf.dispose(made);
  });
});

test('concurrent tests are distinguished', async () => {
  const made = [];
  const innocent = () =>
    tf.expectNoLeaks(async () => {
      for (let i = 0; i < 5; i++) {
        const x = tf.ones([3]);
        await pause();
        tf.dispose(tf.keep(x.add(1)));
        x.dispose();
      }
    });
  const guilty = () =>
    tf.expectNoLeaks(async () => {
      await pause();
      made.push(tf.keep(tf.ones([7])));
      await pause();
    });
  const outside = async () => {
    for (let i = 0; i < 30; i++) {
      made.push(tf.ones([5]));
      await pause();
    }
  };
  await leavesNothingAsync(async () => {
    const results = await Promise.allSettled([innocent(), guilty(), outside(), innocent(), guilty()]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected'],
    );
    for (const i of [1, 4])
      leak(/4 tensors \(112 bytes\) left by 4 calls: 4 x float32\[7\] \(112 bytes\)$/)(results[i].reason);
    tf.dispose(made);
  });
});

test('a model that is loaded and not disposed is a leak', async () => {
  const models = [];
  await tf.expectNoLeaks(async () => tf.dispose(await tf.loadLayersModel(iris)), { iterations: 2 });
  await assert.rejects(
    tf.expectNoLeaks(async () => void models.push(await tf.loadLayersModel(iris)), { iterations: 3 }),
    leak(/8 tensors \(664 bytes\) left by 2 calls/),
  );
  tf.dispose(models);
});

test('wrong arguments are refused', () => {
  assert.throws(() => tf.expectNoLeaks('fn'), /provide a function/);
  for (const iterations of [1, 0, 2.5])
    assert.throws(() => tf.expectNoLeaks(() => {}, { iterations }), /at least 2 iterations/);
});
